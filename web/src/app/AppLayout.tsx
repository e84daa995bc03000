import { lazy, Suspense, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { hasStoredSession, useCurrentUser } from '@/session/session'
import { useIsVisitor } from './routes/HomeRoute'
import { SessionCheckFailed } from './SessionCheckFailed'
import { ShellSkeleton } from './ShellSkeleton'
import { VisitorLayout } from './VisitorLayout'

const Shell = lazy(() => import('./shell/Shell'))

/** Around the app's screens: the shell for who is signed in, a plain header for visitors, nothing on the landing page. */
export function AppLayout() {
  const { failed, isLoading, retry } = useCurrentUser()
  const visitor = useIsVisitor()
  const { pathname } = useLocation()
  // Stays while the server is asked again: only an answer ends it.
  const [unconfirmed, setUnconfirmed] = useState(failed)
  if (!isLoading && failed !== unconfirmed) setUnconfirmed(failed)
  if (unconfirmed) return <SessionCheckFailed asking={isLoading} onRetry={retry} />
  if (!visitor) {
    return (
      <Suspense fallback={<ShellSkeleton />}>
        <Shell />
      </Suspense>
    )
  }
  if (pathname === paths.home.path) return <Outlet />
  return <VisitorLayout />
}

/** While the first screen's code is on its way; a visitor's page stays empty for that moment. */
export function AppLayoutFallback() {
  return hasStoredSession() ? <ShellSkeleton /> : null
}
