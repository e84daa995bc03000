import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import type { BrowserNotificationState } from '@/lib/browser'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { useBrowserNotifications } from './useBrowserNotifications'

type Tone = 'success' | 'danger' | 'neutral'

const told: Record<BrowserNotificationState, { mark: string; tone: Tone; text: string }> = {
  granted: { mark: 'Allowed', tone: 'success', text: 'This browser shows them.' },
  ask: { mark: 'Not allowed yet', tone: 'neutral', text: 'This browser has to be allowed to show them.' },
  denied: {
    mark: 'Blocked',
    tone: 'danger',
    text: 'This browser blocks them. Allow notifications for this site in its settings, beside the address.',
  },
  unsupported: { mark: 'Not available', tone: 'neutral', text: 'This browser cannot show them.' },
}

/** What the browser says to showing notifications, and where it has not been asked, the way to be asked. */
export function BrowserNotificationPermission() {
  const { state, ask } = useBrowserNotifications()
  const { mark, tone, text } = told[state]
  return (
    <Line>
      {/* Said again when the person has answered the browser. */}
      <Box
        role="status"
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        columnGap="2.5"
        rowGap="1"
        flex="1"
        minWidth="12rem"
      >
        <Badge tone={tone}>{mark}</Badge>
        <Box textStyle="small" color="muted" minWidth="0">
          {text}
        </Box>
      </Box>
      {state === 'ask' && (
        <Button size="sm" variant="outline" onClick={ask}>
          Allow in this browser
        </Button>
      )}
    </Line>
  )
}

function Line({ children }: { children: ReactNode }) {
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="3"
      marginTop="3"
      padding="3"
      borderWidth="1px"
      borderColor="hairline"
      borderRadius="md"
    >
      {children}
    </Box>
  )
}
