import { useEffect, useEffectEvent, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { userStorage } from './storage'

/** Blocks navigation away from a screen with unsaved changes until the user confirms. */
export interface LeaveGuard {
  /** Whether a navigation is blocked. The screen then shows a confirmation dialog. */
  isBlocked: boolean
  stay: () => void
  leave: () => void
}

/**
 * Asks for confirmation before the user leaves a screen with unsaved changes. For navigation within the app, the screen
 * shows a dialog. The browser shows its own when the page is unloaded, and the sign-out dialog mentions the changes. A
 * change to the query string alone is not blocked. A blocked navigation continues once `unsaved` is false.
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
  useEffect(() => (unsaved ? guardUnload() : undefined), [unsaved])
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

/**
 * Makes the browser ask before the page is unloaded, and makes the sign-out dialog warn about unsaved changes. Does not
 * block navigation within the app, so it also suits work that continues while the user visits other screens. Returns a
 * function that removes the guard.
 */
export function guardUnload(): () => void {
  const onBeforeUnload = (event: BeforeUnloadEvent) => {
    // Does not ask if the app itself leaves the page, for example because the session has expired.
    if (!isPageExiting()) event.preventDefault()
  }
  window.addEventListener('beforeunload', onBeforeUnload)
  const unmark = markUnsaved()
  return () => {
    window.removeEventListener('beforeunload', onBeforeUnload)
    unmark()
  }
}

/** The storage key of the profile's unsaved changes. */
export const profileDraftKey = 'draft:profile'

/** One entry for each component with unsaved changes. */
const unsavedMarks = new Set<symbol>()

/** Makes the sign-out dialog warn about unsaved changes. Returns a function that cancels the warning. */
function markUnsaved(): () => void {
  const mark = Symbol('unsaved')
  unsavedMarks.add(mark)
  return () => void unsavedMarks.delete(mark)
}

/**
 * Returns whether signing out would lose unsaved changes: changes on this page, or changes to the profile from another
 * tab or an earlier visit.
 */
export function hasUnsavedChanges(userId: string): boolean {
  return unsavedMarks.size > 0 || userStorage(userId).get(profileDraftKey) !== null
}

let isExiting = false

/** Marks the page as about to be left, for example to sign out. From then on, failed requests show no errors. */
export function startPageExit(): void {
  isExiting = true
}

/** Reverts `startPageExit`. Called if the page is not left after all. */
export function cancelPageExit(): void {
  isExiting = false
}

/** Returns whether the page is about to be left. If it is, no toast or confirmation should appear. */
export function isPageExiting(): boolean {
  return isExiting
}

if (typeof window !== 'undefined') {
  window.addEventListener('pageshow', (event) => {
    // The browser restored the page from its back/forward cache.
    if (event.persisted) cancelPageExit()
  })
}
