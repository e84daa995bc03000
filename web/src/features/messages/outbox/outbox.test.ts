import type { ChatMessage } from '@contract/message.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from '@/lib/api'
import { ada, bea, me, message } from '../message-fixture'
import { createOutbox } from './outbox'
import type { OutboxItem } from './outbox-item'

/** A server that answers as told, and a browser's storage, both in memory. */
function world() {
  const kept = new Map<string, OutboxItem>()
  const answers: (Error | 'ok')[] = []
  const uploads: (Error | 'ok')[] = []
  const state = {
    kept,
    answers,
    uploads,
    uploaded: [] as string[],
    sent: [] as string[],
    urls: [] as (string | null)[],
    stored: [] as ChatMessage[],
    failed: [] as string[],
    shown: [] as OutboxItem[],
    /** Milliseconds that the browser takes to keep or drop an item. */
    keeping: 0,
  }
  const open = () =>
    createOutbox({
      load: async () => [...kept.values()],
      has: async (id) => kept.has(id),
      keep: async (item) => {
        if (state.keeping > 0) await new Promise((resolve) => setTimeout(resolve, state.keeping))
        kept.set(item.id, item)
      },
      change: async (item) => void (kept.has(item.id) && kept.set(item.id, item)),
      drop: async (id) => {
        if (state.keeping > 0) await new Promise((resolve) => setTimeout(resolve, state.keeping))
        kept.delete(id)
      },
      upload: async (item, signal) => {
        const answer = uploads.shift() ?? 'ok'
        if (answer !== 'ok') throw answer
        signal.throwIfAborted()
        state.uploaded.push(item.content)
        return `/api/media/${state.uploaded.length}`
      },
      send: async (item) => {
        state.sent.push(item.content)
        state.urls.push(item.imageUrl)
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

const text = (content: string) => ({ content, replyTo: null, image: null })
const picture = (content: string) => ({
  ...text(content),
  image: { blob: new Blob(['bytes']), width: 4, height: 3 },
})
const unusable = () => new ApiError(400, '{"message":"no","code":"media_not_usable"}')

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
  for (const words of ['one', 'two', 'three']) outbox.add(ada, text(words))
  expect(at.get().shown.map((item) => item.state)).toEqual(['pending', 'pending', 'pending'])
  await vi.advanceTimersByTimeAsync(0)
  expect(at.sent).toEqual(['one', 'two', 'three'])
  expect(at.get().shown).toEqual([])
  expect(at.kept.size).toBe(0)
})

test('what is written while an earlier one is being put away is sent, not missed', async () => {
  const at = world()
  at.get().keeping = 50
  const outbox = at.open()
  for (const words of ['one', 'two', 'three']) {
    outbox.add(ada, text(words))
    await vi.advanceTimersByTimeAsync(60)
  }
  await vi.advanceTimersByTimeAsync(1000)
  expect(at.sent).toEqual(['one', 'two', 'three'])
})

test('without a connection the first waits, the rest wait behind it, and all go by themselves', async () => {
  const at = world()
  const outbox = at.open()
  at.answers.push(offline(), offline())
  outbox.add(ada, text('one'))
  outbox.add(ada, text('two'))
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
  outbox.add(ada, text('one'))
  outbox.add(ada, text('two'))
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
  outbox.add(ada, text('to ada'))
  await vi.advanceTimersByTimeAsync(0)
  outbox.add(bea, text('to bea'))
  await vi.advanceTimersByTimeAsync(0)
  expect(at.stored.map((stored) => stored.content)).toEqual(['to bea'])
})

test('a reload sends what was left, under the same id', async () => {
  const at = world()
  const before = at.open()
  at.answers.push(offline())
  before.add(ada, text('one'))
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
  outbox.add(ada, text('one'))
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
  outbox.add(ada, text('one'))
  outbox.discard(at.get().shown[0]?.id ?? '')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at.get().shown).toEqual([])
  expect(at.kept.size).toBe(0)
})

test('waits as long as the server asks', async () => {
  const at = world()
  const outbox = at.open()
  at.answers.push(new ApiError(429, '{"message":"slow down","code":"rate_limited"}', 20))
  outbox.add(ada, text('one'))
  await vi.advanceTimersByTimeAsync(19_000)
  outbox.resume()
  await vi.advanceTimersByTimeAsync(0)
  expect(at.sent).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(at.sent).toEqual(['one', 'one'])
})

test('what was kept goes before what is written while it is read', async () => {
  const at = world()
  const before = at.open()
  at.answers.push(offline())
  before.add(ada, text('one'))
  await vi.advanceTimersByTimeAsync(0)
  before.stop()
  await vi.advanceTimersByTimeAsync(1)
  const after = at.open()
  after.resume()
  after.add(ada, text('two'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at.get().shown).toEqual([])
  expect(at.stored.map((stored) => stored.content)).toEqual(['one', 'two'])
})

test('a picture is uploaded once, however often its message is sent', async () => {
  const at = world()
  const outbox = at.open()
  at.uploads.push(offline())
  at.answers.push(offline())
  outbox.add(ada, picture('look'))
  outbox.add(ada, text('after it'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at.uploaded).toEqual(['look'])
  expect(at.sent).toEqual(['look', 'look', 'after it'])
  expect(at.urls).toEqual(['/api/media/1', '/api/media/1', null])
})

test('an upload that was swept away is made again, once', async () => {
  const at = world()
  const before = at.open()
  at.answers.push(offline())
  before.add(ada, picture('look'))
  await vi.advanceTimersByTimeAsync(0)
  before.stop()
  at.answers.push(unusable())
  at.open().resume()
  await vi.advanceTimersByTimeAsync(0)
  expect(at.urls).toEqual(['/api/media/1', '/api/media/1', '/api/media/2'])
  expect(at.stored).toHaveLength(1)

  const other = world()
  other.answers.push(unusable())
  other.open().add(ada, picture('never'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(other.uploaded).toHaveLength(1)
  expect(other.get().shown.map((item) => item.state)).toEqual(['refused'])
})

test('a picture discarded in another tab while it is uploaded is not sent', async () => {
  const at = world()
  const outbox = at.open()
  at.uploads.push(offline())
  outbox.add(ada, picture('look'))
  await vi.advanceTimersByTimeAsync(0)
  at.kept.clear()
  outbox.resume()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at.sent).toEqual([])
  expect(at.get().shown).toEqual([])
})
