import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { createPortal } from 'react-dom'
import { useMatch } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useIsConnectionSettled } from '@/realtime/connection'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { BellIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { focusPanel, HeaderButton, Popover } from '@/ui/Popover'
import { Loading, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { notificationKeys, unreadNotificationsQuery } from '../api'
import { firstPage, type NotificationPages } from '../model'
import { useNotificationsRealtime } from '../realtime'
import { MarkAllReadButton } from './MarkAllReadButton'
import type { NotificationList } from './NotificationList'
import type { NotificationActions } from './NotificationRow'

/** Shows the header's notification button with the unread count, and the list in a popover. Updates in real time. */
export default function NotificationsPopover({ actions }: { actions: NotificationActions }) {
  const queryClient = useQueryClient()
  const { user } = useCurrentUser()
  const [open, setOpen] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  useNotificationsRealtime(user?.id, user?.notificationSettings.groupNotifications, ({ unreadTotal }) => {
    // When a group of notifications grows, the text stays the same, so screen readers do not announce it again.
    setAnnouncement(t`New notification, ${unreadTotal} unread`)
  })
  const { data: unread } = useQuery({
    ...unreadNotificationsQuery,
    enabled: useIsConnectionSettled() && user !== null,
  })
  const isCurrent = useMatch(paths.notifications.path) !== null
  if (!user) return null

  const handleOpenChange = (nextOpen: boolean) => {
    // Keeps only the first page, so that opening the list does not refetch every loaded page.
    if (nextOpen) queryClient.setQueryData<NotificationPages>(notificationKeys.list(), firstPage)
    setOpen(nextOpen)
  }
  return (
    <>
      <Popover
        open={open}
        onOpenChange={handleOpenChange}
        title={t`Notifications`}
        action={<MarkAllReadButton moveFocus={focusPanel} />}
        footer={
          <ButtonLink
            to={paths.notifications.getHref()}
            size="sm"
            variant="link"
            onClick={() => setOpen(false)}
          >
            {t`See all`}
          </ButtonLink>
        }
        trigger={
          <HeaderButton
            label={t`Notifications`}
            count={unread?.count ?? 0}
            icon={<BellIcon />}
            isCurrent={isCurrent}
          />
        }
      >
        {open && <LatestNotifications actions={actions} onNavigate={() => setOpen(false)} />}
      </Popover>
      {/* Outside the top bar, which is hidden on some pages on phones. */}
      {createPortal(<VisuallyHidden role="status">{announcement}</VisuallyHidden>, document.body)}
    </>
  )
}

/** Loads the code of the list when the popover is first opened, so that pages load less code. */
function LatestNotifications(props: ComponentProps<typeof NotificationList>) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['notification-list'],
    queryFn: () => import('./NotificationList'),
  })
  if (data) return <data.NotificationList {...props} />
  if (isError) {
    return <ErrorState message={t`Couldn't load notifications. Try again.`} onRetry={() => void refetch()} />
  }
  return (
    <Loading label={t`Loading notifications`} padding="4">
      <SkeletonText lines={5} />
    </Loading>
  )
}
