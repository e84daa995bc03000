import { Box } from '@chakra-ui/react'
import { appName } from '@/lib/app-name'
import { useOptimisticOwnUser } from '../api/own-user'
import { BrowserNotificationPermission } from './BrowserNotificationPermission'
import { NotificationSwitch } from './NotificationSwitch'
import { SettingsSection } from './SettingsSection'

/** Which news somebody wants and how it comes. Each change is saved at once, for every device. */
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
        <PushSwitch shown={user.notificationSettings.pushNotifications} />
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

/** With what this browser says to it, while it is on. */
function PushSwitch({ shown }: { shown: boolean }) {
  return (
    <>
      <NotificationSwitch
        name="pushNotifications"
        label="Push notifications"
        hint={`Your browser shows what is new while ${appName} is open and you are looking elsewhere.`}
      />
      {shown && <BrowserNotificationPermission />}
    </>
  )
}
