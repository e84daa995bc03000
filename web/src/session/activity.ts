import { userStorage } from '@/lib/storage'

/** When somebody last gave a sign of being there, shared by the tabs of a browser. */
const name = 'active-at'
/** Milliseconds between two notes. */
const every = 5000

/** What this tab noted last, for browsers that keep nothing. */
const noted = new Map<string, number>()
let workedAt = 0

/** The person is there. */
export function recordActivity(userId: string, now = Date.now()): void {
  const before = lastActivityAt(userId) ?? 0
  if (now >= before && now - before < every) return
  noted.set(userId, now)
  userStorage(userId).set(name, String(now))
}

/** When the person last was, in milliseconds since 1970, in any tab of this browser; null where nothing is known. */
export function lastActivityAt(userId: string): number | null {
  const kept = Number(userStorage(userId).get(name) ?? Number.NaN)
  return Number.isNaN(kept) ? (noted.get(userId) ?? null) : kept
}

/** The key under which the browser's tabs share it. */
export const activityKey = (userId: string): string => userStorage(userId).key(name)

/** Something of the person's goes on, such as an upload: as good as a sign of them. */
export function recordBackgroundWork(now = Date.now()): void {
  workedAt = now
}

/** When work last went on in this tab, in milliseconds since 1970. */
export const lastBackgroundWorkAt = (): number => workedAt
