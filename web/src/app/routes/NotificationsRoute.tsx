import NotificationsPage from '@/features/notifications/pages/NotificationsPage'
import { notificationActions } from '../notification-actions'

/** Shows the notifications page, with buttons from the users and comments features. */
export default function NotificationsRoute() {
  return <NotificationsPage actions={notificationActions} />
}
