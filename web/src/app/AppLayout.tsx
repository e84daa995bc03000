import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { PostSkeletons } from '@/features/posts/components/PostSkeletons'
import { removePrerenderedPage, useBrowserOnline } from '@/lib/browser'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { hasStoredSession, useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { CloudIllustration } from '@/ui/illustrations'
import { LogoLink } from '@/ui/Logo'
import { Card } from '@/ui/layout'
import { Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { useIsVisitor } from './routes/HomeRoute'
import { Columns, Main, TopBar, TopBarColumns } from './shell/ShellLayout'

const Shell = lazy(() => import('./shell/Shell'))

/** Always the same element, so that React renders the shell in short steps even if `AppLayout` updates meanwhile. */
const shell = (
  <Suspense fallback={<ShellSkeleton />}>
    <Shell />
  </Suspense>
)

/** Shows a screen inside the shell (signed-in users), below a simple header (visitors) or alone (landing page). */
export function AppLayout() {
  const { failed, isLoading, retry } = useCurrentUser()
  const isVisitor = useIsVisitor()
  const { pathname } = useLocation()
  // Stays true during a retry, until the server responds.
  const [checkFailed, setCheckFailed] = useState(failed)
  if (!isLoading && failed !== checkFailed) setCheckFailed(failed)
  // The prerendered landing page is still shown if the user signs in through another tab before the app's landing page
  // has loaded.
  useLayoutEffect(() => {
    if (checkFailed || !isVisitor) removePrerenderedPage()
  })
  if (checkFailed) return <SessionCheckFailed isRetrying={isLoading} onRetry={retry} />
  if (!isVisitor) return shell
  if (pathname === paths.home.path) return <Outlet />
  return <VisitorLayout />
}

/** Shows the shell's skeleton to signed-in users while the first screen's code loads, and nothing to visitors. */
export function AppLayoutFallback() {
  return hasStoredSession() ? <ShellSkeleton /> : null
}

/** Shown if the current user could not be fetched. The user stays signed in. */
function SessionCheckFailed({ isRetrying, onRetry }: { isRetrying: boolean; onRetry: () => void }) {
  useDocumentTitle()
  const browserOnline = useBrowserOnline()
  return (
    <Box
      as="main"
      id="main"
      tabIndex={-1}
      outline="none"
      minHeight="100dvh"
      display="grid"
      placeItems="center"
    >
      <div role="alert">
        <EmptyState
          as="h1"
          illustration={<CloudIllustration />}
          title={browserOnline ? t`We can't reach ${appName} right now` : t`You're offline`}
          text={
            browserOnline
              ? t`You're still signed in. This page loads as soon as the server responds.`
              : t`You're still signed in, and your unsent messages are kept. This page loads when you're back online.`
          }
          action={
            <Button variant="outline" pending={isRetrying} onClick={onRetry}>
              {t`Try again`}
            </Button>
          }
        />
      </div>
    </Box>
  )
}

/** Shows the outline of the shell while its code loads. */
function ShellSkeleton() {
  return (
    <>
      <TopBar>
        <TopBarColumns>
          <LogoLink />
          <Box hideBelow="md">
            <Skeleton height="target" borderRadius="full" />
          </Box>
          <Box display="flex" justifyContent="flex-end">
            <SkeletonCircle size="8" />
          </Box>
        </TopBarColumns>
      </TopBar>
      <Columns>
        <Box hideBelow="md" paddingTop="5" display="grid" gap="1" alignContent="start">
          {['first', 'second', 'third'].map((link) => (
            <Skeleton key={link} height="12" borderRadius="full" />
          ))}
        </Box>
        <Main>
          <Card>
            <PostSkeletons />
          </Card>
        </Main>
      </Columns>
    </>
  )
}

/** Shows a screen, such as a profile or post, below a header with the logo and links to sign in and register. */
function VisitorLayout() {
  const { pathname, search, hash } = useLocation()
  const currentUrl = `${pathname}${search}${hash}`
  return (
    <>
      <TopBar>
        <Box
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          gap="3"
          height="header"
          maxWidth="shell"
          marginInline="auto"
          paddingInline={{ base: '4', md: '6' }}
        >
          <Box flexShrink="0" css={{ '@media (max-width: 374px)': { '& svg + span': { display: 'none' } } }}>
            <LogoLink />
          </Box>
          <Box as="nav" aria-label={t`Account`} display="flex" minWidth="0" gap={{ base: '0', sm: '2' }}>
            <ButtonLink
              to={paths.login.getHref(currentUrl)}
              variant="ghost"
              paddingInline={{ base: '3', sm: '5' }}
            >
              {t`Sign In`}
            </ButtonLink>
            <ButtonLink
              to={paths.register.getHref(currentUrl)}
              variant="ember"
              paddingInline={{ base: '4', sm: '5' }}
              // In languages with longer words, the label wraps onto a second line on phones.
              whiteSpace={{ base: 'normal', sm: 'nowrap' }}
              lineHeight="1.2"
              textAlign="center"
              flexShrink="1"
              minWidth="0"
            >
              {t`Get Started Free`}
            </ButtonLink>
          </Box>
        </Box>
      </TopBar>
      <Box
        as="main"
        id="main"
        tabIndex={-1}
        outline="none"
        width="100%"
        maxWidth="feed"
        marginInline="auto"
        paddingBlock={{ base: '0', md: '6' }}
      >
        <Outlet />
      </Box>
    </>
  )
}
