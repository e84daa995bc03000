const storageKey = 'ovation:idle-sign-out'

/** Records, for the login page, that this tab was signed out after an idle timeout of `minutes`. */
export function storeIdleSignOut(minutes: number): void {
  try {
    sessionStorage.setItem(storageKey, String(minutes))
  } catch {
    // Storage is unavailable: the login page shows no reason.
  }
}

let idleMinutes: number | null = null

/**
 * Returns the idle timeout in minutes after which this tab was signed out, or null if it was not. Deletes the stored
 * value, but keeps returning it until the next page load, because changing the language remounts the login page.
 */
export function getIdleSignOut(): number | null {
  try {
    const stored = Number(sessionStorage.getItem(storageKey))
    sessionStorage.removeItem(storageKey)
    if (stored > 0) idleMinutes = stored
  } catch {
    // Storage is unavailable.
  }
  return idleMinutes
}
