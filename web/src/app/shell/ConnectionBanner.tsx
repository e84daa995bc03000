import { Box } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { t } from '@lingui/core/macro'
import { useConnectionState } from '@/realtime/connection'

function noticeText(state: 'polling' | 'offline'): string {
  if (state === 'offline') return t`You're offline. Reconnecting…`
  const seconds = intervals.pollMs / 1000
  return t`Live updates are paused. Checking every ${seconds} seconds.`
}

/** Shows that updates are polled or the server is unreachable. It floats above the page, so that nothing moves. */
export function ConnectionBanner() {
  const state = useConnectionState()
  const notice = state === 'polling' || state === 'offline' ? noticeText(state) : null
  return (
    <Box
      role="status"
      aria-live="polite"
      position="fixed"
      zIndex="banner"
      bottom={{
        base: 'calc({sizes.bottomBar} + {spacing.4} + env(safe-area-inset-bottom))',
        md: '4',
      }}
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
          bg="raised"
          color="muted"
          borderWidth="1px"
          borderRadius="full"
          boxShadow="mid"
          textStyle="small"
          animation="appear 160ms {easings.out}"
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
