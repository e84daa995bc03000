import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { CurtainIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AdminPanel } from './AdminPanel'
import { useRecheckAdminAccess } from './useRecheckAdminAccess'

/** `/admin?tab=`. */
export default function AdminPage() {
  const { user } = useCurrentUser()
  useDocumentTitle('Admin Panel')
  useRecheckAdminAccess()
  return (
    <>
      {!user?.isAdmin && (
        <EmptyState
          as="h1"
          drawing={<CurtainIllustration />}
          title="Access Denied"
          text="You don't have permission to access this page."
          action={
            <ButtonLink to={paths.home.getHref()} variant="ember">
              Back to home
            </ButtonLink>
          }
        />
      )}
      {user?.isAdmin && <AdminPanel />}
    </>
  )
}
