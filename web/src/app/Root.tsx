import { Box } from '@chakra-ui/react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom'
import { removePrerenderedPage } from '@/lib/browser'
import { isIndexable, paths } from '@/lib/paths'
import { recordPath } from '@/lib/previous-path'
import { storedSession } from '@/session/cookie'
import { watchSignIns } from '@/session/session'
import { SkipLink, VisuallyHidden } from '@/ui/layout'
import { showFlashToast } from '@/ui/toaster'

/** Adds what all screens share, such as the skip link, scroll restoration and announcements for screen readers. */
export function Root() {
  useEffect(watchSignIns, [])
  useEffect(showFlashToast, [])
  const { pathname } = useLocation()
  // The prerendered landing page is still shown if the user goes back or forward before the app's landing page has
  // loaded.
  useLayoutEffect(() => {
    recordPath(pathname)
    if (pathname !== paths.home.path) removePrerenderedPage()
  }, [pathname])
  return (
    <>
      <SkipLink />
      <NavigationProgress />
      <Outlet />
      <ScrollRestoration getKey={scrollKey} />
      <ScrollToTopOnCurrentLink />
      <RouteAnnouncer />
      <NoIndexTag />
    </>
  )
}

const titleDelayMs = 50

/**
 * After a navigation, moves the focus to the content and announces the title, as the browser does for a new document.
 * Does nothing on the first screen or if only the query has changed.
 */
function RouteAnnouncer() {
  const { pathname } = useLocation()
  const lastPathname = useRef(pathname)
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    // The new screen sets its title after this effect.
    const timer = setTimeout(() => {
      setTitle(document.title)
      const active = document.activeElement
      // The user may already have opened a dialog or panel, which would close if it lost focus.
      if (active?.closest('#main, [role=dialog][data-state=open]')) return
      document.getElementById('main')?.focus({ preventScroll: true })
    }, titleDelayMs)
    return () => clearTimeout(timer)
  }, [pathname])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {title}
    </VisuallyHidden>
  )
}

/** Shows a thin line while a screen's code loads, if that takes more than 150 ms. */
function NavigationProgress() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <Box
      aria-hidden
      position="fixed"
      top="0"
      insetInline="0"
      height="3px"
      zIndex="toast"
      bg="ember.ring"
      transformOrigin="left"
      animation="advance 2s {easings.out} 150ms both"
    />
  )
}

/** Screens whose scroll position is restored on every navigation to them, even through a link. */
const restoredScreens: string[] = [paths.home.path, paths.discover.path]

/** Screens with static content, which have their full height immediately. */
const staticScreens: string[] = [paths.terms.path, paths.privacy.path]

/** Distinguishes this document from earlier ones in the same tab. */
const documentId = String(performance.timeOrigin)

/**
 * Returns the key under which a scroll position is stored. On the restored screens, it contains the user's id, so that
 * two users of the same browser, or a visitor and a user, do not share positions. Except on static screens, it contains
 * the document's id, because right after a reload a list is still too short to scroll to its earlier position.
 */
function scrollKey({ pathname, key }: Location): string {
  const userId = restoredScreens.includes(pathname) ? storedSession()?.userId : undefined
  if (userId) return `${documentId} ${userId} ${pathname}`
  return staticScreens.includes(pathname) ? key : `${documentId} ${key}`
}

/** Scrolls one of the `restoredScreens` to the top when the user clicks a link to it while it is already open. */
function ScrollToTopOnCurrentLink() {
  const location = useLocation()
  const lastLocation = useRef(location)
  useLayoutEffect(() => {
    const before = lastLocation.current
    lastLocation.current = location
    if (before.key === location.key || before.pathname !== location.pathname) return
    if (before.search === location.search && restoredScreens.includes(location.pathname))
      window.scrollTo({ top: 0 })
  }, [location])
  return null
}

/** The document's path if the server sent a link preview with it. Search engines may index such a document. */
const previewedPath = document.querySelector('link[rel=canonical]') ? window.location.pathname : null

/**
 * Excludes a screen from search engines unless it is indexable or has a link preview. The stack's gateway and the
 * `pages` function also do this with a header, but other web hosts might not.
 */
function NoIndexTag() {
  const { pathname } = useLocation()
  const isPreviewed = pathname === previewedPath
  useEffect(() => {
    if (isPreviewed) return
    // The link preview describes an earlier screen. Browsers would share that screen's canonical URL instead of the
    // current URL.
    for (const tag of document.querySelectorAll('link[rel=canonical], script[type="application/ld+json"]'))
      tag.remove()
  }, [isPreviewed])
  return isPreviewed || isIndexable(pathname) ? null : <meta name="robots" content="noindex" />
}
