import { lazy, Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { paths } from '@/paths'
import { useIsVisitor } from './HomeSwitch'
import { VisitorFrame } from './VisitorFrame'

const Shell = lazy(() => import('./shell/Shell'))

/** Around the app's screens: the shell for who is signed in, a plain header for visitors, nothing on the landing page. */
export function Frame() {
  const visitor = useIsVisitor()
  const { pathname } = useLocation()
  if (!visitor) {
    return (
      <Suspense fallback={null}>
        <Shell />
      </Suspense>
    )
  }
  if (pathname === paths.home.path) return <Outlet />
  return <VisitorFrame />
}
