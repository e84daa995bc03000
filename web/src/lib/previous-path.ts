let currentPath: string | null = null
let previousPath: string | null = null

/** Remembers the path of the screen, and the one before it. Must be called on the first screen and after each navigation. */
export function recordPath(path: string): void {
  if (path === currentPath) return
  previousPath = currentPath
  currentPath = path
}

/** Returns the path from which the user opened the current one, or null if it is the first one of this document. */
export const getPreviousPath = (): string | null => previousPath

/** The state of a link from a notification. It is kept in the history, so that a reload does not lose it. */
export const openedFromNotification = { from: 'notification' } as const

/** Returns whether the user opened the current page from a notification. */
export const isOpenedFromNotification = (): boolean =>
  window.history.state?.usr?.from === openedFromNotification.from
