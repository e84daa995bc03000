import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useEffect, useLayoutEffect } from 'react'
import { useRouteError } from 'react-router-dom'
import { reachability } from '@/lib/api'
import { removePrerenderedPage, useBrowserOnline } from '@/lib/browser'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { CloudIllustration, CurtainIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'

/** Returns whether an error means that a screen's code could not be loaded. The message depends on the browser. */
const isLoadError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed/i.test(error.message)

/** Shown if a screen throws an error, or if its code cannot be loaded, for example after a deployment. */
export function RouteError({ insideLayout = false }: { insideLayout?: boolean }) {
  const error = useRouteError()
  const isNotLoaded = isLoadError(error)
  const isOffline = !useBrowserOnline() && isNotLoaded
  // If the landing page's code could not be loaded, its prerendered version stays, because it still works.
  useLayoutEffect(() => {
    if (!isNotLoaded) removePrerenderedPage()
  }, [isNotLoaded])
  useEffect(() => {
    console.error(error)
  }, [error])
  // Most browsers do not retry a failed import until the page is reloaded. Reloads the page when the server can be
  // reached again, unless a dialog is open, because a reload would close it.
  useEffect(() => {
    if (!isNotLoaded) return
    return reachability.subscribe((now, before) => {
      const isDialogOpen = document.querySelector('[role=dialog], [role=alertdialog]') !== null
      if (now.reachable && !before.reachable && !isDialogOpen) window.location.reload()
    })
  }, [isNotLoaded])
  const message = (
    <EmptyState
      as="h1"
      illustration={<CloudIllustration />}
      title={isOffline ? t`You're offline` : t`Something went wrong`}
      text={
        isOffline
          ? t`This page isn't stored on your device. It loads when you're back online.`
          : t`We couldn't load this page. Check your connection and try again.`
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
