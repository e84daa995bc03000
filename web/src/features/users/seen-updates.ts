import { fieldsOf, parseJson } from '@/lib/json'
import { userStorage } from '@/lib/storage'

const storageName = 'seen-updates'
/** `GET /api/user/creator-updates` lists no older posts, so older times need not be kept. */
const maxAgeMs = 14 * 24 * 60 * 60_000

/**
 * Returns when the user last opened each creator's profile or newest post in this browser, as milliseconds since 1970,
 * keyed by creator id.
 */
export function readSeenUpdates(userId: string, now = Date.now()): Map<string, number> {
  const stored = Object.entries(fieldsOf(parseJson(userStorage(userId).get(storageName))))
  return new Map(
    stored.flatMap(([id, time]) => (typeof time === 'number' && now - time < maxAgeMs ? [[id, time]] : [])),
  )
}

/** Records that the user has opened a creator's profile or newest post, so that the post no longer counts as new. */
export function markUpdatesSeen(userId: string, creatorId: string, now = Date.now()): void {
  const seen = readSeenUpdates(userId, now).set(creatorId, now)
  userStorage(userId).set(storageName, JSON.stringify(Object.fromEntries(seen)))
}
