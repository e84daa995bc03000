import { useEffect, useMemo } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import { userStorage } from './storage'

interface Kind<Draft> {
  empty: () => Draft
  /** What was stored, or nothing where it cannot be read. */
  parse: (stored: string | null) => Draft | undefined
  /** True while there is nothing worth keeping. */
  isEmpty: (draft: Draft) => boolean
}

/** Drafts of one kind; `store` holds those that were asked for, by their full key in the browser's storage. */
interface Drafts<Draft> {
  store: StoreApi<Record<string, Draft>>
  /** What a person wrote the last time, empty where that was nothing. */
  stored: (userId: string, name: string) => Draft
  /** What a person is writing. */
  current: (userId: string, name: string) => Draft
  keep: (userId: string, name: string, draft: Draft) => void
  /**
   * Takes over what other tabs write, and what they wrote while nothing here followed, so that all of them show one
   * draft: none can overwrite what it never showed. A page that comes back out of the browser's history has missed
   * what was written meanwhile. Gives what ends it.
   */
  follow: (userId: string, name: string) => () => void
}

const keyOf = (userId: string, name: string) => userStorage(userId).key(name)

/**
 * Drafts of one kind, by person and name: everything on a page that shows a draft shows the same, so do other tabs,
 * and what is not sent yet stays in the browser.
 */
export function createDraftStore<Draft>({ empty, parse, isEmpty }: Kind<Draft>): Drafts<Draft> {
  const store = createStore<Record<string, Draft>>(() => ({}))
  /**
   * What storage held when it was last read or written here, by full key. Only what differs from that was written by
   * another tab: where storage takes nothing in, what it holds is older than what is written here.
   */
  const seen = new Map<string, string | null>()
  const parsed = (raw: string | null) => parse(raw) ?? empty()
  /** The draft, after what another tab made of it. */
  const takeOver = (userId: string, name: string): Draft => {
    const own = keyOf(userId, name)
    const raw = userStorage(userId).get(name)
    const held = store.getState()[own]
    if (held !== undefined && raw === seen.get(own)) return held
    seen.set(own, raw)
    const draft = parsed(raw)
    store.setState({ [own]: draft })
    return draft
  }
  return {
    store,
    stored: (userId, name) => parsed(userStorage(userId).get(name)),
    current: takeOver,
    keep: (userId, name, draft) => {
      const own = keyOf(userId, name)
      const storage = userStorage(userId)
      store.setState({ [own]: draft })
      if (isEmpty(draft)) storage.remove(name)
      else storage.set(name, JSON.stringify(draft))
      seen.set(own, storage.get(name))
    },
    follow: (userId, name) => {
      const own = keyOf(userId, name)
      takeOver(userId, name)
      const onStorage = ({ key }: StorageEvent) => {
        if (key === own) takeOver(userId, name)
      }
      const onShow = ({ persisted }: PageTransitionEvent) => {
        if (persisted) takeOver(userId, name)
      }
      window.addEventListener('storage', onStorage)
      window.addEventListener('pageshow', onShow)
      return () => {
        window.removeEventListener('storage', onStorage)
        window.removeEventListener('pageshow', onShow)
      }
    },
  }
}

/** What a person is writing, kept in the browser until it is sent, the same in all tabs. */
export function useStoredDraft<Draft>(drafts: Drafts<Draft>, userId: string, name: string): Draft {
  const atFirst = useMemo(() => drafts.stored(userId, name), [drafts, userId, name])
  const own = keyOf(userId, name)
  useEffect(() => drafts.follow(userId, name), [drafts, userId, name])
  return useStore(drafts.store, (all) => all[own]) ?? atFirst
}
