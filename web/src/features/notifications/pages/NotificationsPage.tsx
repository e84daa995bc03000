import { t } from '@lingui/core/macro'
import { Card, PageHeader } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { MarkAllReadButton } from '../components/MarkAllReadButton'
import { NotificationList } from '../components/NotificationList'
import type { RenderFollowButton } from '../components/NotificationRow'

/** `/notifications`: the notification list as a page, for links in emails. */
export default function NotificationsPage({ followButton }: { followButton: RenderFollowButton }) {
  useDocumentTitle(t`Notifications`)
  return (
    <>
      <PageHeader
        title={t`Notifications`}
        action={<MarkAllReadButton moveFocus={() => document.getElementById('main')?.focus()} />}
      />
      <Card overflow="hidden">
        <NotificationList followButton={followButton} />
      </Card>
    </>
  )
}
