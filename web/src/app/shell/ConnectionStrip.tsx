import { Box } from '@chakra-ui/react'
import { useConnectionState } from '@/lib/realtime'

const notices = {
  polling: 'Live updates are paused. Checking every 30 seconds.',
  offline: 'The server cannot be reached. Trying again.',
} as const

/** Says when news is not pushed; nothing while it is. It lies over the page, so that nothing moves. */
export function ConnectionStrip() {
  const state = useConnectionState()
  const notice = state === 'polling' || state === 'offline' ? notices[state] : null
  return (
    <Box
      role="status"
      aria-live="polite"
      position="fixed"
      zIndex="banner"
      top="calc({sizes.header} + 0.5rem)"
      insetInline="0"
      display="flex"
      justifyContent="center"
      paddingInline="4"
      pointerEvents="none"
    >
      {notice && (
        <Box
          display="flex"
          alignItems="center"
          gap="2.5"
          paddingInline="4"
          paddingBlock="2"
          bg="inverse"
          color="onInverse"
          borderRadius="full"
          boxShadow="mid"
          textStyle="small"
          fontWeight="medium"
        >
          <Box
            aria-hidden
            width="2"
            height="2"
            borderRadius="full"
            bg={state === 'offline' ? 'danger.solid' : 'gold.solid'}
            flexShrink={0}
          />
          {notice}
        </Box>
      )}
    </Box>
  )
}
