import { Card, PageHeader } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { MarkAllRead } from '../components/MarkAllRead'
import { NotificationList } from '../components/NotificationList'

/** `/notifications`: the header's list as a screen of its own, for links that come from mails. */
export default function NotificationsPage() {
  useDocumentTitle('Notifications')
  return (
    <>
      <PageHeader
        title="Notifications"
        action={<MarkAllRead onPress={() => document.getElementById('main')?.focus()} />}
      />
      <Card overflow="hidden">
        <NotificationList />
      </Card>
    </>
  )
}
