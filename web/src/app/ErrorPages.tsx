import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useRouteError } from 'react-router-dom'
import { reachability } from '@/lib/api'
import { useBrowserOnline } from '@/lib/browser'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { CloudIllustration, CurtainIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'

/** Shown if a screen throws an error, or if its code cannot be loaded, for example after a deployment. */
export function RouteError({ insideLayout = false }: { insideLayout?: boolean }) {
  const error = useRouteError()
  const browserOnline = useBrowserOnline()
  useEffect(() => {
    console.error(error)
  }, [error])
  // If the code of the screen could not be loaded, most browsers try again only after a reload.
  useEffect(
    () =>
      reachability.subscribe((now, before) => {
        if (now.reachable && !before.reachable) window.location.reload()
      }),
    [],
  )
  const message = (
    <EmptyState
      as="h1"
      illustration={<CloudIllustration />}
      title={browserOnline ? t`Something went wrong` : t`You're offline`}
      text={
        browserOnline
          ? t`We couldn't load this page. Check your connection and try again.`
          : t`This page isn't stored on your device. It loads when you're back online.`
      }
      action={
        <Button variant="ember" onClick={() => window.location.reload()}>
          {t`Try again`}
        </Button>
      }
    />
  )
  if (insideLayout) return message
  return (
    <Box as="main" id="main" minHeight="100dvh" display="grid" placeItems="center">
      {message}
    </Box>
  )
}

export function NotFoundPage() {
  useDocumentTitle(t`404 Page Not Found`)
  return (
    <EmptyState
      as="h1"
      illustration={<CurtainIllustration />}
      title={t`404 Page Not Found`}
      text={t`Did you forget to add the page to the router?`}
      action={
        <ButtonLink to={paths.home.getHref()} variant="ember">
          {t`Back to home`}
        </ButtonLink>
      }
    />
  )
}
