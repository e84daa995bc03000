import { afterEach, expect, test, vi } from 'vitest'
import type { UserStorage } from '@/lib/storage'
import { clearTipId, getOrCreateTipId } from './tips'

/** Returns an in-memory `UserStorage`, like the one that all tabs of a browser share. */
function createStorage(): UserStorage {
  const values = new Map<string, string>()
  return {
    get: (name) => values.get(name) ?? null,
    set: (name, value) => values.set(name, value),
    remove: (name) => values.delete(name),
    names: () => [...values.keys()],
    key: (name) => name,
  }
}
const recipient = { creatorId: 'mona', postId: undefined }
const content = JSON.stringify([5, 'Thanks'])

afterEach(() => void vi.useRealTimers())

test('keeps the id of a tip for ten minutes if there is no response', () => {
  vi.useFakeTimers()
  const storage = createStorage()
  const id = getOrCreateTipId(storage, recipient, content)
  vi.advanceTimersByTime(9 * 60_000)
  expect(getOrCreateTipId(storage, recipient, content)).toBe(id)
  vi.advanceTimersByTime(60_000)
  expect(getOrCreateTipId(storage, recipient, content)).not.toBe(id)
})

test('creates a new id for the same tip after a response', () => {
  const storage = createStorage()
  const id = getOrCreateTipId(storage, recipient, content)
  clearTipId(storage, recipient, id)
  expect(getOrCreateTipId(storage, recipient, content)).not.toBe(id)
})

test('creates a new id for a different note, creator or post', () => {
  const storage = createStorage()
  const id = getOrCreateTipId(storage, recipient, content)
  const otherIds = [
    getOrCreateTipId(storage, { creatorId: 'nils', postId: undefined }, content),
    getOrCreateTipId(storage, { ...recipient, postId: 'post' }, content),
  ]
  expect(getOrCreateTipId(storage, recipient, content)).toBe(id)
  otherIds.push(getOrCreateTipId(storage, recipient, JSON.stringify([5, ''])))
  expect(new Set([id, ...otherIds]).size).toBe(4)
  // A late response to the first tip does not clear the id of the last one.
  clearTipId(storage, recipient, id)
  expect(getOrCreateTipId(storage, recipient, JSON.stringify([5, '']))).toBe(otherIds.at(-1))
})

test('creates an id when the stored value is invalid', () => {
  const storage = createStorage()
  storage.set('tip:mona:', '{')
  expect(getOrCreateTipId(storage, recipient, content)).toMatch(/^[0-9a-f-]{36}$/)
})
