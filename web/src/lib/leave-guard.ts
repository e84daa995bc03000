import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { isPageExiting, markUnsaved } from './page-exit'

/** Blocks navigation away from a screen with unsaved changes until the user confirms. */
export interface LeaveGuard {
  /** A navigation is blocked: the screen shows a confirmation dialog. */
  isBlocked: boolean
  stay: () => void
  leave: () => void
}

/**
 * Asks for confirmation before the user leaves a screen with unsaved changes: with a dialog of the screen for navigation
 * within the app, with the browser's own dialog when the page is unloaded, and with the sign-out dialog. Does not block
 * changes of only the query string. Continues a blocked navigation once `unsaved` is false.
 */
export function useLeaveGuard(unsaved: boolean): LeaveGuard {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  const isBlocked = blocker.state === 'blocked'
  useEffect(() => {
    if (!unsaved) return
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      // The app leaves the page itself, for example because the session has expired.
      if (!isPageExiting()) event.preventDefault()
    }
    window.addEventListener('beforeunload', onBeforeUnload)
    const unmark = markUnsaved()
    return () => {
      window.removeEventListener('beforeunload', onBeforeUnload)
      unmark()
    }
  }, [unsaved])
  /** The blocked navigation that was continued. Continuing it twice would go back two steps. */
  const continued = useRef<typeof blocker>(undefined)
  const leave = () => {
    if (continued.current === blocker) return
    continued.current = blocker
    blocker.proceed?.()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `leave` changes with every render
  useEffect(() => {
    if (isBlocked && !unsaved) leave()
  }, [isBlocked, unsaved])
  return { isBlocked, stay: () => blocker.reset?.(), leave }
}
