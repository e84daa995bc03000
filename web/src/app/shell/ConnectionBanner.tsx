import { Box } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { useBrowserOnline } from '@/lib/browser'
import { appName } from '@/lib/config'
import { useConnectionState } from '@/realtime/connection'
import { belowComposerHeader, withCommentDock, withComposer } from '@/ui/toaster'

type NoticeState = 'polling' | 'offline' | 'restored'

const dotColors = { polling: 'gold.solid', offline: 'danger.solid', restored: 'success.solid' } as const

function noticeText(state: NoticeState, browserOnline: boolean): string {
  if (state === 'restored') return t`Connected again.`
  if (state === 'polling') {
    const seconds = intervals.pollMs / 1000
    return t`Live updates are paused. Checking every ${seconds} seconds.`
  }
  return browserOnline
    ? t`Can't reach ${appName}. Trying again…`
    : t`You're offline. Messages will be sent later.`
}

const restoredNoticeMs = 3000

/** Returns true for a few seconds after the server has become reachable again. */
function useIsRestored(isOffline: boolean): boolean {
  const [wasOffline, setWasOffline] = useState(isOffline)
  if (isOffline && !wasOffline) setWasOffline(true)
  useEffect(() => {
    if (isOffline || !wasOffline) return
    const timer = setTimeout(() => setWasOffline(false), restoredNoticeMs)
    return () => clearTimeout(timer)
  }, [isOffline, wasOffline])
  return wasOffline && !isOffline
}

/**
 * Shows a notice while updates are polled or the server cannot be reached, and briefly once the server can be reached
 * again. The notice covers a part of the page, so that the page does not move.
 */
export function ConnectionBanner() {
  const connection = useConnectionState()
  const browserOnline = useBrowserOnline()
  const isRestored = useIsRestored(connection === 'offline')
  const state: NoticeState | null =
    connection === 'polling' || connection === 'offline' ? connection : isRestored ? 'restored' : null
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
      css={{
        [withCommentDock]: {
          top: { base: belowComposerHeader.base, md: 'auto' },
          bottom: { base: 'auto', md: '4' },
        },
        [withComposer]: {
          top: belowComposerHeader,
          bottom: 'auto',
          // The notice must not cover the list of conversations on the messages page.
          justifyContent: { base: 'center', md: 'flex-end' },
        },
      }}
      insetInline="0"
      display="flex"
      justifyContent="center"
      paddingInline={{ base: '4', md: '10' }}
      pointerEvents="none"
    >
      {state && (
        <Box
          display="flex"
          alignItems="center"
          gap="2.5"
          paddingInline="4"
          paddingBlock="2"
          bg="raised"
          color="muted"
          borderWidth="1px"
          borderRadius="xl"
          boxShadow="mid"
          textStyle="small"
          animation="appear 160ms {easings.out}"
        >
          <Box aria-hidden width="2" height="2" borderRadius="full" bg={dotColors[state]} flexShrink={0} />
          {noticeText(state, browserOnline)}
        </Box>
      )}
    </Box>
  )
}
