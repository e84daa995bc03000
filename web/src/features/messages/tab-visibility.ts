const visibilityLockName = 'ovation-in-sight'

/** True where the browser can tell tabs apart: only pages served over https or from this machine. */
const hasLocks = () => 'locks' in navigator

/**
 * Lets the site's other tabs know while somebody can see this one: by a lock, which the browser itself takes back
 * from a tab that is closed or crashes. Returns how to stop.
 */
export function announceTabVisibility(): () => void {
  let letGo: (() => void) | undefined
  const update = () => {
    const visible = document.visibilityState === 'visible'
    if (visible && !letGo && hasLocks()) {
      const seen = new Promise<void>((resolve) => {
        letGo = resolve
      })
      void navigator.locks.request(visibilityLockName, { mode: 'shared' }, () => seen)
    }
    if (!visible) {
      letGo?.()
      letGo = undefined
    }
  }
  update()
  document.addEventListener('visibilitychange', update)
  return () => {
    document.removeEventListener('visibilitychange', update)
    letGo?.()
  }
}

/** True while somebody can see any tab of the site; where the browser cannot tell, this one. */
export async function isAnyTabVisible(): Promise<boolean> {
  if (document.visibilityState === 'visible') return true
  if (!hasLocks()) return false
  const { held } = await navigator.locks.query()
  return held?.some((lock) => lock.name === visibilityLockName) ?? false
}
