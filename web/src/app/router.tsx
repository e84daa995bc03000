import { useEffect } from 'react'
import { createBrowserRouter, Outlet, type RouteObject } from 'react-router-dom'
import { isPrerenderedPageShown } from '@/lib/browser'
import { paths } from '@/lib/paths'
import { redirectToLogin } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { AppLayout, AppLayoutFallback } from './AppLayout'
import { NotFoundPage, RouteError } from './ErrorPages'
import { Root } from './Root'
import { HomeRoute } from './routes/HomeRoute'
import { wideLayout, wideLayoutWithNavigation, wideLayoutWithPanels } from './shell/ShellLayout'

/** Returns the route of a screen whose code is loaded on the first navigation to it. */
function screen(path: string, load: () => Promise<{ default: React.ComponentType }>): RouteObject {
  return { path, lazy: async () => ({ Component: (await load()).default }) }
}

/** Adds comments to screens that show posts. */
function withComments(...children: RouteObject[]): RouteObject {
  return { lazy: async () => ({ Component: (await import('./CommentsLayout')).default }), children }
}

/** Adds the home feed's sidebar to screens. */
function withHomeSidebar(...children: RouteObject[]): RouteObject {
  return { lazy: async () => ({ Component: (await import('./HomeSidebarLayout')).default }), children }
}

/** All routes. A screen or `RequireUser` decides what visitors see. */
const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <RouteError />,
    // The page stays empty until the code of its first screen has loaded.
    hydrateFallbackElement: <></>,
    children: [
      screen(paths.register.path, () => import('@/features/auth/pages/RegisterPage')),
      screen(paths.login.path, () => import('@/features/auth/pages/LoginPage')),
      screen(paths.forgotPassword.path, () => import('@/features/auth/pages/ForgotPasswordPage')),
      screen(paths.resetPassword.path, () => import('@/features/auth/pages/ResetPasswordPage')),
      screen(paths.confirmEmail.path, () => import('@/features/auth/pages/ConfirmEmailPage')),
      screen(paths.unsubscribe.path, () => import('@/features/auth/pages/UnsubscribePage')),
      screen(paths.terms.path, () => import('@/features/legal/pages/TermsPage')),
      screen(paths.privacy.path, () => import('@/features/legal/pages/PrivacyPage')),
      {
        element: <AppLayout />,
        hydrateFallbackElement: <AppLayoutFallback />,
        children: [
          {
            errorElement: <RouteError insideLayout />,
            children: [
              { path: paths.home.path, element: <HomeRoute /> },
              {
                ...screen(paths.messages.path, () => import('./routes/MessagesRoute')),
                handle: wideLayoutWithPanels,
              },
              withComments(
                screen(paths.profile.path, () => import('./routes/ProfileRoute')),
                screen(paths.post.path, () => import('./routes/PostRoute')),
                withHomeSidebar(screen(paths.topic.path, () => import('@/features/posts/pages/TopicPage'))),
              ),
              {
                element: <RequireUser />,
                children: [
                  withComments(
                    withHomeSidebar(
                      screen(paths.search.path, () => import('./routes/SearchRoute')),
                      screen(paths.saved.path, () => import('@/features/posts/pages/SavedPage')),
                    ),
                  ),
                  withHomeSidebar(
                    screen(paths.notifications.path, () => import('./routes/NotificationsRoute')),
                    screen(paths.safety.path, () => import('@/moderation/pages/SafetyPage')),
                    screen(paths.scheduled.path, () => import('@/features/posts/pages/ScheduledPostsPage')),
                    screen(paths.autoPosts.path, () => import('@/features/auto-posting/pages/AutoPostsPage')),
                  ),
                  {
                    ...screen(paths.discover.path, () => import('./routes/DiscoverRoute')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.creators.path, () => import('@/features/users/pages/CreatorsPage')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.following.path, () => import('@/features/users/pages/FollowingPage')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.followers.path, async () => ({
                      default: (await import('@/features/users/pages/FollowListPage')).FollowersPage,
                    })),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.followed.path, async () => ({
                      default: (await import('@/features/users/pages/FollowListPage')).FollowedUsersPage,
                    })),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.analytics.path, () => import('@/features/analytics/pages/AnalyticsPage')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.earnings.path, () => import('@/features/earnings/pages/EarningsPage')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.welcome.path, () => import('./routes/WelcomeRoute')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.settings.path, () => import('./routes/SettingsRoute')),
                    handle: wideLayoutWithNavigation,
                  },
                  {
                    ...screen(paths.admin.path, () => import('@/features/admin/pages/AdminPage')),
                    handle: wideLayout,
                  },
                ],
              },
              withHomeSidebar({ path: '*', element: <NotFoundPage /> }),
            ],
          },
        ],
      },
    ],
  },
]

export const router = createBrowserRouter(routes, {
  // Without this, the router would scroll to the top when it starts, although the visitor may already have scrolled.
  hydrationData: isPrerenderedPageShown() ? {} : undefined,
})

/** Shows its child routes to signed-in users and redirects everyone else to the login page. */
function RequireUser() {
  const { isAuthenticated, isLoading, failed } = useCurrentUser()
  const isSignedOut = !isAuthenticated && !isLoading && !failed
  useEffect(() => {
    if (isSignedOut) redirectToLogin()
  }, [isSignedOut])
  if (isAuthenticated) return <Outlet />
  return (
    <Loading padding="4">
      <Skeleton height="8" width="40%" />
      <Skeleton height="24" marginTop="6" borderRadius="lg" />
    </Loading>
  )
}
