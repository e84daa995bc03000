import NotificationsPage from '@/features/notifications/pages/NotificationsPage'
import FollowButton from '@/features/users/components/FollowButton'

/** Shows the notifications with buttons to follow new followers back, which belong to another feature. */
export default function NotificationsRoute() {
  return <NotificationsPage followButton={(user) => <FollowButton user={user} wording="back" size="sm" />} />
}
