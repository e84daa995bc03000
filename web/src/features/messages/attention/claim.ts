import { type UserStorage, userStorage } from '@/lib/userStorage'

const name = 'announced'
/** Claims that are remembered. */
const most = 100

/** Takes `what` unless it is taken; the latest claims come first. */
export function take(storage: Pick<UserStorage, 'get' | 'set'>, what: string): boolean {
  const taken = (storage.get(name) ?? '').split('\n').filter(Boolean)
  if (taken.includes(what)) return false
  storage.set(name, [what, ...taken].slice(0, most).join('\n'))
  return true
}

/** Answers true to one tab alone: whatever all of them hear is announced once. */
export async function claim(userId: string, what: string): Promise<boolean> {
  const tryIt = () => take(userStorage(userId), what)
  if (!('locks' in navigator)) return tryIt()
  return navigator.locks.request(`ovation-announce:${userId}`, async () => tryIt())
}
