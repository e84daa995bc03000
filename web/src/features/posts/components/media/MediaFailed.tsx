import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'

/** Stands in the frame of a picture or video that did not come. */
export function MediaFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <Box
      role="alert"
      position="absolute"
      inset="0"
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      gap="3"
      padding="4"
      textAlign="center"
      bg="sunken"
      color="muted"
    >
      {text}
      <Button variant="outline" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </Box>
  )
}
