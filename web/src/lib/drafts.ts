import { useEffect, useState } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import { userStorage } from './userStorage'

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
   * Takes over what other tabs write, so that all of them show one draft: none can overwrite what it never showed.
   * A page that comes back out of the browser's history has missed what was written meanwhile. Gives what ends it.
   */
  follow: (userId: string, name: string) => () => void
}

const keyOf = (userId: string, name: string) => userStorage(userId).key(name)

/**
 * Drafts of one kind, by person and name: everything on a page that shows a draft shows the same, so do other tabs,
 * and what is not sent yet stays in the browser.
 */
export function createDrafts<Draft>({ empty, parse, isEmpty }: Kind<Draft>): Drafts<Draft> {
  const store = createStore<Record<string, Draft>>(() => ({}))
  const read = (userId: string, name: string) => parse(userStorage(userId).get(name))
  const stored = (userId: string, name: string) => read(userId, name) ?? empty()
  return {
    store,
    stored,
    current: (userId, name) => {
      const own = keyOf(userId, name)
      const draft = store.getState()[own] ?? stored(userId, name)
      store.setState({ [own]: draft })
      return draft
    },
    keep: (userId, name, draft) => {
      store.setState({ [keyOf(userId, name)]: draft })
      if (isEmpty(draft)) userStorage(userId).remove(name)
      else userStorage(userId).set(name, JSON.stringify(draft))
    },
    follow: (userId, name) => {
      const own = keyOf(userId, name)
      const onStorage = ({ key, newValue }: StorageEvent) => {
        if (key === own) store.setState({ [own]: parse(newValue) ?? empty() })
      }
      const onShow = ({ persisted }: PageTransitionEvent) => {
        const draft = persisted ? read(userId, name) : undefined
        if (draft) store.setState({ [own]: draft })
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
export function useDraftOf<Draft>(drafts: Drafts<Draft>, userId: string, name: string): Draft {
  const [atFirst] = useState(() => drafts.stored(userId, name))
  const own = keyOf(userId, name)
  useEffect(() => {
    // Whatever was stored while nothing showed it counts.
    if (!drafts.store.getState()[own]) drafts.store.setState({ [own]: atFirst })
    return drafts.follow(userId, name)
  }, [drafts, userId, name, own, atFirst])
  return useStore(drafts.store, (all) => all[own]) ?? atFirst
}
