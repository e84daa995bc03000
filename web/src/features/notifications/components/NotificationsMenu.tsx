import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '@/session/session'
import { HeaderButton } from '@/ui/HeaderButton'
import { BellIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { focusPanel, Popover } from '@/ui/Popover'
import { unreadNotificationsQuery } from '../api'
import { notificationKeys } from '../keys'
import { firstPage, type NotificationPages } from '../model'
import { useNotificationsRealtime } from '../realtime'
import { MarkAllReadButton } from './MarkAllReadButton'
import { NotificationList } from './NotificationList'

/** The header's notifications: unread badge, list, 'Mark all read'. Keeps them live. */
export default function NotificationsMenu() {
  const client = useQueryClient()
  const { user } = useCurrentUser()
  const [open, setOpen] = useState(false)
  const [announced, setAnnounced] = useState('')
  useNotificationsRealtime(user?.id, user?.notificationSettings.groupNotifications, (news) => {
    // The same words again, as of a group that grows, are not read out again.
    setAnnounced(`New notification, ${news.unreadTotal} unread`)
  })
  const { data: unread } = useQuery({ ...unreadNotificationsQuery, enabled: user !== null })
  if (!user) return null

  const change = (next: boolean) => {
    // Pages that somebody scrolled through before are not all asked for again.
    if (next) client.setQueryData<NotificationPages>(notificationKeys.list, firstPage)
    setOpen(next)
  }
  return (
    <>
      <Popover
        open={open}
        onOpenChange={change}
        title="Notifications"
        action={<MarkAllReadButton onPress={focusPanel} />}
        trigger={<HeaderButton label="Notifications" count={unread?.count ?? 0} icon={<BellIcon />} />}
      >
        {open && <NotificationList onLeave={() => setOpen(false)} />}
      </Popover>
      <VisuallyHidden role="status">{announced}</VisuallyHidden>
    </>
  )
}
