import type { ChatMessage } from '@contract/message.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from '@/lib/errors'
import { ada, bea, me, message } from '../message-fixture'
import { createOutbox, OutboxItem, StoredItem, toStoredItem } from './outbox'

/** Returns the state of a scripted server and a storage, and `open`, which creates an outbox that uses both. */
function createTestEnvironment() {
  const storedItems = new Map<string, OutboxItem>()
  const sendResults: (Error | 'ok')[] = []
  const uploadResults: (Error | 'ok')[] = []
  const env = {
    storedItems,
    /** The results of the next calls; calls without one succeed. */
    sendResults,
    uploadResults,
    uploaded: [] as string[],
    sent: [] as string[],
    sentMediaUrls: [] as (string | null)[],
    messages: [] as ChatMessage[],
    failed: [] as string[],
    items: [] as OutboxItem[],
    /** How long the storage takes to put or remove an item. */
    storageDelayMs: 0,
  }
  const storageDelay = async () => {
    if (env.storageDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, env.storageDelayMs))
  }
  const open = () =>
    createOutbox({
      load: async () => [...storedItems.values()],
      has: async (id) => storedItems.has(id),
      put: async (item) => {
        await storageDelay()
        storedItems.set(item.id, item)
      },
      replace: async (item) => void (storedItems.has(item.id) && storedItems.set(item.id, item)),
      remove: async (id) => {
        await storageDelay()
        storedItems.delete(id)
      },
      upload: async (item, signal) => {
        const result = uploadResults.shift() ?? 'ok'
        if (result !== 'ok') throw result
        signal.throwIfAborted()
        env.uploaded.push(item.content)
        return `/api/media/${env.uploaded.length}`
      },
      send: async (item) => {
        env.sent.push(item.content)
        env.sentMediaUrls.push(item.mediaUrl)
        const result = sendResults.shift() ?? 'ok'
        if (result !== 'ok') throw result
        return message(1, { id: item.id, senderId: me, other: item.receiverId, content: item.content })
      },
      withReceiverLock: (_, task) => task(),
      onSent: (sentMessage) => env.messages.push(sentMessage),
      onFailed: (item) => env.failed.push(item.content),
      onChange: (items) => {
        env.items = items
      },
    })
  return Object.assign(env, { open })
}

const text = (content: string) => ({ content, replyTo: null, image: null, voice: null })
const image = (content: string) => ({
  ...text(content),
  image: { blob: new Blob(['bytes']), width: 4, height: 3 },
})
const mediaNotUsable = () => new ApiError(400, '{"message":"no","code":"media_not_usable"}')

const offline = () => new NetworkError(new TypeError('Failed to fetch'))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('sends items in the order in which they were written, and removes them', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  for (const content of ['one', 'two', 'three']) outbox.add(ada, text(content))
  expect(env.items.map((item) => item.state)).toEqual(['pending', 'pending', 'pending'])
  await vi.advanceTimersByTimeAsync(0)
  expect(env.sent).toEqual(['one', 'two', 'three'])
  expect(env.items).toEqual([])
  expect(env.storedItems.size).toBe(0)
})

test('sends an item that is added while an earlier one is being removed', async () => {
  const env = createTestEnvironment()
  env.storageDelayMs = 50
  const outbox = env.open()
  for (const content of ['one', 'two', 'three']) {
    outbox.add(ada, text(content))
    await vi.advanceTimersByTimeAsync(60)
  }
  await vi.advanceTimersByTimeAsync(1000)
  expect(env.sent).toEqual(['one', 'two', 'three'])
})

test('keeps the order without a connection and retries automatically', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  env.sendResults.push(offline(), offline())
  outbox.add(ada, text('one'))
  outbox.add(ada, text('two'))
  await vi.advanceTimersByTimeAsync(0)
  expect(env.sent).toEqual(['one'])
  expect(env.items.map((item) => item.state)).toEqual(['waiting', 'pending'])
  expect(env.failed).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(env.sent).toEqual(['one', 'one'])
  await vi.advanceTimersByTimeAsync(2000)
  expect(env.sent).toEqual(['one', 'one', 'one', 'two'])
  expect(env.failed).toEqual(['one'])
  expect(env.items).toEqual([])
})

test('keeps a refused item and sends the next one', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  env.sendResults.push(new ApiError(403, '{"message":"no","code":"direct_messages_disabled"}'))
  outbox.add(ada, text('one'))
  outbox.add(ada, text('two'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(env.sent).toEqual(['one', 'two'])
  expect(env.items.map((item) => [item.content, item.state])).toEqual([['one', 'refused']])
  outbox.retry(env.items[0]?.id ?? '')
  await vi.advanceTimersByTimeAsync(0)
  expect(env.sent).toEqual(['one', 'two', 'one'])
  expect(env.items).toEqual([])
})

test('sends to other receivers while sending to one fails', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  env.sendResults.push(offline())
  outbox.add(ada, text('to ada'))
  await vi.advanceTimersByTimeAsync(0)
  outbox.add(bea, text('to bea'))
  await vi.advanceTimersByTimeAsync(0)
  expect(env.messages.map((sentMessage) => sentMessage.content)).toEqual(['to bea'])
})

test('sends the remaining items after a reload, with the same ids', async () => {
  const env = createTestEnvironment()
  const closedOutbox = env.open()
  env.sendResults.push(offline())
  closedOutbox.add(ada, text('one'))
  await vi.advanceTimersByTimeAsync(0)
  closedOutbox.stop()
  const id = [...env.storedItems.keys()][0]
  env.open().resume()
  await vi.advanceTimersByTimeAsync(0)
  expect(env.messages.map((sentMessage) => sentMessage.id)).toEqual([id])
})

test('does not send an item that another tab has sent', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  env.sendResults.push(offline())
  outbox.add(ada, text('one'))
  await vi.advanceTimersByTimeAsync(0)
  env.storedItems.clear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(env.sent).toEqual(['one'])
  expect(env.items).toEqual([])
})

test('does not restore an item that is discarded while it is being sent', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  env.sendResults.push(offline())
  outbox.add(ada, text('one'))
  outbox.discard(env.items[0]?.id ?? '')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(env.items).toEqual([])
  expect(env.storedItems.size).toBe(0)
})

test('waits for the time in Retry-After', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  env.sendResults.push(new ApiError(429, '{"message":"slow down","code":"rate_limited"}', 20))
  outbox.add(ada, text('one'))
  await vi.advanceTimersByTimeAsync(19_000)
  outbox.resume()
  await vi.advanceTimersByTimeAsync(0)
  expect(env.sent).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(env.sent).toEqual(['one', 'one'])
})

test('sends stored items before one that is added while they load', async () => {
  const env = createTestEnvironment()
  const closedOutbox = env.open()
  env.sendResults.push(offline())
  closedOutbox.add(ada, text('one'))
  await vi.advanceTimersByTimeAsync(0)
  closedOutbox.stop()
  await vi.advanceTimersByTimeAsync(1)
  const outbox = env.open()
  outbox.resume()
  outbox.add(ada, text('two'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(env.items).toEqual([])
  expect(env.messages.map((sentMessage) => sentMessage.content)).toEqual(['one', 'two'])
})

test('uploads an image once when its message is retried', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  env.uploadResults.push(offline())
  env.sendResults.push(offline())
  outbox.add(ada, image('look'))
  outbox.add(ada, text('after it'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(env.uploaded).toEqual(['look'])
  expect(env.sent).toEqual(['look', 'look', 'after it'])
  expect(env.sentMediaUrls).toEqual(['/api/media/1', '/api/media/1', null])
})

test('uploads the recording of a voice message before sending it', async () => {
  const env = createTestEnvironment()
  env.uploadResults.push(offline())
  const voice = { blob: new Blob(['bytes']), seconds: 3, levels: null }
  env.open().add(ada, { ...text('voice'), voice })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(env.uploaded).toEqual(['voice'])
  expect(env.sentMediaUrls).toEqual(['/api/media/1'])
  expect(env.items).toEqual([])
})

test('uploads an image again, once, if the server has deleted it', async () => {
  const env = createTestEnvironment()
  const closedOutbox = env.open()
  env.sendResults.push(offline())
  closedOutbox.add(ada, image('look'))
  await vi.advanceTimersByTimeAsync(0)
  closedOutbox.stop()
  env.sendResults.push(mediaNotUsable())
  env.open().resume()
  await vi.advanceTimersByTimeAsync(0)
  expect(env.sentMediaUrls).toEqual(['/api/media/1', '/api/media/1', '/api/media/2'])
  expect(env.messages).toHaveLength(1)

  const otherEnv = createTestEnvironment()
  otherEnv.sendResults.push(mediaNotUsable())
  otherEnv.open().add(ada, image('never'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(otherEnv.uploaded).toHaveLength(1)
  expect(otherEnv.items.map((item) => item.state)).toEqual(['refused'])
})

test('does not send an image that another tab discards during the upload', async () => {
  const env = createTestEnvironment()
  const outbox = env.open()
  env.uploadResults.push(offline())
  outbox.add(ada, image('look'))
  await vi.advanceTimersByTimeAsync(0)
  env.storedItems.clear()
  outbox.resume()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(env.sent).toEqual([])
  expect(env.items).toEqual([])
})

test('stores an item with a price in a form that older versions, which ignore the price, reject', () => {
  const item: OutboxItem = {
    ...image('look'),
    id: '1',
    receiverId: ada,
    createdAt: new Date().toISOString(),
    state: 'pending',
    mediaUrl: null,
  }
  const priced = { ...item, price: 5 }
  expect(OutboxItem.safeParse(toStoredItem(priced)).success).toBe(false)
  expect(StoredItem.parse(toStoredItem(priced))).toEqual(priced)
  expect(OutboxItem.parse(toStoredItem(item))).toEqual(item)
})
