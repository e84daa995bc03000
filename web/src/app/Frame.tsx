import { lazy, Suspense, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { hasStoredSession, useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { useIsVisitor } from './HomeSwitch'
import { SessionUnconfirmed } from './SessionUnconfirmed'
import { ShellSkeleton } from './ShellSkeleton'
import { VisitorFrame } from './VisitorFrame'

const Shell = lazy(() => import('./shell/Shell'))

/** Around the app's screens: the shell for who is signed in, a plain header for visitors, nothing on the landing page. */
export function Frame() {
  const { failed, isLoading, retry } = useCurrentUser()
  const visitor = useIsVisitor()
  const { pathname } = useLocation()
  // Stays while the server is asked again: only an answer ends it.
  const [unconfirmed, setUnconfirmed] = useState(failed)
  if (!isLoading && failed !== unconfirmed) setUnconfirmed(failed)
  if (unconfirmed) return <SessionUnconfirmed asking={isLoading} onRetry={retry} />
  if (!visitor) {
    return (
      <Suspense fallback={<ShellSkeleton />}>
        <Shell />
      </Suspense>
    )
  }
  if (pathname === paths.home.path) return <Outlet />
  return <VisitorFrame />
}

/** While the first screen's code is on its way; a visitor's page stays empty for that moment. */
export function FrameOnItsWay() {
  return hasStoredSession() ? <ShellSkeleton /> : null
}
