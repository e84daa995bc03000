import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { UploadProgressBar } from '@/uploads/components/UploadProgressBar'
import type { ChosenMedia } from '../../chosen-media'

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
        label={chosen.kind === 'image' ? 'Image upload' : 'Video upload'}
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
            Try again
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {hasFailed ? 'Remove' : 'Cancel'}
        </Button>
      </Box>
    </Box>
  )
}

/** Percent between two announcements. */
const announcementStep = 25

/**
 * Announces the progress of an upload to screen readers. It must stay mounted, because a status region that is inserted
 * together with its text is not announced.
 */
export function UploadAnnouncer({ chosen }: { chosen: ChosenMedia | undefined }) {
  return <VisuallyHidden role="status">{chosen && announcement(chosen)}</VisuallyHidden>
}

function announcement(chosen: ChosenMedia): string {
  if (chosen.state === 'done')
    return chosen.kind === 'image' ? 'The image is uploaded.' : 'The video is uploaded.'
  const percent = Math.floor(chosen.percent / announcementStep) * announcementStep
  return uploadStatusText({ ...chosen, percent })
}

function uploadStatusText({ state, percent, kind }: ChosenMedia): string {
  if (state === 'waiting') return 'Connection lost. Trying again…'
  if (state === 'failed') return 'The upload failed.'
  if (state === 'preparing') return kind === 'image' ? 'Preparing the image…' : 'Preparing the video…'
  // At 100% all bytes are sent and the server has not responded yet.
  return percent < 100 ? `Uploading ${percent}%` : 'Almost done…'
}
