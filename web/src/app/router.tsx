import { createBrowserRouter, type RouteObject } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { AppLayout, AppLayoutFallback } from './AppLayout'
import { RouteError } from './ErrorPages'
import { NotFoundPage } from './NotFoundPage'
import { RequireUser } from './RequireUser'
import { Root } from './Root'
import { HomeRoute } from './routes/HomeRoute'
import { wideLayout } from './shell/wide-layout'

/** A screen in its own file, fetched when somebody goes there. */
function screen(path: string, load: () => Promise<{ default: React.ComponentType }>): RouteObject {
  return { path, lazy: async () => ({ Component: (await load()).default }) }
}

/** Screens that show posts, with what is said about them. */
function talkedAbout(...children: RouteObject[]): RouteObject {
  return { lazy: async () => ({ Component: (await import('./CommentsLayout')).default }), children }
}

/** Screens with the home feed's rail beside them. */
function besideRail(...children: RouteObject[]): RouteObject {
  return { lazy: async () => ({ Component: (await import('./HomeSidebarLayout')).default }), children }
}

/** Every route is registered for everybody; what a visitor gets is decided by the screen or by its guard. */
export const router = createBrowserRouter([
  {
    element: <Root />,
    errorElement: <RouteError />,
    // The page stays empty until its first screen is there.
    hydrateFallbackElement: <></>,
    children: [
      screen(paths.register.path, () => import('@/features/auth/pages/RegisterPage')),
      screen(paths.login.path, () => import('@/features/auth/pages/LoginPage')),
      screen(paths.forgotPassword.path, () => import('@/features/auth/pages/ForgotPasswordPage')),
      screen(paths.resetPassword.path, () => import('@/features/auth/pages/ResetPasswordPage')),
      screen(paths.confirmEmail.path, () => import('@/features/auth/pages/ConfirmEmailPage')),
      screen(paths.terms.path, () => import('@/features/legal/pages/TermsPage')),
      screen(paths.privacy.path, () => import('@/features/legal/pages/PrivacyPage')),
      {
        element: <AppLayout />,
        hydrateFallbackElement: <AppLayoutFallback />,
        children: [
          {
            errorElement: <RouteError inside />,
            children: [
              { path: paths.home.path, element: <HomeRoute /> },
              screen(paths.messages.path, () => import('@/features/messages/pages/MessagesPage')),
              talkedAbout(
                screen(paths.profile.path, () => import('./routes/ProfileRoute')),
                besideRail(
                  screen(paths.post.path, () => import('@/features/posts/pages/PostPage')),
                  screen(paths.topic.path, () => import('@/features/posts/pages/TopicPage')),
                ),
              ),
              {
                element: <RequireUser />,
                children: [
                  talkedAbout(
                    screen(paths.discover.path, () => import('./routes/DiscoverRoute')),
                    besideRail(screen(paths.saved.path, () => import('@/features/posts/pages/SavedPage'))),
                  ),
                  {
                    ...screen(paths.creators.path, () => import('@/features/users/pages/CreatorsPage')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.following.path, () => import('@/features/users/pages/FollowingPage')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.followers.path, () => import('@/features/users/pages/FollowersPage')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.followed.path, () => import('@/features/users/pages/FollowedUsersPage')),
                    handle: wideLayout,
                  },
                  screen(paths.search.path, () => import('./routes/SearchRoute')),
                  {
                    ...screen(paths.analytics.path, () => import('@/features/analytics/pages/AnalyticsPage')),
                    handle: wideLayout,
                  },
                  {
                    ...screen(paths.earnings.path, () => import('@/features/earnings/pages/EarningsPage')),
                    handle: wideLayout,
                  },
                  screen(
                    paths.notifications.path,
                    () => import('@/features/notifications/pages/NotificationsPage'),
                  ),
                  screen(paths.safety.path, () => import('@/moderation/pages/SafetyPage')),
                  screen(paths.settings.path, () => import('./routes/SettingsRoute')),
                  screen(paths.autoPosts.path, () => import('@/features/auto-posting/pages/AutoPostsPage')),
                  {
                    ...screen(paths.admin.path, () => import('@/features/admin/pages/AdminPage')),
                    handle: wideLayout,
                  },
                ],
              },
              { path: '*', element: <NotFoundPage /> },
            ],
          },
        ],
      },
    ],
  },
])
