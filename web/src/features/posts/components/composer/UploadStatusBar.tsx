import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import type { ChosenMedia } from '../../chosen-media'

/** How far an upload is, in words. */
export function uploadStatusText({ state, percent, kind }: ChosenMedia): string {
  if (state === 'waiting') return 'Connection lost. Trying again…'
  if (state === 'failed') return 'The upload failed.'
  if (state === 'preparing') return kind === 'image' ? 'Preparing the image…' : 'Preparing the video…'
  // All bytes are sent, and the answer is on its way.
  return percent < 100 ? `Uploading ${percent}%` : 'Almost done…'
}

/** Says along the lower edge of a preview how far its upload is, and how to stop or repeat it. */
export function UploadStatusBar({
  chosen,
  onCancel,
  onRetry,
}: {
  chosen: ChosenMedia
  onCancel: () => void
  onRetry: () => void
}) {
  const failed = chosen.state === 'failed'
  return (
    <Box position="absolute" insetInline="0" bottom="0" bg="surface" borderTopWidth="1px">
      <Box
        role="progressbar"
        aria-label={chosen.kind === 'image' ? 'Image upload' : 'Video upload'}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={chosen.percent}
        height="1"
        bg="sunken"
        hidden={failed}
      >
        <Box
          height="100%"
          bg="ember.solid"
          // With all bytes sent it is full at once: the words say so already.
          transition={chosen.percent < 100 ? 'width {durations.fast} linear' : 'none'}
          style={{ width: `${chosen.percent}%` }}
        />
      </Box>
      <Box display="flex" alignItems="center" gap="2" minHeight="12" paddingInline="3" paddingBlock="1.5">
        <Box
          flex="1"
          minWidth="0"
          truncate
          textStyle="small"
          fontVariantNumeric="tabular-nums"
          color={failed ? 'danger.text' : undefined}
        >
          {uploadStatusText(chosen)}
        </Box>
        {failed && (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {failed ? 'Remove' : 'Cancel'}
        </Button>
      </Box>
    </Box>
  )
}
