import NotificationsPage from '@/features/notifications/pages/NotificationsPage'
import { notificationActions } from '../notification-actions'

/** Shows the notifications, with the buttons of other features. */
export default function NotificationsRoute() {
  return <NotificationsPage actions={notificationActions} />
}
