import type { ChatMessage } from '@contract/message.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from '@/lib/api'
import { ada, bea, me, message } from '../realtime/testMessages'
import { createOutbox, type OutboxItem } from './outbox'

/** A server that answers as told, and a browser's storage, both in memory. */
function world() {
  const kept = new Map<string, OutboxItem>()
  const answers: (Error | 'ok')[] = []
  const state = {
    kept,
    answers,
    sent: [] as string[],
    stored: [] as ChatMessage[],
    failed: [] as string[],
    shown: [] as OutboxItem[],
  }
  const open = () =>
    createOutbox({
      load: () => [...kept.values()],
      keep: (item) => kept.set(item.id, item),
      drop: (id) => kept.delete(id),
      send: async (item) => {
        state.sent.push(item.content)
        const answer = answers.shift() ?? 'ok'
        if (answer !== 'ok') throw answer
        return message(1, { id: item.id, senderId: me, other: item.receiverId, content: item.content })
      },
      exclusively: (_, task) => task(),
      onSent: (stored) => state.stored.push(stored),
      onFailed: (item) => state.failed.push(item.content),
      onChange: (items) => {
        state.shown = items
      },
    })
  return { ...state, open, get: () => state }
}

const offline = () => new NetworkError(new TypeError('Failed to fetch'))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('sends in the order of writing and leaves nothing behind', async () => {
  const at = world()
  const outbox = at.open()
  for (const text of ['one', 'two', 'three']) outbox.add(ada, text)
  expect(at.get().shown.map((item) => item.state)).toEqual(['pending', 'pending', 'pending'])
  await vi.advanceTimersByTimeAsync(0)
  expect(at.sent).toEqual(['one', 'two', 'three'])
  expect(at.get().shown).toEqual([])
  expect(at.kept.size).toBe(0)
})

test('without a connection the first waits, the rest wait behind it, and all go by themselves', async () => {
  const at = world()
  const outbox = at.open()
  at.answers.push(offline(), offline())
  outbox.add(ada, 'one')
  outbox.add(ada, 'two')
  await vi.advanceTimersByTimeAsync(0)
  expect(at.sent).toEqual(['one'])
  expect(at.get().shown.map((item) => item.state)).toEqual(['waiting', 'pending'])
  expect(at.failed).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(at.sent).toEqual(['one', 'one'])
  await vi.advanceTimersByTimeAsync(2000)
  expect(at.sent).toEqual(['one', 'one', 'one', 'two'])
  expect(at.failed).toEqual(['one'])
  expect(at.get().shown).toEqual([])
})

test('a refused message stays with its mark and does not hold up the next', async () => {
  const at = world()
  const outbox = at.open()
  at.answers.push(new ApiError(403, '{"message":"no","code":"direct_messages_disabled"}'))
  outbox.add(ada, 'one')
  outbox.add(ada, 'two')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at.sent).toEqual(['one', 'two'])
  expect(at.get().shown.map((item) => [item.content, item.state])).toEqual([['one', 'refused']])
  outbox.retry(at.get().shown[0]?.id ?? '')
  await vi.advanceTimersByTimeAsync(0)
  expect(at.sent).toEqual(['one', 'two', 'one'])
  expect(at.get().shown).toEqual([])
})

test('trouble with one person does not hold up another', async () => {
  const at = world()
  const outbox = at.open()
  at.answers.push(offline())
  outbox.add(ada, 'to ada')
  await vi.advanceTimersByTimeAsync(0)
  outbox.add(bea, 'to bea')
  await vi.advanceTimersByTimeAsync(0)
  expect(at.stored.map((stored) => stored.content)).toEqual(['to bea'])
})

test('a reload sends what was left, under the same id', async () => {
  const at = world()
  const before = at.open()
  at.answers.push(offline())
  before.add(ada, 'one')
  await vi.advanceTimersByTimeAsync(0)
  before.stop()
  const id = [...at.kept.keys()][0]
  at.open().resume()
  await vi.advanceTimersByTimeAsync(0)
  expect(at.stored.map((stored) => stored.id)).toEqual([id])
})

test('what another tab sent meanwhile is not sent again', async () => {
  const at = world()
  const outbox = at.open()
  at.answers.push(offline())
  outbox.add(ada, 'one')
  await vi.advanceTimersByTimeAsync(0)
  at.kept.clear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at.sent).toEqual(['one'])
  expect(at.get().shown).toEqual([])
})

test('a message discarded while it travels does not come back', async () => {
  const at = world()
  const outbox = at.open()
  at.answers.push(offline())
  outbox.add(ada, 'one')
  outbox.discard(at.get().shown[0]?.id ?? '')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at.get().shown).toEqual([])
  expect(at.kept.size).toBe(0)
})

test('waits as long as the server asks', async () => {
  const at = world()
  const outbox = at.open()
  at.answers.push(new ApiError(429, '{"message":"slow down","code":"rate_limited"}', 20))
  outbox.add(ada, 'one')
  await vi.advanceTimersByTimeAsync(19_000)
  outbox.resume()
  expect(at.sent).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(at.sent).toEqual(['one', 'one'])
})
