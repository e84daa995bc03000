import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { messageKeys } from './api/keys'
import { applyMessagesEvent, applyOwnRead } from './cache-updates'
import { ada, bea, conversation, me, message, messages } from './message-fixture'
import type { ConversationList } from './model/conversations'
import type { Thread } from './model/thread'

let client: QueryClient

beforeEach(() => {
  // Another person each time, so that nothing heard before counts.
  applyMessagesEvent(new QueryClient(), 'nobody', 'message.created', {
    message: message(1),
    otherUserId: ada,
    unreadTotal: 0,
    unreadCount: 0,
  })
  client = new QueryClient()
  client.setQueryData(messageKeys.thread(ada), messages(1, 3))
  client.setQueryData(messageKeys.conversations, {
    items: [conversation(bea, 3), conversation(ada, 3)],
    nextCursor: null,
  })
  client.setQueryData(messageKeys.unread, { count: 0 })
})

const tell = (event: string, payload: unknown) => applyMessagesEvent(client, me, event, payload)
const created = (seq: number, unread: number) =>
  tell('message.created', {
    message: message(seq),
    otherUserId: ada,
    unreadTotal: unread,
    unreadCount: unread,
    id: 'x',
  })
const read = (readerId: string, lastReadSeq: number, unreadTotal: number) =>
  tell('conversation.read', { otherUserId: ada, readerId, lastReadSeq, unreadTotal })
const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated
const count = () => client.getQueryData(messageKeys.unread)
const thread = () => client.getQueryData<Thread>(messageKeys.thread(ada))
const list = () => client.getQueryData<ConversationList>(messageKeys.conversations)

test('a message reaches thread, list and count at once', () => {
  created(4, 1)
  expect(thread()?.at(-1)?.content).toBe('message 4')
  expect(list()?.items[0]).toMatchObject({ otherUserId: ada, isRead: false, unreadCount: 1 })
  expect(count()).toEqual({ count: 1 })
  expect(isStale(messageKeys.thread(ada))).toBe(false)
})

test('a gap has the thread read again', () => {
  created(6, 3)
  expect(isStale(messageKeys.thread(ada))).toBe(true)
})

test('events told again, or in the wrong order, end in the same place', () => {
  created(4, 1)
  created(5, 2)
  read(me, 5, 0)
  const after = [thread(), list(), count()]
  created(5, 2)
  created(4, 1)
  read(me, 4, 1)
  read(me, 5, 0)
  expect([thread(), list(), count()]).toEqual(after)
  expect(count()).toEqual({ count: 0 })
  expect(list()?.items[0]?.isRead).toBe(true)
})

test('the other person’s reading marks mine as seen and leaves my list alone', () => {
  client.setQueryData(messageKeys.thread(ada), [message(1, { senderId: me }), message(2)])
  created(4, 1)
  read(ada, 2, 1)
  expect(thread()?.map((one) => one.isRead)).toEqual([true, false, false])
  expect(list()?.items[0]?.isRead).toBe(false)
})

test('reading elsewhere up to an older message leaves the list to the server', () => {
  created(4, 1)
  created(5, 2)
  read(me, 4, 1)
  expect(isStale(messageKeys.conversations)).toBe(true)
  expect(count()).toEqual({ count: 1 })
})

test('what cannot be understood has everything read again, and breaks nothing', () => {
  tell('message.created', { nonsense: true })
  expect(isStale(messageKeys.conversations)).toBe(true)
  expect(isStale(messageKeys.thread(ada))).toBe(true)
  tell('something.else', {})
  expect(thread()).toEqual(messages(1, 3))
})

test('a message told while the thread is first being read is not lost', async () => {
  const answers: ((thread: Thread) => void)[] = []
  const watched = new QueryObserver(client, {
    queryKey: messageKeys.thread(bea),
    queryFn: () => new Promise<Thread>((resolve) => answers.push(resolve)),
  })
  const close = watched.subscribe(() => {})
  tell('message.created', {
    message: message(4, { other: bea }),
    otherUserId: bea,
    unreadTotal: 1,
    unreadCount: 1,
  })
  // Answered as it was before the message.
  answers[0]?.(messages(1, 3))
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.(messages(1, 4))
  await vi.waitFor(() => expect(watched.getCurrentResult().data).toHaveLength(4))
  close()
})

test('the answer of a reading that an event told before changes nothing', () => {
  created(4, 1)
  read(me, 4, 0)
  expect(applyOwnRead(client, me, ada, 4)).toBe(false)
  created(5, 1)
  expect(applyOwnRead(client, me, ada, 4)).toBe(false)
  expect(list()?.items[0]?.isRead).toBe(false)
  expect(applyOwnRead(client, me, ada, 5)).toBe(true)
  expect(list()?.items[0]?.isRead).toBe(true)
})
