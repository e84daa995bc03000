import NotificationsPage from '@/features/notifications/pages/NotificationsPage'
import FollowButton from '@/features/users/components/FollowButton'

/** Shows the notifications, with the users feature's buttons for following new followers back. */
export default function NotificationsRoute() {
  return <NotificationsPage followButton={(user) => <FollowButton user={user} wording="back" size="sm" />} />
}
