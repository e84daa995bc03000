import { type UserStorage, userStorage } from '@/lib/storage'

const claimsKey = 'announced'
/** Claims that are remembered. */
const most = 100

/** Takes `what` unless it is taken; the latest claims come first. */
export function tryClaim(storage: Pick<UserStorage, 'get' | 'set'>, what: string): boolean {
  const taken = (storage.get(claimsKey) ?? '').split('\n').filter(Boolean)
  if (taken.includes(what)) return false
  storage.set(claimsKey, [what, ...taken].slice(0, most).join('\n'))
  return true
}

/** Answers true to one tab alone: whatever all of them hear is announced once. */
export async function claimAlert(userId: string, what: string): Promise<boolean> {
  const tryIt = () => tryClaim(userStorage(userId), what)
  if (!('locks' in navigator)) return tryIt()
  return navigator.locks.request(`ovation-announce:${userId}`, async () => tryIt())
}
