import { Box } from '@chakra-ui/react'
import { type NotificationSettings, NotificationSettingsRequest } from '@contract/notification-settings.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
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
export function NotificationsTopic() {
  const user = useOptimisticOwnUser()
  if (!user) return null
  const { email } = user
  return (
    <>
      <SettingsSection title={t`How to notify you`}>
        <NotificationSwitch
          name="emailNotifications"
          label={t`Email notifications`}
          hint={t`We’ll email ${email} about notifications you haven’t read after 15 minutes, at most once an hour.`}
        />
        <PushNotificationsSwitch enabled={user.notificationSettings.pushNotifications} />
        <NotificationSwitch
          name="messageSounds"
          label={t`Message sounds`}
          hint={t`Play a short sound when a message arrives.`}
        />
        <NotificationSwitch
          name="groupNotifications"
          label={t`Group similar notifications`}
          hint={t`Combine similar ones, such as “Ana and 3 others liked your post.”`}
        />
      </SettingsSection>
      <SettingsSection
        title={t`What to notify you about`}
        text={t`Notifications you miss while a setting is off won’t appear when you turn it back on.`}
      >
        <NotificationSwitch
          name="newFollowers"
          label={t`New followers`}
          hint={t`When someone follows you. You always get follow requests.`}
        />
        <NotificationSwitch
          name="newComments"
          label={t`New comments`}
          hint={t`Comments on your posts and replies to your comments.`}
        />
        <NotificationSwitch
          name="newQuotes"
          label={t`New quotes and reposts`}
          hint={t`When someone quotes or reposts one of your posts.`}
        />
        <NotificationSwitch
          name="newLikes"
          label={t`New likes`}
          hint={t`Likes on your posts and comments, and reactions to your messages.`}
        />
        <NotificationSwitch
          name="subscriptionUpdates"
          label={t`Subscription updates`}
          hint={t`New subscribers and changes to your own subscriptions.`}
        />
        <NotificationSwitch
          name="paymentAlerts"
          label={t`Payment alerts`}
          hint={t`When someone unlocks one of your posts or photos, or sends you a tip.`}
        />
        <NotificationSwitch
          name="newPosts"
          label={t`New posts`}
          hint={t`From people whose posts you asked to be notified about.`}
        />
      </SettingsSection>
    </>
  )
}

/** Shows the push switch and, while it is on, this browser's notification permission. */
function PushNotificationsSwitch({ enabled }: { enabled: boolean }) {
  return (
    <>
      <NotificationSwitch
        name="pushNotifications"
        label={t`Push notifications`}
        hint={t`Get browser notifications while ${appName} is open in another tab.`}
      />
      {enabled && <BrowserNotificationPermission />}
    </>
  )
}

/** Shows the switch for one notification setting, which is saved when it changes. */
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
  { badge: MessageDescriptor; tone: 'success' | 'danger' | 'neutral'; text: MessageDescriptor }
> = {
  granted: { badge: msg`Allowed`, tone: 'success', text: msg`This browser shows notifications.` },
  ask: {
    badge: msg`Not allowed yet`,
    tone: 'neutral',
    text: msg`Allow notifications in this browser to get them.`,
  },
  denied: {
    badge: msg({ message: 'Blocked', context: 'browser permission' }),
    tone: 'danger',
    text: msg`This browser blocks notifications. Allow them in the site settings next to the address bar.`,
  },
  unsupported: {
    badge: msg`Not available`,
    tone: 'neutral',
    text: msg`This browser doesn’t support notifications.`,
  },
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
        <Badge tone={tone}>{t(badge)}</Badge>
        <Box textStyle="small" color="muted" minWidth="0">
          {t(text)}
        </Box>
      </Box>
      {state === 'ask' && (
        <Button size="sm" variant="outline" onClick={requestPermission}>
          {t`Allow in this browser`}
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
    // Some browsers fire no change event, so the state is also updated on focus, when the user may be back from the
    // browser's settings.
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
