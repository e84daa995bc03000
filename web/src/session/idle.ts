import { activityKey, lastActivityAt, lastBackgroundWorkAt, recordActivity } from './activity'

/** Milliseconds before the end in which somebody is warned. */
const warningFor = 60_000
/** Milliseconds between two looks at the clock. */
const lookEvery = 20_000
/** A look that comes so much later than the one before comes after a sleep, through which nobody watched anything. */
const slept = 90_000

/** How it stands: being used, about to end, or over. */
export type IdleState = 'active' | 'warning' | 'over'

/** How it stands with somebody who was last there at `last`, and may be away for `limit` milliseconds. */
export function idleState(last: number, limit: number, now: number): IdleState {
  const left = last + limit - now
  if (left <= 0) return 'over'
  return left <= warningFor ? 'warning' : 'active'
}

/** Not scrolling itself: a page scrolls by itself, too, where something arrives. */
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'touchmove'] as const

/** A video that plays is being watched. */
const isWatching = () =>
  [...document.querySelectorAll('video')].some((video) => !video.paused && !video.ended)

/**
 * Watches for signs of a person in this browser: keys, pointers and wheels in any of its tabs, a video that plays, an
 * upload under way. `tell` hears whenever it stands otherwise than before. A page that is opened, or wakes up, later than
 * `limit` milliseconds after the last sign is over before anything counts as a new one.
 *
 * @returns `stay`, a sign by itself, which alone counts in this tab while it is about to end; and how to stop
 */
export function watchIdle(
  userId: string,
  limit: number,
  tell: (state: IdleState) => void,
): { stay: () => void; stop: () => void } {
  let shown: IdleState = 'active'
  let timer: ReturnType<typeof setTimeout> | undefined
  let lookedAt = Date.now()

  const look = () => {
    clearTimeout(timer)
    if (shown === 'over') return
    const now = Date.now()
    const goesOn = isWatching() || now - lastBackgroundWorkAt() < lookEvery * 2
    if (goesOn && now - lookedAt < slept) recordActivity(userId, now)
    lookedAt = now
    const last = lastActivityAt(userId)
    // A browser that knows nothing yet begins now; a clock that was set back does not keep anybody in for ever.
    if (last === null || last > now + lookEvery) recordActivity(userId, now)
    const state = idleState(Math.min(last ?? now, now), limit, now)
    if (state !== shown) {
      shown = state
      tell(state)
    }
    if (state === 'over') return
    const next = (last ?? now) + limit - (state === 'warning' ? 0 : warningFor) - now
    timer = setTimeout(look, Math.min(lookEvery, Math.max(next, 250)))
  }
  const stay = () => {
    look()
    if (shown === 'over') return
    recordActivity(userId)
    look()
  }
  const sign = () => {
    if (Date.now() - lookedAt > lookEvery) look()
    // A hand on its way to the button that says so is no answer yet.
    if (shown === 'active') recordActivity(userId)
  }
  const hear = (event: StorageEvent) => {
    if (event.key === activityKey(userId)) look()
  }
  const wake = () => {
    if (document.visibilityState === 'visible') look()
  }

  look()
  if (shown === 'active') recordActivity(userId)
  for (const one of signs) window.addEventListener(one, sign, { passive: true, capture: true })
  window.addEventListener('storage', hear)
  window.addEventListener('pageshow', wake)
  document.addEventListener('visibilitychange', wake)
  return {
    stay,
    stop: () => {
      clearTimeout(timer)
      for (const one of signs) window.removeEventListener(one, sign, { capture: true })
      window.removeEventListener('storage', hear)
      window.removeEventListener('pageshow', wake)
      document.removeEventListener('visibilitychange', wake)
    },
  }
}
