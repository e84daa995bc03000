import { lazy, Suspense } from 'react'
import { Navigate } from 'react-router-dom'
import { FeedSkeleton } from '@/features/posts/components/PostSkeletons'
import { paths } from '@/lib/paths'
import { hasStoredSession, useCurrentUser } from '@/session/session'

const LandingPage = lazy(() => import('@/features/landing/pages/LandingPage'))

/** Loaded in parallel with the shell, so that React does not show the feed's skeleton first. */
const homeFeed =
  hasStoredSession() && window.location.pathname === paths.home.path ? import('./HomeFeed') : undefined
// Prevents an unhandled rejection. The lazy component still throws the error when it is rendered.
homeFeed?.catch(() => undefined)
const HomeFeed = lazy(() => homeFeed ?? import('./HomeFeed'))

/**
 * Returns whether to show the page as a visitor sees it. While the session is being checked, returns true only if the
 * browser has no session, so that the landing page never flashes for signed-in users.
 */
export function useIsVisitor(): boolean {
  const { isAuthenticated, isLoading, failed } = useCurrentUser()
  return !isAuthenticated && !failed && (!isLoading || !hasStoredSession())
}

/**
 * The ids of the users who have seen the welcome steps since the page was loaded. The home feed no longer redirects
 * them to these steps.
 */
export const welcomedUsers = new Set<string>()

/**
 * Shows the home feed to signed-in users and the landing page to visitors. New users see the welcome steps first,
 * unless their account is read-only: such an account can neither follow anyone nor change its profile.
 */
export function HomeRoute() {
  const isVisitor = useIsVisitor()
  const { user } = useCurrentUser()
  if (user && !user.onboarded && !user.readOnlyReason && !welcomedUsers.has(user.id)) {
    return <Navigate to={paths.welcome.getHref()} replace />
  }
  return (
    <Suspense fallback={isVisitor ? null : <FeedSkeleton />}>
      {isVisitor ? <LandingPage /> : <HomeFeed />}
    </Suspense>
  )
}
