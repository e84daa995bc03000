import { userStorage } from '@/lib/storage'

/** The warning appears this many milliseconds before the timeout. */
const warningMs = 60_000
/** Milliseconds between two checks. */
const checkIntervalMs = 20_000
/**
 * If a check comes this long after the previous one, the machine was asleep, so a playing video or background work does
 * not count as activity.
 */
const sleepThresholdMs = 90_000

type IdleState = 'active' | 'warning' | 'over'

/** Returns the idle state of a user who was last active at `lastActiveAt` and is signed out after `timeoutMs`. */
export function idleState(lastActiveAt: number, timeoutMs: number, now: number): IdleState {
  const leftMs = lastActiveAt + timeoutMs - now
  if (leftMs <= 0) return 'over'
  return leftMs <= warningMs ? 'warning' : 'active'
}

/** Does not include `scroll`, because a page can also scroll without user input when content arrives. */
const inputEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'touchmove'] as const

/** A playing video counts as activity. */
const isVideoPlaying = () =>
  [...document.querySelectorAll('video')].some((video) => !video.paused && !video.ended)

/**
 * Watches for user activity: input in any tab of the browser, a playing video, or background work such as an upload.
 * Calls `onChange` when the idle state changes. If the page is opened or wakes up more than `timeoutMs` after the last
 * activity, the state is `over` before any new input counts.
 *
 * @returns `stay`, which records activity even during the warning, when input in this tab does not count; and `stop`
 */
export function watchIdle(
  userId: string,
  timeoutMs: number,
  onChange: (state: IdleState) => void,
): { stay: () => void; stop: () => void } {
  let current: IdleState = 'active'
  let timer: ReturnType<typeof setTimeout> | undefined
  let checkedAt = Date.now()

  const check = () => {
    clearTimeout(timer)
    if (current === 'over') return
    const now = Date.now()
    const isWorking = isVideoPlaying() || now - backgroundWorkAt < checkIntervalMs * 2
    if (isWorking && now - checkedAt < sleepThresholdMs) recordActivity(userId, now)
    checkedAt = now
    const lastActiveAt = lastActivityAt(userId)
    // Count from now if nothing is stored yet. A stored time in the future, after the clock was set back, would
    // otherwise keep the user signed in.
    if (lastActiveAt === null || lastActiveAt > now + checkIntervalMs) recordActivity(userId, now)
    const state = idleState(Math.min(lastActiveAt ?? now, now), timeoutMs, now)
    if (state !== current) {
      current = state
      onChange(state)
    }
    if (state === 'over') return
    const nextChangeMs = (lastActiveAt ?? now) + timeoutMs - (state === 'warning' ? 0 : warningMs) - now
    timer = setTimeout(check, Math.min(checkIntervalMs, Math.max(nextChangeMs, 250)))
  }
  const stay = () => {
    check()
    if (current === 'over') return
    recordActivity(userId)
    check()
  }
  const onInput = () => {
    if (Date.now() - checkedAt > checkIntervalMs) check()
    // During the warning, moving the pointer toward its button must not count as activity.
    if (current === 'active') recordActivity(userId)
  }
  const onStorage = (event: StorageEvent) => {
    if (event.key === activityKey(userId)) check()
  }
  const onShow = () => {
    if (document.visibilityState === 'visible') check()
  }

  check()
  if (current === 'active') recordActivity(userId)
  for (const event of inputEvents) window.addEventListener(event, onInput, { passive: true, capture: true })
  window.addEventListener('storage', onStorage)
  window.addEventListener('pageshow', onShow)
  document.addEventListener('visibilitychange', onShow)
  return {
    stay,
    stop: () => {
      clearTimeout(timer)
      for (const event of inputEvents) window.removeEventListener(event, onInput, { capture: true })
      window.removeEventListener('storage', onStorage)
      window.removeEventListener('pageshow', onShow)
      document.removeEventListener('visibilitychange', onShow)
    },
  }
}

/** The storage name under which all tabs share the time of the last activity. */
const activityName = 'active-at'
/** Milliseconds between two writes of that time. */
const writeIntervalMs = 5000

/** The times recorded by this tab, by user id, for browsers that deny access to storage. */
const recordedActivity = new Map<string, number>()
let backgroundWorkAt = 0

/** Records that the user is active. */
export function recordActivity(userId: string, now = Date.now()): void {
  const before = lastActivityAt(userId) ?? 0
  if (now >= before && now - before < writeIntervalMs) return
  recordedActivity.set(userId, now)
  userStorage(userId).set(activityName, String(now))
}

/** Records background work in this tab, such as an upload, which counts as activity. */
export function recordBackgroundWork(now = Date.now()): void {
  backgroundWorkAt = now
}

/** Returns when the user was last active in any tab, in milliseconds since 1970, or null if that is unknown. */
function lastActivityAt(userId: string): number | null {
  const stored = Number(userStorage(userId).get(activityName) ?? Number.NaN)
  return Number.isNaN(stored) ? (recordedActivity.get(userId) ?? null) : stored
}

function activityKey(userId: string): string {
  return userStorage(userId).key(activityName)
}
