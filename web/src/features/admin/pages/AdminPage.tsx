import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { CurtainDrawing } from '@/ui/drawings'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AdminPanel } from './AdminPanel'
import { useDemotion } from './useDemotion'

/** `/admin?tab=`. */
export default function AdminPage() {
  const { user } = useCurrentUser()
  useDocumentTitle('Admin Panel')
  useDemotion()
  return (
    <>
      {!user?.isAdmin && (
        <EmptyState
          as="h1"
          drawing={<CurtainDrawing />}
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
