import { createBrowserRouter, type RouteObject } from 'react-router-dom'
import { paths } from '@/paths'
import { Frame, FrameOnItsWay } from './Frame'
import { HomeSwitch } from './HomeSwitch'
import { NotFoundPage } from './NotFoundPage'
import { RequireUser } from './RequireUser'
import { Root } from './Root'
import { RouteError } from './RouteError'
import { wideScreen } from './shell/wide'

/** A screen in its own file, fetched when somebody goes there. */
function screen(path: string, load: () => Promise<{ default: React.ComponentType }>): RouteObject {
  return { path, lazy: async () => ({ Component: (await load()).default }) }
}

/** Screens that show posts, with what is said about them. */
function talkedAbout(...children: RouteObject[]): RouteObject {
  return { lazy: async () => ({ Component: (await import('./WithComments')).default }), children }
}

/** Screens with the home feed's rail beside them. */
function besideRail(...children: RouteObject[]): RouteObject {
  return { lazy: async () => ({ Component: (await import('./WithRail')).default }), children }
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
      screen(paths.terms.path, () => import('@/features/legal/TermsPage')),
      screen(paths.privacy.path, () => import('@/features/legal/PrivacyPage')),
      {
        element: <Frame />,
        hydrateFallbackElement: <FrameOnItsWay />,
        children: [
          {
            errorElement: <RouteError inside />,
            children: [
              { path: paths.home.path, element: <HomeSwitch /> },
              screen(paths.messages.path, () => import('@/features/messages/pages/MessagesPage')),
              talkedAbout(
                screen(paths.profile.path, () => import('./ProfileScreen')),
                besideRail(
                  screen(paths.post.path, () => import('@/features/posts/pages/PostPage')),
                  screen(paths.topic.path, () => import('@/features/posts/pages/TopicPage')),
                ),
              ),
              {
                element: <RequireUser />,
                children: [
                  talkedAbout(
                    screen(paths.discover.path, () => import('./DiscoverScreen')),
                    besideRail(screen(paths.saved.path, () => import('@/features/posts/pages/SavedPage'))),
                  ),
                  {
                    ...screen(paths.creators.path, () => import('@/features/profiles/pages/CreatorsPage')),
                    handle: wideScreen,
                  },
                  {
                    ...screen(paths.following.path, () => import('@/features/profiles/pages/FollowingPage')),
                    handle: wideScreen,
                  },
                  {
                    ...screen(paths.followers.path, () => import('@/features/profiles/pages/FollowersPage')),
                    handle: wideScreen,
                  },
                  {
                    ...screen(paths.followed.path, () => import('@/features/profiles/pages/FollowedPage')),
                    handle: wideScreen,
                  },
                  screen(paths.search.path, () => import('./SearchScreen')),
                  {
                    ...screen(paths.analytics.path, () => import('@/features/analytics/pages/AnalyticsPage')),
                    handle: wideScreen,
                  },
                  {
                    ...screen(paths.earnings.path, () => import('@/features/earnings/pages/EarningsPage')),
                    handle: wideScreen,
                  },
                  screen(
                    paths.notifications.path,
                    () => import('@/features/notifications/pages/NotificationsPage'),
                  ),
                  screen(paths.safety.path, () => import('@/features/safety/SafetyPage')),
                  screen(paths.settings.path, () => import('./SettingsScreen')),
                  screen(paths.autoPosts.path, () => import('@/features/auto-posts/pages/AutoPostsPage')),
                  {
                    ...screen(paths.admin.path, () => import('@/features/admin/pages/AdminPage')),
                    handle: wideScreen,
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
