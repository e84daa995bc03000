import { useEffect, useEffectEvent, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { userStorage } from './storage'

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
 *
 * @param keepsChanges returns whether the changes survive a navigation to the path
 */
export function useLeaveGuard(
  unsaved: boolean,
  keepsChanges: (pathname: string) => boolean = () => false,
): LeaveGuard {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation: { pathname } }) =>
      unsaved && currentLocation.pathname !== pathname && !keepsChanges(pathname),
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
  const onSaved = useEffectEvent(leave)
  useEffect(() => {
    if (isBlocked && !unsaved) onSaved()
  }, [isBlocked, unsaved])
  return { isBlocked, stay: () => blocker.reset?.(), leave }
}

/** The storage key of the profile's unsaved changes. */
export const profileDraftKey = 'draft:profile'

/** One entry for each component with unsaved changes. */
const unsavedMarks = new Set<symbol>()

/** Makes the sign-out dialog warn about unsaved changes. Returns a function that removes the mark. */
function markUnsaved(): () => void {
  const mark = Symbol('unsaved')
  unsavedMarks.add(mark)
  return () => void unsavedMarks.delete(mark)
}

/**
 * Returns whether signing out would lose unsaved changes: on this page, or changes of the profile in another tab or from
 * an earlier visit.
 */
export function hasUnsavedChanges(userId: string): boolean {
  return unsavedMarks.size > 0 || userStorage(userId).get(profileDraftKey) !== null
}

let isExiting = false

/** Marks the page as about to be left, for example to sign out. From then on, failed requests show no errors. */
export function startPageExit(): void {
  isExiting = true
}

/** Reverts `startPageExit`, because the page is not left after all. */
export function cancelPageExit(): void {
  isExiting = false
}

/** Returns whether the page is about to be left, so that no toast or question should appear. */
export function isPageExiting(): boolean {
  return isExiting
}

if (typeof window !== 'undefined') {
  window.addEventListener('pageshow', (event) => {
    // The browser restored the page from its back/forward cache.
    if (event.persisted) cancelPageExit()
  })
}
