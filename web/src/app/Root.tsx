import { Box, chakra } from '@chakra-ui/react'
import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router-dom'
import { watchSignIns } from '@/session/session'
import { showFlashToast } from '@/ui/flash-toast'
import { VisuallyHidden } from '@/ui/layout'
import { NoIndexTag } from './NoIndexTag'
import { ScrollManager } from './ScrollManager'

const SkipLink = chakra('a', {
  base: {
    position: 'fixed',
    top: '2',
    insetStart: '2',
    zIndex: 'skipLink',
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: 'target',
    paddingInline: '5',
    borderRadius: 'full',
    bg: 'inverse',
    color: 'onInverse',
    fontWeight: 'semibold',
    opacity: 0,
    pointerEvents: 'none',
    _focus: { opacity: 1, pointerEvents: 'auto' },
  },
})

/** What every screen has: the way past the navigation, scroll positions, and word of where one has come to. */
export function Root() {
  useEffect(watchSignIns, [])
  useEffect(showFlashToast, [])
  return (
    <>
      <SkipLink href="#main">Skip to content</SkipLink>
      <ProgressLine />
      <Outlet />
      <ScrollManager />
      <RouteAnnouncer />
      <NoIndexTag />
    </>
  )
}

/**
 * After a change of screen the focus goes to its content and its title is read out, as a browser does between
 * documents. Not on the first screen, and not where only the query changed.
 */
function RouteAnnouncer() {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    // The screen sets its title when it renders, after this effect.
    const timer = setTimeout(() => {
      setTitle(document.title)
      const active = document.activeElement
      if (active && active !== document.body && active.closest('#main')) return
      document.getElementById('main')?.focus({ preventScroll: true })
    }, 50)
    return () => clearTimeout(timer)
  }, [pathname])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {title}
    </VisuallyHidden>
  )
}

/** A thin line while a screen's code is on its way, if that takes longer than a moment. */
function ProgressLine() {
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
