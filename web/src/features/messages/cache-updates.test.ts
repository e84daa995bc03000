import type { ChatMessage } from '@contract/message.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { messageKeys } from './api/keys'
import { applyMessagesEvent, applyOwnRead, type ReadMarks, recordMessage, recordRead } from './cache-updates'
import { ada, bea, conversation, me, message, messages } from './message-fixture'
import type { ConversationList } from './model/conversations'
import type { Thread } from './model/thread'

let client: QueryClient

beforeEach(() => {
  // An event for another user resets the read marks of the module.
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

const receiveEvent = (event: string, payload: unknown) => applyMessagesEvent(client, me, event, payload)
const receiveMessage = (seq: number, unread: number) =>
  receiveEvent('message.created', {
    message: message(seq),
    otherUserId: ada,
    unreadTotal: unread,
    unreadCount: unread,
    id: 'x',
  })
const receiveRead = (readerId: string, lastReadSeq: number, unreadTotal: number) =>
  receiveEvent('conversation.read', { otherUserId: ada, readerId, lastReadSeq, unreadTotal })
const isInvalidated = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated
const unreadCount = () => client.getQueryData(messageKeys.unread)
const thread = () => client.getQueryData<Thread>(messageKeys.thread(ada))
const list = () => client.getQueryData<ConversationList>(messageKeys.conversations)

describe('applyMessagesEvent', () => {
  test('adds a message to the thread, the list and the count', () => {
    receiveMessage(4, 1)
    expect(thread()?.at(-1)?.content).toBe('message 4')
    expect(list()?.items[0]).toMatchObject({ otherUserId: ada, isRead: false, unreadCount: 1 })
    expect(unreadCount()).toEqual({ count: 1 })
    expect(isInvalidated(messageKeys.thread(ada))).toBe(false)
  })

  test('updates a filtered list, and refetches it for a message in another conversation', () => {
    const filteredKey = messageKeys.conversationList('unread')
    client.setQueryData(filteredKey, { items: [conversation(ada, 3)], nextCursor: null })
    const filtered = () => client.getQueryData<ConversationList>(filteredKey)?.items
    receiveMessage(4, 1)
    expect(filtered()).toMatchObject([{ otherUserId: ada, unreadCount: 1 }])
    receiveRead(me, 4, 0)
    expect(filtered()).toMatchObject([{ otherUserId: ada, unreadCount: 0 }])
    const receiveInBea = (senderId: string, seq: number) =>
      receiveEvent('message.created', {
        message: message(seq, { senderId, other: bea }),
        otherUserId: bea,
        unreadTotal: 1,
        unreadCount: 1,
        id: 'x',
      })
    receiveInBea(me, 4)
    expect(isInvalidated(filteredKey)).toBe(false)
    receiveInBea(bea, 5)
    expect(isInvalidated(filteredKey)).toBe(true)
    expect(isInvalidated(messageKeys.conversations)).toBe(false)
  })

  test('refetches the thread after a gap', () => {
    receiveMessage(6, 3)
    expect(isInvalidated(messageKeys.thread(ada))).toBe(true)
  })

  test('ignores repeated and out-of-order events', () => {
    receiveMessage(4, 1)
    receiveMessage(5, 2)
    receiveRead(me, 5, 0)
    const expected = [thread(), list(), unreadCount()]
    receiveMessage(5, 2)
    receiveMessage(4, 1)
    receiveRead(me, 4, 1)
    receiveRead(me, 5, 0)
    expect([thread(), list(), unreadCount()]).toEqual(expected)
    expect(unreadCount()).toEqual({ count: 0 })
    expect(list()?.items[0]?.isRead).toBe(true)
  })

  test("marks the user's messages as seen, but does not change the list, when the other user reads them", () => {
    client.setQueryData(messageKeys.thread(ada), [message(1, { senderId: me }), message(2)])
    receiveMessage(4, 1)
    receiveRead(ada, 2, 1)
    expect(thread()?.map(({ isRead }) => isRead)).toEqual([true, false, false])
    expect(list()?.items[0]?.isRead).toBe(false)
  })

  test('refetches the list when another tab read only up to an older message', () => {
    receiveMessage(4, 1)
    receiveMessage(5, 2)
    receiveRead(me, 4, 1)
    expect(isInvalidated(messageKeys.conversations)).toBe(true)
    expect(unreadCount()).toEqual({ count: 1 })
  })

  test('refetches the details after events about photos and after deletions', () => {
    const detailsKey = messageKeys.details(ada)
    const isRefetchedAfter = (event: string, changes: Partial<ChatMessage>) => {
      client.setQueryData(detailsKey, {})
      receiveEvent(event, {
        message: message(3, changes),
        otherUserId: ada,
        unreadTotal: 0,
        unreadCount: 0,
        id: 'x',
      })
      return isInvalidated(detailsKey)
    }
    const photo = { imageUrl: '/api/media/photo', imageWidth: 40, imageHeight: 30 }
    expect(isRefetchedAfter('message.created', photo)).toBe(true)
    expect(isRefetchedAfter('message.created', {})).toBe(false)
    expect(isRefetchedAfter('message.changed', { ...photo, version: 1 })).toBe(true)
    expect(isRefetchedAfter('message.changed', { deleted: true, version: 2 })).toBe(true)
    expect(isRefetchedAfter('message.changed', { content: 'Edited', version: 3 })).toBe(false)
    const paidPhoto = { price: 5, unlocked: false }
    expect(isRefetchedAfter('message.changed', { ...photo, imageUrl: null, paidPhoto, version: 4 })).toBe(
      true,
    )
  })

  test('refetches everything once a mass message has been sent', () => {
    client.setQueryData(messageKeys.massMessages, { messages: [] })
    receiveEvent('mass_message.finished', {})
    for (const key of [messageKeys.massMessages, messageKeys.conversations, messageKeys.thread(ada)])
      expect(isInvalidated(key)).toBe(true)
  })

  test('refetches everything after an invalid payload and ignores unknown events', () => {
    client.setQueryData(messageKeys.details(ada), {})
    receiveEvent('message.created', { nonsense: true })
    expect(isInvalidated(messageKeys.details(ada))).toBe(true)
    expect(isInvalidated(messageKeys.conversations)).toBe(true)
    expect(isInvalidated(messageKeys.thread(ada))).toBe(true)
    receiveEvent('something.else', {})
    expect(thread()).toEqual(messages(1, 3))
  })

  test('keeps a message that arrives during the first fetch of its thread', async () => {
    const responses: ((thread: Thread) => void)[] = []
    const observer = new QueryObserver(client, {
      queryKey: messageKeys.thread(bea),
      queryFn: () => new Promise<Thread>((resolve) => responses.push(resolve)),
    })
    const unsubscribe = observer.subscribe(() => {})
    receiveEvent('message.created', {
      message: message(4, { other: bea }),
      otherUserId: bea,
      unreadTotal: 1,
      unreadCount: 1,
    })
    // The first response was built before the message was sent.
    responses[0]?.(messages(1, 3))
    await vi.waitFor(() => expect(responses).toHaveLength(2))
    responses[1]?.(messages(1, 4))
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toHaveLength(4))
    unsubscribe()
  })
})

test('applyOwnRead returns false if an event has already reported the read position', () => {
  receiveMessage(4, 1)
  receiveRead(me, 4, 0)
  expect(applyOwnRead(client, me, ada, 4)).toBe(false)
  receiveMessage(5, 1)
  expect(applyOwnRead(client, me, ada, 4)).toBe(false)
  expect(list()?.items[0]?.isRead).toBe(false)
  expect(applyOwnRead(client, me, ada, 5)).toBe(true)
  expect(list()?.items[0]?.isRead).toBe(true)
})

describe('recordMessage', () => {
  test('reports each message as new only once', () => {
    const first = recordMessage({}, ada, 4)
    expect(first.isNew).toBe(true)
    expect(recordMessage(first.marks, ada, 4).isNew).toBe(false)
    expect(recordMessage(first.marks, ada, 3).isNew).toBe(false)
    expect(recordMessage(first.marks, ada, 5).isNew).toBe(true)
    expect(recordMessage(first.marks, bea, 1).isNew).toBe(true)
  })

  test('does not report a message as new if it was already read', () => {
    const { marks } = recordRead({}, ada, 7)
    expect(recordMessage(marks, ada, 7).isNew).toBe(false)
    expect(recordMessage(marks, ada, 8).isNew).toBe(true)
  })
})

test('recordRead reports a position as new once, and as incomplete if a newer message is known', () => {
  const marks: ReadMarks = { [ada]: { seq: 9, readSeq: 0 } }
  const partly = recordRead(marks, ada, 8)
  expect(partly).toMatchObject({ isNew: true, complete: false })
  expect(recordRead(partly.marks, ada, 8).isNew).toBe(false)
  expect(recordRead(partly.marks, ada, 9)).toMatchObject({ isNew: true, complete: true })
})
