import { Card, PageHeader } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { MarkAllReadButton, NotificationList } from '../components/NotificationList'

/** `/notifications`: the notification list as a page, for links in emails. */
export default function NotificationsPage() {
  useDocumentTitle('Notifications')
  return (
    <>
      <PageHeader
        title="Notifications"
        action={<MarkAllReadButton moveFocus={() => document.getElementById('main')?.focus()} />}
      />
      <Card overflow="hidden">
        <NotificationList />
      </Card>
    </>
  )
}
