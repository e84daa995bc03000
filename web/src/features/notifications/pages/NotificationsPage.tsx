import { Card, PageHeader } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { MarkAllReadButton } from '../components/MarkAllReadButton'
import { NotificationList } from '../components/NotificationList'

/** `/notifications`: the header's list as a screen of its own, for links that come from mails. */
export default function NotificationsPage() {
  useDocumentTitle('Notifications')
  return (
    <>
      <PageHeader
        title="Notifications"
        action={<MarkAllReadButton onPress={() => document.getElementById('main')?.focus()} />}
      />
      <Card overflow="hidden">
        <NotificationList />
      </Card>
    </>
  )
}
