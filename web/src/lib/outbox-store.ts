import { createStore } from 'zustand/vanilla'

/**
 * What a person has written and the server does not have yet, in this browser's IndexedDB: records by id, one
 * person's apart from the next one's. Where the browser refuses (private windows, a full disk), a record is kept in
 * memory as long as the page lives, and the browser asks before it is left.
 */
export interface OutboxStore {
  /** Everything that waits. Callers check what they read: an older version of the site may have written it. */
  all: () => Promise<unknown[]>
  has: (id: string) => Promise<boolean>
  put: (id: string, record: unknown) => Promise<void>
  /** Puts a record in the place of an older one; leaves out one that was removed meanwhile, in any tab. */
  replace: (id: string, record: unknown) => Promise<void>
  remove: (id: string) => Promise<void>
}

const storeName = 'unsent'
let opening: Promise<IDBDatabase> | undefined

function database(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('ovation', 1)
    // Keys are [person, id].
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const opened = request.result
      const close = () => {
        opening = undefined
        opened.close()
      }
      // A later version of the site wants to change it; or the browser took it away. It is opened again when needed.
      opened.onversionchange = close
      opened.onclose = close
      resolve(opened)
    }
  }).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

/** Runs one transaction; resolves with what `work` asked for once all of it is kept. */
async function inTransaction<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = (await database()).transaction(storeName, mode)
  const request = work(transaction.objectStore(storeName))
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error)
  })
}

const keyOf = (userId: string, id: string) => [userId, id]
/** All keys of one person: an array sorts behind every text. */
const keysOf = (userId: string) => IDBKeyRange.bound([userId], [userId, []])

const memory = new Map<string, Map<string, unknown>>()

/** The ids of the records that this page alone remembers: they are lost with it. */
export const memoryOnlyItems = createStore<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

/** Has the browser ask whether the page may be left. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

/** Changes what this page alone remembers of a person. */
function changeMemory(userId: string, change: (held: Map<string, unknown>) => void): void {
  const held = memory.get(userId) ?? new Map<string, unknown>()
  const before = held.size
  change(held)
  memory.set(userId, held)
  // Of those that stay, the same are known already.
  if (held.size === before) return
  const ids = new Set([...memory.values()].flatMap((records) => [...records.keys()]))
  memoryOnlyItems.setState({ ids })
  if (ids.size > 0) window.addEventListener('beforeunload', askBeforeLeaving)
  else window.removeEventListener('beforeunload', askBeforeLeaving)
}

export function outboxStore(userId: string): OutboxStore {
  const remembered = () => memory.get(userId)
  const isHere = (id: string) => remembered()?.has(id) ?? false
  const keepHere = (id: string, record: unknown) => changeMemory(userId, (held) => held.set(id, record))
  const dropHere = (id: string) => changeMemory(userId, (held) => held.delete(id))
  return {
    async all() {
      const kept = await inTransaction('readonly', (store) => store.getAll(keysOf(userId))).catch(() => [])
      return [...kept, ...(remembered()?.values() ?? [])]
    },
    async has(id) {
      if (isHere(id)) return true
      const key = keyOf(userId, id)
      return (await inTransaction('readonly', (store) => store.count(key)).catch(() => 0)) > 0
    },
    async put(id, record) {
      try {
        await inTransaction('readwrite', (store) => store.put(record, keyOf(userId, id)))
        dropHere(id)
      } catch {
        keepHere(id, record)
      }
    },
    async replace(id, record) {
      if (isHere(id)) {
        keepHere(id, record)
        return
      }
      const key = keyOf(userId, id)
      await inTransaction('readwrite', (store) => {
        const found = store.count(key)
        found.onsuccess = () => {
          if (found.result > 0) store.put(record, key)
        }
        return found
      }).catch(() => undefined)
    },
    async remove(id) {
      dropHere(id)
      await inTransaction('readwrite', (store) => store.delete(keyOf(userId, id))).catch(() => undefined)
    },
  }
}

/** How many messages of a person wait in this browser. */
export async function countOutbox(userId: string): Promise<number> {
  const kept = await inTransaction('readonly', (store) => store.count(keysOf(userId))).catch(() => 0)
  return kept + (memory.get(userId)?.size ?? 0)
}

/** Forgets what a person did not send; part of signing out. */
export async function clearOutbox(userId: string): Promise<void> {
  changeMemory(userId, (held) => held.clear())
  await inTransaction('readwrite', (store) => store.delete(keysOf(userId))).catch(() => undefined)
}
