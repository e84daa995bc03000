import { lazy, Suspense } from 'react'
import { FeedSkeleton } from '@/features/posts/components/FeedSkeleton'
import { hasStoredSession, useCurrentUser } from '@/session/session'

const LandingPage = lazy(() => import('@/features/landing/pages/LandingPage'))
const HomeFeed = lazy(() => import('./HomeFeed'))

/**
 * `/` is the feed for who is signed in and the landing page for everybody else. While that is not known, the
 * landing page shows only where the browser holds no session: somebody signed in never sees it flash by.
 */
export function useIsVisitor(): boolean {
  const { isAuthenticated, isLoading, failed } = useCurrentUser()
  return !isAuthenticated && !failed && (!isLoading || !hasStoredSession())
}

export function HomeRoute() {
  const visitor = useIsVisitor()
  return (
    <Suspense fallback={visitor ? null : <FeedSkeleton />}>
      {visitor ? <LandingPage /> : <HomeFeed />}
    </Suspense>
  )
}
