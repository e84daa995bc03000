import { useEffect } from 'react'
import { Outlet } from 'react-router-dom'
import { redirectToLogin } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Loading, Skeleton } from '@/ui/Skeleton'

/** Screens for signed-in people only: anybody else is told so and taken to the sign-in page. */
export function RequireUser() {
  const { isAuthenticated, isLoading, failed } = useCurrentUser()
  const refused = !isAuthenticated && !isLoading && !failed
  useEffect(() => {
    if (refused) redirectToLogin()
  }, [refused])
  if (isAuthenticated) return <Outlet />
  return (
    <Loading padding="4">
      <Skeleton height="8" width="40%" />
      <Skeleton height="24" marginTop="6" borderRadius="lg" />
    </Loading>
  )
}
