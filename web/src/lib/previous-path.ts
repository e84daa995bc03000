import { screenAt } from './paths'

/** Screens on the way to another one, such as a shared post that a visitor has to sign in to see. */
const ignoredScreens = new Set<string | null>([
  'login',
  'register',
  'forgotPassword',
  'resetPassword',
  'confirmEmail',
  'welcome',
])

/** Undefined before the first screen. */
let currentPath: string | null | undefined
let previousPath: string | null = null
/** Whether this document replaced an earlier one at a later entry of the history, for example after a reload. */
let isReloaded = false

/**
 * Remembers the path of the screen, and the one before it. Must be called on the first screen and after each
 * navigation. Ignores the screens for signing in.
 */
export function recordPath(path: string): void {
  if (currentPath === undefined) {
    isReloaded = window.history.state?.idx > 0
    currentPath = isReloaded ? null : referrerPath()
  }
  if (path === currentPath || ignoredScreens.has(screenAt(path))) return
  previousPath = currentPath
  currentPath = path
}

/** Returns the path of the app from which this document was opened, for example in a new tab, or null. */
function referrerPath(): string | null {
  if (!document.referrer) return null
  const { origin, pathname } = new URL(document.referrer)
  return origin === window.location.origin && !ignoredScreens.has(screenAt(pathname)) ? pathname : null
}

/** Returns the path from which the user opened the current one, or null if it was outside the app or is not known. */
export const getPreviousPath = (): string | null => previousPath

/** Returns whether a reload may have lost the previous path. */
export const isPreviousPathLost = (): boolean => previousPath === null && isReloaded

/** The state of a link from a notification. It is kept in the history, so that a reload does not lose it. */
export const openedFromNotification = { from: 'notification' } as const

/** Returns whether the user opened the current page from a notification. */
export const isOpenedFromNotification = (): boolean =>
  window.history.state?.usr?.from === openedFromNotification.from
