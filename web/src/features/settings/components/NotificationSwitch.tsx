import { type NotificationSettings, NotificationSettingsRequest } from '@contract/notification-settings.ts'
import type { ReactNode } from 'react'
import { Switch } from '@/ui/Switch'
import { useOptimisticOwnUser, useSaveSetting } from '../api/own-user'

/** One of the settings of news, saved as it is switched. */
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
        save({ of: 'notifications', fields: NotificationSettingsRequest.parse({ [name]: checked }) })
      }
    />
  )
}
