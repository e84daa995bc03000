import type { OwnUser } from '@contract/user.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/** What stands beside everything that somebody writes, and above their profile. */
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

/** How somebody is shown; what is left out stays as it is. */
type Card = Partial<Pick<OwnUser, (typeof cardFields)[number]>>

/**
 * The same data with a person's names and pictures replaced wherever that person stands in it: beside posts, in lists,
 * within pages. What holds nothing of them stays the very same.
 */
export function replaceUserCard<T>(data: T, personId: string, card: Card): T {
  // What is put together again has every field that it had.
  return replaced(data, personId, card) as T
}

function replaced(value: unknown, personId: string, card: Card): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, personId, card))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isPlain(value)) return value
  const changes: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const next = replaced(field, personId, card)
    if (next !== field) changes[name] = next
  }
  if (value.id === personId) {
    for (const [name, now] of Object.entries(card)) {
      if (name in value && value[name] !== now) changes[name] = now
    }
  }
  return Object.keys(changes).length > 0 ? { ...value, ...changes } : value
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Replaces a person's names and pictures in all that is cached. What was due to be read again stays due. */
export function updateCachedUserCard(client: QueryClient, personId: string, card: Card): void {
  for (const query of client.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, isInvalidated } = query.state
    const next: unknown = replaceUserCard(data, personId, card)
    if (next === data) continue
    query.setData(next, { updatedAt: dataUpdatedAt, manual: true })
    if (isInvalidated) query.invalidate()
  }
}

/**
 * Shows oneself everywhere as the own record says, once that has changed: another tab or device may have changed one's
 * name, picture or cover, or made one a creator.
 */
export function useSyncOwnUserCard(user: OwnUser | null): void {
  const client = useQueryClient()
  const shown = useRef<string>(undefined)
  useEffect(() => {
    const card = user && Object.fromEntries(cardFields.map((field) => [field, user[field]]))
    const now = JSON.stringify([user?.id, card])
    // What is cached with the first record is as new as that.
    if (user && card && shown.current && shown.current !== now) updateCachedUserCard(client, user.id, card)
    shown.current = now
  }, [client, user])
}
