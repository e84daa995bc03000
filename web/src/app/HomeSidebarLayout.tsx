import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { useCurrentUser } from '@/session/session'
import { RightSidebar } from '@/ui/RightSidebar'

const HomeRail = lazy(async () => ({ default: (await import('./HomeSidebar')).HomeSidebar }))

/** Around screens that put nothing of their own beside them: what stands beside the home feed. A visitor has no such place. */
export default function HomeSidebarLayout() {
  const { isAuthenticated } = useCurrentUser()
  return (
    <>
      <Outlet />
      {isAuthenticated && (
        <RightSidebar>
          <Suspense>
            <HomeRail />
          </Suspense>
        </RightSidebar>
      )}
    </>
  )
}
