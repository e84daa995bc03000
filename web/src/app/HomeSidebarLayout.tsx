import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { useCurrentUser } from '@/session/session'
import { RightSidebar } from '@/ui/RightSidebar'

const HomeSidebar = lazy(async () => ({ default: (await import('./HomeSidebar')).HomeSidebar }))

/** Shows the home feed's sidebar next to the child routes. The layout for visitors has no sidebar. */
export default function HomeSidebarLayout() {
  const { isAuthenticated } = useCurrentUser()
  return (
    <>
      <Outlet />
      {isAuthenticated && (
        <RightSidebar>
          <Suspense>
            <HomeSidebar />
          </Suspense>
        </RightSidebar>
      )}
    </>
  )
}
