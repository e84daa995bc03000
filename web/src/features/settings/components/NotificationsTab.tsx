import { Box } from '@chakra-ui/react'
import { type NotificationSettings, NotificationSettingsRequest } from '@contract/notification-settings.ts'
import { type ReactNode, useEffect, useState } from 'react'
import {
  type BrowserNotificationState,
  browserNotificationState,
  requestBrowserNotifications,
} from '@/lib/browser'
import { appName } from '@/lib/config'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { Switch } from '@/ui/Switch'
import { useOptimisticOwnUser, useSaveSetting } from '../api/own-user'
import { SettingsSection } from './SettingsSection'

/** Shows the notification settings. Each change is saved immediately and applies to all devices. */
export function NotificationsTab() {
  const user = useOptimisticOwnUser()
  if (!user) return null
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      <SettingsSection title="How you hear of it">
        <NotificationSwitch
          name="emailNotifications"
          label="Email notifications"
          hint={`One mail to ${user.email} for what you have not read after 15 minutes, at most one an hour.`}
        />
        <PushNotificationsSwitch enabled={user.notificationSettings.pushNotifications} />
        <NotificationSwitch
          name="messageSounds"
          label="Message sounds"
          hint="A short sound when a message arrives."
        />
        <NotificationSwitch
          name="groupNotifications"
          label="Group notifications"
          hint="‘Ana and 3 others liked your post.’ in one line. Off, each has its own."
        />
      </SettingsSection>
      <SettingsSection title="What you hear of" text="What you switch off is not kept for later.">
        <NotificationSwitch
          name="newFollowers"
          label="New followers"
          hint="Somebody starts to follow you. Requests to follow you always come."
        />
        <NotificationSwitch
          name="newComments"
          label="New comments"
          hint="Comments on your posts, and replies to your comments."
        />
        <NotificationSwitch
          name="newLikes"
          label="New likes"
          hint="Likes of your posts, and reactions to your messages."
        />
        <NotificationSwitch
          name="subscriptionUpdates"
          label="Subscription updates"
          hint="Somebody subscribes to you, and what happens to your own subscriptions."
        />
        <NotificationSwitch
          name="paymentAlerts"
          label="Payment alerts"
          hint="Somebody unlocks a post of yours or sends a tip."
        />
      </SettingsSection>
    </Box>
  )
}

/** Shows the push switch and, while it is on, the permission of this browser. */
function PushNotificationsSwitch({ enabled }: { enabled: boolean }) {
  return (
    <>
      <NotificationSwitch
        name="pushNotifications"
        label="Push notifications"
        hint={`Your browser shows what is new while ${appName} is open and you are looking elsewhere.`}
      />
      {enabled && <BrowserNotificationPermission />}
    </>
  )
}

/** Shows the switch of one notification setting, which is saved when it changes. */
export function NotificationSwitch({
  name,
  label,
  hint,
}: {
  name: keyof NotificationSettings
  label: string
  hint: ReactNode
}) {
  const user = useOptimisticOwnUser()
  const save = useSaveSetting()
  if (!user) return null
  return (
    <Switch
      label={label}
      hint={hint}
      checked={user.notificationSettings[name]}
      onChange={(checked) =>
        save({ section: 'notifications', fields: NotificationSettingsRequest.parse({ [name]: checked }) })
      }
    />
  )
}

const permissionTexts: Record<
  BrowserNotificationState,
  { badge: string; tone: 'success' | 'danger' | 'neutral'; text: string }
> = {
  granted: { badge: 'Allowed', tone: 'success', text: 'This browser shows them.' },
  ask: { badge: 'Not allowed yet', tone: 'neutral', text: 'This browser has to be allowed to show them.' },
  denied: {
    badge: 'Blocked',
    tone: 'danger',
    text: 'This browser blocks them. Allow notifications for this site in its settings, beside the address.',
  },
  unsupported: { badge: 'Not available', tone: 'neutral', text: 'This browser cannot show them.' },
}

/** Shows the browser's notification permission, with a button to request it if the user has not decided yet. */
function BrowserNotificationPermission() {
  const { state, requestPermission } = useBrowserNotifications()
  const { badge, tone, text } = permissionTexts[state]
  return (
    <PermissionRow>
      {/* Announces the new state when the user answers the browser's prompt. */}
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
        <Badge tone={tone}>{badge}</Badge>
        <Box textStyle="small" color="muted" minWidth="0">
          {text}
        </Box>
      </Box>
      {state === 'ask' && (
        <Button size="sm" variant="outline" onClick={requestPermission}>
          Allow in this browser
        </Button>
      )}
    </PermissionRow>
  )
}

function PermissionRow({ children }: { children: ReactNode }) {
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

/** Returns the current notification permission of the browser and a function to request it. */
function useBrowserNotifications(): { state: BrowserNotificationState; requestPermission: () => void } {
  const [state, setState] = useState(browserNotificationState)
  useEffect(() => {
    const update = () => setState(browserNotificationState())
    let status: PermissionStatus | undefined
    let isUnmounted = false
    // Not every browser emits a change event, so the focus event covers the return from the browser's settings.
    navigator.permissions?.query({ name: 'notifications' }).then(
      (permission) => {
        if (isUnmounted) return
        status = permission
        permission.addEventListener('change', update)
      },
      () => undefined,
    )
    window.addEventListener('focus', update)
    return () => {
      isUnmounted = true
      status?.removeEventListener('change', update)
      window.removeEventListener('focus', update)
    }
  }, [])
  return { state, requestPermission: () => void requestBrowserNotifications().then(setState) }
}
