import { afterEach, expect, test, vi } from 'vitest'
import type { UserStorage } from '@/lib/storage'
import { clearTipId, getOrCreateTipId } from './get-or-create-tip-id'

/** What a browser keeps, shared by its tabs. */
function browser(): UserStorage {
  const kept = new Map<string, string>()
  return {
    get: (name) => kept.get(name) ?? null,
    set: (name, value) => kept.set(name, value),
    remove: (name) => kept.delete(name),
    names: () => [...kept.keys()],
    key: (name) => name,
  }
}
const mona = { creatorId: 'mona', postId: undefined }
const five = JSON.stringify([5, 'Thanks'])

afterEach(() => void vi.useRealTimers())

test('a tip without an answer keeps its id, for ten minutes', () => {
  vi.useFakeTimers()
  const kept = browser()
  const id = getOrCreateTipId(kept, mona, five)
  vi.advanceTimersByTime(9 * 60_000)
  expect(getOrCreateTipId(kept, mona, five)).toBe(id)
  vi.advanceTimersByTime(60_000)
  expect(getOrCreateTipId(kept, mona, five)).not.toBe(id)
})

test('after an answer the same tip is another one', () => {
  const kept = browser()
  const id = getOrCreateTipId(kept, mona, five)
  clearTipId(kept, mona, id)
  expect(getOrCreateTipId(kept, mona, five)).not.toBe(id)
})

test('what is said otherwise, or of another creator or post, is another tip', () => {
  const kept = browser()
  const id = getOrCreateTipId(kept, mona, five)
  const others = [
    getOrCreateTipId(kept, { creatorId: 'nils', postId: undefined }, five),
    getOrCreateTipId(kept, { ...mona, postId: 'post' }, five),
  ]
  expect(getOrCreateTipId(kept, mona, five)).toBe(id)
  others.push(getOrCreateTipId(kept, mona, JSON.stringify([5, ''])))
  expect(new Set([id, ...others]).size).toBe(4)
  // An answer that comes late to the first says nothing of the last.
  clearTipId(kept, mona, id)
  expect(getOrCreateTipId(kept, mona, JSON.stringify([5, '']))).toBe(others.at(-1))
})

test('what cannot be read is as if nothing were kept', () => {
  const kept = browser()
  kept.set('tip:mona:', '{')
  expect(getOrCreateTipId(kept, mona, five)).toMatch(/^[0-9a-f-]{36}$/)
})
