import { createStore } from 'zustand/vanilla'

/**
 * Records of a user's messages that are not sent yet, by id, in IndexedDB. If the browser denies access (private window,
 * full disk), a record stays in memory until the page is left, and the browser asks for confirmation first.
 */
interface OutboxStore {
  /** Returns all records. Callers must validate them, because an older version of the app may have written them. */
  all: () => Promise<unknown[]>
  has: (id: string) => Promise<boolean>
  put: (id: string, record: unknown) => Promise<void>
  /** Replaces a record unless it was removed in the meantime, by this tab or another. */
  replace: (id: string, record: unknown) => Promise<void>
  remove: (id: string) => Promise<void>
}

export function outboxStore(userId: string): OutboxStore {
  const records = () => memory.get(userId)
  const isInMemory = (id: string) => records()?.has(id) ?? false
  const putInMemory = (id: string, record: unknown) =>
    changeMemory(userId, (userRecords) => userRecords.set(id, record))
  const removeFromMemory = (id: string) => changeMemory(userId, (userRecords) => userRecords.delete(id))
  return {
    async all() {
      const stored = await inTransaction('readonly', (store) => store.getAll(keyRange(userId))).catch(
        () => [],
      )
      return [...stored, ...(records()?.values() ?? [])]
    },
    async has(id) {
      if (isInMemory(id)) return true
      const key = recordKey(userId, id)
      return (await inTransaction('readonly', (store) => store.count(key)).catch(() => 0)) > 0
    },
    async put(id, record) {
      try {
        await inTransaction('readwrite', (store) => store.put(record, recordKey(userId, id)))
        removeFromMemory(id)
      } catch {
        putInMemory(id, record)
      }
    },
    async replace(id, record) {
      if (isInMemory(id)) {
        putInMemory(id, record)
        return
      }
      const key = recordKey(userId, id)
      await inTransaction('readwrite', (store) => {
        const countRequest = store.count(key)
        countRequest.onsuccess = () => {
          if (countRequest.result > 0) store.put(record, key)
        }
        return countRequest
      }).catch(() => undefined)
    },
    async remove(id) {
      removeFromMemory(id)
      await inTransaction('readwrite', (store) => store.delete(recordKey(userId, id))).catch(() => undefined)
    },
  }
}

/** Returns the number of a user's messages in this browser that are not sent yet. */
export async function countOutbox(userId: string): Promise<number> {
  const stored = await inTransaction('readonly', (store) => store.count(keyRange(userId))).catch(() => 0)
  return stored + (memory.get(userId)?.size ?? 0)
}

/** Deletes all of a user's unsent messages. Called when they sign out. */
export async function clearOutbox(userId: string): Promise<void> {
  changeMemory(userId, (records) => records.clear())
  await inTransaction('readwrite', (store) => store.delete(keyRange(userId))).catch(() => undefined)
}

const storeName = 'unsent'
let databaseRequest: Promise<IDBDatabase> | undefined

function openDatabase(): Promise<IDBDatabase> {
  databaseRequest ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('ovation', 1)
    // Keys are [user id, message id].
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const database = request.result
      const close = () => {
        databaseRequest = undefined
        database.close()
      }
      // A newer version of the app upgrades the database, or the browser has closed it. The next call reopens it.
      database.onversionchange = close
      database.onclose = close
      resolve(database)
    }
  }).catch((error: unknown) => {
    databaseRequest = undefined
    throw error
  })
  return databaseRequest
}

/** Runs one transaction. Resolves with the result of the request that `work` returns, once it has committed. */
async function inTransaction<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = (await openDatabase()).transaction(storeName, mode)
  const request = work(transaction.objectStore(storeName))
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error)
  })
}

const recordKey = (userId: string, id: string) => [userId, id]
/** Returns the range of all keys of a user. IndexedDB sorts arrays after strings. */
const keyRange = (userId: string) => IDBKeyRange.bound([userId], [userId, []])

/** The records that IndexedDB did not accept, by user id and message id. */
const memory = new Map<string, Map<string, unknown>>()

/** The ids of the records that are only in memory: they are lost when the page is left. */
export const memoryOnlyItems = createStore<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

function changeMemory(userId: string, change: (records: Map<string, unknown>) => void): void {
  const records = memory.get(userId) ?? new Map<string, unknown>()
  const sizeBefore = records.size
  change(records)
  memory.set(userId, records)
  // Each change adds, removes or replaces records, so with the same size the ids are the same, too.
  if (records.size === sizeBefore) return
  const ids = new Set([...memory.values()].flatMap((userRecords) => [...userRecords.keys()]))
  memoryOnlyItems.setState({ ids })
  if (ids.size > 0) window.addEventListener('beforeunload', confirmLeaving)
  else window.removeEventListener('beforeunload', confirmLeaving)
}

const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
