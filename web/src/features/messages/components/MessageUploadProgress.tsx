import { Box } from '@chakra-ui/react'
import { useUploadProgress } from '../outbox/useOutbox'

/** Along the lower edge of a picture that is being uploaded: how much of it is sent. */
export function MessageUploadProgress({ messageId }: { messageId: string }) {
  const part = useUploadProgress(messageId)
  if (part === undefined) return null
  const percent = Math.floor(part * 100)
  return (
    <Box
      role="progressbar"
      aria-label="Picture upload"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      position="absolute"
      insetInline="0"
      bottom="0"
      height="1.5"
      bg="sunken"
      pointerEvents="none"
    >
      <Box
        height="100%"
        bg="ember.solid"
        transition="width {durations.fast} linear"
        style={{ width: `${percent}%` }}
      />
    </Box>
  )
}
