import { useEffect, useMemo } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import { parseJson } from './json'

/**
 * What a user's browser remembers in localStorage, such as drafts and hidden cards. (For unsent messages, see
 * `outbox-store.ts`.) The keys contain the user's id, or 'visitor' while nobody is signed in, so that the next user of
 * the browser does not see the values. Writes have no effect if the storage is full or the browser denies access to it.
 * Without access, reads return null.
 */
export interface UserStorage {
  get(name: string): string | null
  set(name: string, value: string): void
  remove(name: string): void
  /** Returns the names that start with `start`. */
  names(start: string): string[]
  /** Returns the full key, as it appears in `storage` events. */
  key(name: string): string
}

const keyPrefix = 'ovation:'

export function userStorage(userId: string): UserStorage {
  const key = (name: string) => `${keyPrefix}${userId}:${name}`
  return {
    key,
    get: (name) => ignoreErrors(() => localStorage.getItem(key(name))) ?? null,
    set: (name, value) => ignoreErrors(() => localStorage.setItem(key(name), value)),
    remove: (name) => ignoreErrors(() => localStorage.removeItem(key(name))),
    names: (start) => keysStartingWith(key(start)).map((fullKey) => fullKey.slice(key('').length)),
  }
}

/** The values that localStorage did not accept, by full key. */
const memory = new Map<string, string>()

/**
 * Like `userStorage`, but keeps a value in memory if the browser does not accept it. Used for the idempotency keys of
 * payments, because the user could be charged twice if one is lost.
 */
export function durableStorage(userId: string): UserStorage {
  const storage = userStorage(userId)
  return {
    ...storage,
    get: (name) => memory.get(storage.key(name)) ?? storage.get(name),
    set: (name, value) => {
      storage.set(name, value)
      if (storage.get(name) === value) memory.delete(storage.key(name))
      else memory.set(storage.key(name), value)
    },
    remove: (name) => {
      memory.delete(storage.key(name))
      storage.remove(name)
    },
  }
}

/** Deletes everything that a user has stored in this browser. Called when they sign out. */
export function clearUserStorage(userId: string): void {
  const start = `${keyPrefix}${userId}:`
  for (const key of keysStartingWith(start)) ignoreErrors(() => localStorage.removeItem(key))
  for (const key of memory.keys()) if (key.startsWith(start)) memory.delete(key)
}

function keysStartingWith(start: string): string[] {
  return ignoreErrors(() => Object.keys(localStorage).filter((key) => key.startsWith(start))) ?? []
}

function ignoreErrors<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

interface DraftOptions<Draft> {
  empty: () => Draft
  /** Parses the stored text. Returns undefined if it is invalid. */
  parse: (stored: string | null) => Draft | undefined
  /** Returns whether the draft need not be stored. */
  isEmpty: (draft: Draft) => boolean
}

/** Drafts of one kind, such as post drafts. `store` contains the drafts read so far, keyed by full storage key. */
interface DraftStore<Draft> {
  store: StoreApi<Record<string, Draft>>
  /** Returns the draft in the browser's storage, or an empty one. */
  getStored: (userId: string, name: string) => Draft
  /** Returns the current draft. */
  get: (userId: string, name: string) => Draft
  set: (userId: string, name: string, draft: Draft) => void
  /**
   * Keeps the draft in sync with other tabs, including changes made before the call or while the page was in the
   * back/forward cache, so that no tab overwrites a draft that it has never shown. Returns a function that stops this.
   */
  follow: (userId: string, name: string) => () => void
}

/**
 * Creates a store for drafts of one kind, keyed by user and name. Components that show the same draft stay in sync,
 * even if they are in different tabs. Unsent drafts stay in the browser's storage.
 */
export function createDraftStore<Draft>({ empty, parse, isEmpty }: DraftOptions<Draft>): DraftStore<Draft> {
  const store = createStore<Record<string, Draft>>(() => ({}))
  /**
   * The stored text when this tab last read or wrote it, by full key. If the text in the storage now differs, another
   * tab has written it. If the storage rejected a write by this tab, the stored text is older than the draft in
   * `store`.
   */
  const lastStored = new Map<string, string | null>()
  const parseOrEmpty = (text: string | null) => parse(text) ?? empty()
  /** Returns the draft, including changes made by another tab. */
  const sync = (userId: string, name: string): Draft => {
    const key = draftKey(userId, name)
    const stored = userStorage(userId).get(name)
    const current = store.getState()[key]
    if (current !== undefined && stored === lastStored.get(key)) return current
    lastStored.set(key, stored)
    const draft = parseOrEmpty(stored)
    store.setState({ [key]: draft })
    return draft
  }
  return {
    store,
    getStored: (userId, name) => parseOrEmpty(userStorage(userId).get(name)),
    get: sync,
    set: (userId, name, draft) => {
      const key = draftKey(userId, name)
      const storage = userStorage(userId)
      store.setState({ [key]: draft })
      if (isEmpty(draft)) storage.remove(name)
      else storage.set(name, JSON.stringify(draft))
      lastStored.set(key, storage.get(name))
    },
    follow: (userId, name) => {
      const followedKey = draftKey(userId, name)
      sync(userId, name)
      const onStorage = ({ key }: StorageEvent) => {
        if (key === followedKey) sync(userId, name)
      }
      const onPageShow = ({ persisted }: PageTransitionEvent) => {
        if (persisted) sync(userId, name)
      }
      window.addEventListener('storage', onStorage)
      window.addEventListener('pageshow', onPageShow)
      return () => {
        window.removeEventListener('storage', onStorage)
        window.removeEventListener('pageshow', onPageShow)
      }
    },
  }
}

/** Returns the current draft and keeps it in sync with other tabs. */
export function useStoredDraft<Draft>(drafts: DraftStore<Draft>, userId: string, name: string): Draft {
  const initialDraft = useMemo(() => drafts.getStored(userId, name), [drafts, userId, name])
  useEffect(() => drafts.follow(userId, name), [drafts, userId, name])
  const draft = useStore(drafts.store, (all) => all[draftKey(userId, name)])
  // A draft can be null, which means that it has been deleted.
  return draft === undefined ? initialDraft : draft
}

function draftKey(userId: string, name: string): string {
  return userStorage(userId).key(name)
}

const textDrafts = createDraftStore<string | null>({
  empty: () => null,
  parse: (stored) => {
    const text = parseJson(stored)
    return typeof text === 'string' ? text : undefined
  },
  isEmpty: (text) => text === null,
})

/** Returns the text draft called `name`, or null if there is none. `write(null)` deletes it. */
export function useTextDraft(userId: string, name: `draft:${string}`) {
  const text = useStoredDraft(textDrafts, userId, name)
  return { text, write: (next: string | null) => textDrafts.set(userId, name, next) }
}

/** Deletes a text draft after it has been sent from this tab or elsewhere. */
export function clearTextDraft(userId: string, name: `draft:${string}`): void {
  if (textDrafts.get(userId, name) !== null) textDrafts.set(userId, name, null)
}
