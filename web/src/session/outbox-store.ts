import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { createStore } from 'zustand/vanilla'
import { isPageExiting } from '@/lib/leave-guard'

/**
 * Keeps a record of each of a user's unsent messages in IndexedDB, keyed by message id. If IndexedDB cannot be used
 * (for example in a private window or when the disk is full), the record stays in memory, and the browser asks for
 * confirmation before the user leaves the page.
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
      const stored = await withDatabase((database) => database.getAll(storeName, keyRange(userId))).catch(
        () => [],
      )
      return [...stored, ...(records()?.values() ?? [])]
    },
    async has(id) {
      if (isInMemory(id)) return true
      const count = withDatabase((database) => database.count(storeName, [userId, id]))
      return (await count.catch(() => 0)) > 0
    },
    async put(id, record) {
      try {
        await withDatabase((database) => database.put(storeName, record, [userId, id]))
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
      const replaceStored = async (database: Database) => {
        const { store, done } = database.transaction(storeName, 'readwrite')
        const write = async () => (await store.count([userId, id])) > 0 && store.put(record, [userId, id])
        await Promise.all([write(), done])
      }
      await withDatabase(replaceStored).catch(() => undefined)
    },
    async remove(id) {
      removeFromMemory(id)
      await withDatabase((database) => database.delete(storeName, [userId, id])).catch(() => undefined)
    },
  }
}

/** Returns the number of a user's messages in this browser that have not been sent yet. */
export async function countOutbox(userId: string): Promise<number> {
  const stored = withDatabase((database) => database.count(storeName, keyRange(userId)))
  return (await stored.catch(() => 0)) + (memory.get(userId)?.size ?? 0)
}

/** Deletes all of a user's unsent messages. Called when the user signs out. */
export async function clearOutbox(userId: string): Promise<void> {
  changeMemory(userId, (records) => records.clear())
  await withDatabase((database) => database.delete(storeName, keyRange(userId))).catch(() => undefined)
}

const storeName = 'unsent'

interface Schema extends DBSchema {
  [storeName]: { key: [userId: string, messageId: string]; value: unknown }
}
type Database = IDBPDatabase<Schema>

let openedDatabase: Promise<Database> | undefined

async function openDatabase(): Promise<Database> {
  const forget = () => {
    openedDatabase = undefined
  }
  const database = await openDB<Schema>('ovation', 1, {
    upgrade: (created) => void created.createObjectStore(storeName),
    // A newer version of the app in another tab is waiting to upgrade the database, or the browser has closed it. The
    // next call reopens it.
    blocking: () => {
      forget()
      database.close()
    },
    terminated: forget,
  })
  return database
}

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  openedDatabase ??= openDatabase().catch((error: unknown) => {
    openedDatabase = undefined
    throw error
  })
  return work(await openedDatabase)
}

/** Returns the range of all keys of a user. IndexedDB sorts arrays after strings. */
const keyRange = (userId: string) => IDBKeyRange.bound([userId], [userId, []])

/** The records that IndexedDB did not accept, by user id and message id. */
const memory = new Map<string, Map<string, unknown>>()

/** The ids of the records that are only in memory: they are lost when the user leaves the page. */
export const memoryOnlyRecords = createStore<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

function changeMemory(userId: string, change: (records: Map<string, unknown>) => void): void {
  const records = memory.get(userId) ?? new Map<string, unknown>()
  const sizeBefore = records.size
  change(records)
  memory.set(userId, records)
  // A single change never both adds and removes records, so if the size is the same, the ids are the same.
  if (records.size === sizeBefore) return
  const ids = new Set([...memory.values()].flatMap((userRecords) => [...userRecords.keys()]))
  memoryOnlyRecords.setState({ ids })
  if (ids.size > 0) window.addEventListener('beforeunload', confirmLeaving)
  else window.removeEventListener('beforeunload', confirmLeaving)
}

const confirmLeaving = (event: BeforeUnloadEvent) => {
  if (!isPageExiting()) event.preventDefault()
}
