import { screenAt } from './paths'

/** Screens that only lead to another one: for example, a visitor may have to sign in to see a shared post. */
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
/** Whether this document was loaded at a history entry other than the app's first, for example by a reload. */
let isReloaded = false

/**
 * Remembers the paths of the current screen and the one before it. Must be called on the first screen and after each
 * navigation. Skips `ignoredScreens`.
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

/** Returns the path in the app from which this document was opened, for example in a new tab, or null. */
function referrerPath(): string | null {
  if (!document.referrer) return null
  const { origin, pathname } = new URL(document.referrer)
  return origin === window.location.origin && !ignoredScreens.has(screenAt(pathname)) ? pathname : null
}

/** Returns the path from which the user opened the current one, or null if they came from outside or it is unknown. */
export const getPreviousPath = (): string | null => previousPath

/** Returns whether a reload may have lost the previous path. */
export const isPreviousPathLost = (): boolean => previousPath === null && isReloaded

/** The router state of links in notifications. The browser keeps it in the history, so it survives a reload. */
export const openedFromNotification = { from: 'notification' } as const

/** Returns whether the user opened the current page from a notification. */
export const isOpenedFromNotification = (): boolean =>
  window.history.state?.usr?.from === openedFromNotification.from
