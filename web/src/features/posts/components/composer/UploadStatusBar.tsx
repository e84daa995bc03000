import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@/ui/Button'
import { UploadProgressBar } from '@/uploads/components/UploadProgressBar'
import type { ChosenMedia } from '../../chosen-media'
import { uploadStatusText } from './UploadAnnouncer'

/** Shows the progress of an upload at the bottom of its preview, with buttons to cancel and retry it. */
export function UploadStatusBar({
  chosen,
  onCancel,
  onRetry,
}: {
  chosen: ChosenMedia
  onCancel: () => void
  onRetry: () => void
}) {
  const hasFailed = chosen.state === 'failed'
  return (
    <Box position="absolute" insetInline="0" bottom="0" bg="surface" borderTopWidth="1px">
      <UploadProgressBar
        label={chosen.kind === 'image' ? t`Image upload` : t`Video upload`}
        percent={chosen.percent}
        hidden={hasFailed}
      />
      <Box display="flex" alignItems="center" gap="2" minHeight="12" paddingInline="3" paddingBlock="1.5">
        <Box
          flex="1"
          minWidth="0"
          truncate
          textStyle="small"
          fontVariantNumeric="tabular-nums"
          color={hasFailed ? 'danger.text' : undefined}
        >
          {uploadStatusText(chosen)}
        </Box>
        {hasFailed && (
          <Button size="sm" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {hasFailed ? t`Remove` : t`Cancel`}
        </Button>
      </Box>
    </Box>
  )
}
