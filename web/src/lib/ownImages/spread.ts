import type { OwnUser } from '@contract/user.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/** The addresses of somebody's pictures; what is left out stays as it is. */
export type Pictures = { profileImageUrl?: string | null; backgroundImageUrl?: string | null }

/**
 * The same data with a person's pictures replaced wherever that person stands in it: beside posts, in lists, within
 * pages. What holds nothing of them stays the very same.
 */
export function withPictures<T>(data: T, personId: string, pictures: Pictures): T {
  // What is put together again has every field that it had.
  return replaced(data, personId, pictures) as T
}

function replaced(value: unknown, personId: string, pictures: Pictures): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, personId, pictures))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isPlain(value)) return value
  const changes: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const next = replaced(field, personId, pictures)
    if (next !== field) changes[name] = next
  }
  if (value.id === personId) {
    for (const [name, address] of Object.entries(pictures)) {
      if (name in value && value[name] !== address) changes[name] = address
    }
  }
  return Object.keys(changes).length > 0 ? { ...value, ...changes } : value
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Replaces a person's pictures in all that is cached. What was due to be read again stays due. */
export function showPictures(client: QueryClient, personId: string, pictures: Pictures): void {
  for (const query of client.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, isInvalidated } = query.state
    const next: unknown = withPictures(data, personId, pictures)
    if (next === data) continue
    query.setData(next, { updatedAt: dataUpdatedAt, manual: true })
    if (isInvalidated) query.invalidate()
  }
}

/**
 * Shows one's own pictures everywhere as the own record has them, once that has changed: another tab or device may
 * have replaced them.
 */
export function useOwnPictures(user: OwnUser | null): void {
  const client = useQueryClient()
  const shown = useRef<string>(undefined)
  const { id, profileImageUrl = null, backgroundImageUrl = null } = user ?? {}
  useEffect(() => {
    const now = JSON.stringify([id, profileImageUrl, backgroundImageUrl])
    // What is cached with the first record is as new as that.
    if (id && shown.current && shown.current !== now) {
      showPictures(client, id, { profileImageUrl, backgroundImageUrl })
    }
    shown.current = now
  }, [client, id, profileImageUrl, backgroundImageUrl])
}
