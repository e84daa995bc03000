import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { useCurrentUser } from '@/lib/session'
import { Rail } from '@/ui/Rail'

const HomeRail = lazy(async () => ({ default: (await import('./HomeRail')).HomeRail }))

/** Around screens that put nothing of their own beside them: what stands beside the home feed. A visitor has no such place. */
export default function WithRail() {
  const { isAuthenticated } = useCurrentUser()
  return (
    <>
      <Outlet />
      {isAuthenticated && (
        <Rail>
          <Suspense>
            <HomeRail />
          </Suspense>
        </Rail>
      )}
    </>
  )
}
