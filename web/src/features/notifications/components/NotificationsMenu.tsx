import { Box } from '@chakra-ui/react'
import type { Notification } from '@contract/notification.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useCurrentUser } from '@/lib/session'
import { Button } from '@/ui/Button'
import { BellDrawing } from '@/ui/drawings'
import { HeaderTrigger } from '@/ui/HeaderTrigger'
import { BellIcon } from '@/ui/icons'
import { Popover } from '@/ui/Popover'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { notificationsQuery, unreadNotificationsQuery } from '../api/notifications'
import { useReadNotification } from '../api/read'
import { useNotificationsLive } from '../realtime/useNotificationsLive'
import { NotificationRow } from './NotificationRow'

/** The header's notifications: unread badge and list. Keeps both live. */
export default function NotificationsMenu() {
  const { user } = useCurrentUser()
  const [open, setOpen] = useState(false)
  useNotificationsLive(user?.id)
  const { data: unread } = useQuery({ ...unreadNotificationsQuery, enabled: user !== null })
  const count = unread?.count ?? 0
  if (!user) return null
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      title="Notifications"
      trigger={<HeaderTrigger label="Notifications" count={count} icon={<BellIcon />} />}
    >
      {open && <LatestNotifications onLeave={() => setOpen(false)} />}
    </Popover>
  )
}

/** Mounted, and so fetched, only while the dropdown is open. */
function LatestNotifications({ onLeave }: { onLeave: () => void }) {
  const navigate = useNavigate()
  const read = useReadNotification()
  const list = useInfiniteQuery({ ...notificationsQuery, refetchOnMount: 'always' })
  if (list.isPending) return <Waiting />
  if (list.isError && !list.data) {
    return <ErrorState message="Your notifications did not load." onRetry={() => void list.refetch()} />
  }
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) return <EmptyState drawing={<BellDrawing />} title="No notifications yet" />
  const open = (notification: Notification) => {
    read.mutate(notification.id)
    onLeave()
    navigate(notification.href)
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {items.map((notification) => (
          <li key={notification.id}>
            <NotificationRow
              notification={notification}
              onOpen={() => open(notification)}
              onLeave={onLeave}
            />
          </li>
        ))}
      </Box>
      {list.hasNextPage && (
        <Box padding="3" textAlign="center">
          <Button
            size="sm"
            variant="link"
            pending={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Older notifications
          </Button>
        </Box>
      )}
    </>
  )
}

function Waiting() {
  return (
    <Loading label="Loading notifications">
      {['65%', '50%', '72%'].map((width) => (
        <Box key={width} display="flex" gap="3" paddingInline="4" paddingBlock="3">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width="40%" />
            <Skeleton height="3" width={width} marginTop="2" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}
