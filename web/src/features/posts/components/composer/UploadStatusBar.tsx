import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatPercent } from '@/lib/format'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { UploadProgressBar } from '@/uploads/components/UploadProgressBar'
import type { ChosenMedia, MediaKind } from '../../chosen-media'

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

/** The progress between two announcements, in percent. */
const announcementStep = 25

/**
 * Announces the progress of an upload to screen readers. The component must stay mounted, because a status region that
 * is inserted together with its text is not announced.
 */
export function UploadAnnouncer({ chosen }: { chosen: ChosenMedia | undefined }) {
  return <VisuallyHidden role="status">{chosen && announcement(chosen)}</VisuallyHidden>
}

function announcement(chosen: ChosenMedia): string {
  if (chosen.state === 'done') return uploadedText(chosen.kind)
  const percent = Math.floor(chosen.percent / announcementStep) * announcementStep
  return uploadStatusText({ ...chosen, percent })
}

export function uploadedText(kind: MediaKind): string {
  return kind === 'image' ? t`Image uploaded` : t`Video uploaded`
}

function uploadStatusText({ state, percent, kind }: ChosenMedia): string {
  if (state === 'waiting') return t`Connection lost. Reconnecting…`
  if (state === 'failed') return t`Upload failed`
  if (state === 'preparing') return kind === 'image' ? t`Preparing image…` : t`Preparing video…`
  // At 100%, all bytes have been sent, but the server has not responded yet.
  if (percent >= 100) return t`Almost done…`
  const progress = formatPercent(percent)
  return t`Uploading ${progress}`
}
