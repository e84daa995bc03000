import type { OwnUser } from '@contract/user.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { pendingMutationCount } from '@/lib/query-cache'

/** The fields of a user's card, which appears in lists, beside everything that the user writes, and on the profile. */
const cardFields = [
  'displayName',
  'fullName',
  'firstName',
  'lastName',
  'username',
  'handle',
  'profileImageUrl',
  'backgroundImageUrl',
  'isCreator',
] as const satisfies (keyof OwnUser)[]

/** Changed fields of a card. Fields that are left out do not change. */
type CardChanges = Partial<Pick<OwnUser, (typeof cardFields)[number]>>

/** Updates every cached card of the viewer when `user` changes, for example in another tab or on another device. */
export function useSyncOwnUserCard(user: OwnUser | null): void {
  const client = useQueryClient()
  const previous = useRef<string>(undefined)
  useEffect(() => {
    const card = user && Object.fromEntries(cardFields.map((field) => [field, user[field]]))
    const current = JSON.stringify([user?.id, card])
    // Does nothing for the first `user`, because the data that is already cached is just as recent.
    if (user && card && previous.current && previous.current !== current) {
      updateCachedUserCard(client, user.id, card)
    }
    previous.current = current
  }, [client, user])
}

/** Updates every cached card of a user. Queries keep their age, and invalidated ones stay invalidated. */
export function updateCachedUserCard(client: QueryClient, userId: string, changes: CardChanges): void {
  for (const query of client.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, isInvalidated } = query.state
    const next: unknown = replaceUserCard(data, userId, changes)
    if (next === data) continue
    query.setData(next, { updatedAt: dataUpdatedAt, manual: true })
    // `setData` clears `isInvalidated`.
    if (isInvalidated) query.invalidate()
  }
}

/**
 * Returns data with a user's card updated wherever it occurs: in posts, in lists, within pages. Changes only fields
 * that the card already has. Objects and arrays in which nothing changes keep their identity.
 */
export function replaceUserCard<T>(data: T, userId: string, changes: CardChanges): T {
  // The copies have the same fields as the originals.
  return replaceInValue(data, userId, changes) as T
}

function replaceInValue(value: unknown, userId: string, changes: CardChanges): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceInValue(item, userId, changes))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isPlainObject(value)) return value
  const changedFields: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const next = replaceInValue(field, userId, changes)
    if (next !== field) changedFields[name] = next
  }
  if (value.id === userId) {
    for (const [name, next] of Object.entries(changes)) {
      if (name in value && value[name] !== next) changedFields[name] = next
    }
  }
  return Object.keys(changedFields).length > 0 ? { ...value, ...changedFields } : value
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** The scope of the mutations that change the user's own profile, which run one after the other. */
export const profileMutationScope = 'profile'

/**
 * Returns the number of changes to the user's own profile that have no response yet. Until the responses arrive, the
 * screen shows the new values, and older data must not replace them.
 */
export function pendingProfileChanges(client: QueryClient): number {
  return pendingMutationCount(client, profileMutationScope)
}
