import { describe, expect, test } from 'vitest'
import { ada, bea, conversation, me, message } from '../message-fixture'
import {
  applyChangeToList,
  applyMessageToList,
  applyReadToList,
  type ConversationList,
  markAllRead,
  mergeFilteredPage,
  mergeFirstPage,
  mergeNextPage,
} from './conversations'

const list = (...items: ConversationList['items']): ConversationList => ({ items, nextCursor: null })
const userIds = (value: ConversationList | undefined) => value?.items.map(({ otherUserId }) => otherUserId)
const fromAda = (seq: number, unreadCount: number) => ({
  message: message(seq),
  otherUserId: ada,
  unreadCount,
})

describe('applyMessageToList', () => {
  test('moves the conversation to the top and marks it unread', () => {
    const { list: updated, gap } = applyMessageToList(
      list(conversation(bea, 5), conversation(ada, 3)),
      fromAda(9, 2),
    )
    expect(gap).toBe(false)
    expect(userIds(updated)).toEqual([ada, bea])
    expect(updated?.items[0]).toMatchObject({
      isRead: false,
      unreadCount: 2,
      lastMessage: { content: 'message 9' },
    })
  })

  test('sets hasWritten when the user sends a message, not when they receive one', () => {
    const initial = list(conversation(ada, 3, { hasWritten: false }))
    const addMessage = (senderId: string, seq: number, to = initial) =>
      applyMessageToList(to, {
        message: message(seq, { senderId, other: ada }),
        otherUserId: ada,
        unreadCount: 0,
      }).list
    const answered = addMessage(me, 4)
    expect(addMessage(ada, 4)?.items[0]?.hasWritten).toBe(false)
    expect(answered?.items[0]?.hasWritten).toBe(true)
    expect(addMessage(ada, 5, answered)?.items[0]?.hasWritten).toBe(true)
    // The server's `hasWritten` is kept even if a newer message arrived during the request.
    expect(mergeFirstPage(addMessage(ada, 9), list(conversation(ada, 4))).items[0]).toMatchObject({
      hasWritten: true,
      lastMessage: { content: 'message 9' },
    })
  })

  test('does not mark a read conversation unread after a repeated message', () => {
    const read = list(conversation(ada, 9))
    expect(applyMessageToList(read, fromAda(9, 1)).list).toBe(read)
  })

  test('does not replace a newer message with a late one', () => {
    const unread = list(conversation(ada, 9, { isRead: false, unreadCount: 2 }))
    expect(applyMessageToList(unread, fromAda(8, 1)).list).toBe(unread)
  })

  test('orders two messages of the same millisecond by their microseconds', () => {
    const sentAt = (createdAt: string, seq: number) => ({
      ...fromAda(seq, seq),
      message: message(seq, { createdAt }),
    })
    const first = applyMessageToList(
      list(conversation(ada, 1)),
      sentAt('2026-02-01T00:00:00.123456+00:00', 2),
    ).list
    const second = applyMessageToList(first, sentAt('2026-02-01T00:00:00.123457+00:00', 3)).list
    expect(second?.items[0]?.lastMessage?.content).toBe('message 3')
  })

  test('reports a gap if the conversation is not in the list', () => {
    expect(applyMessageToList(list(conversation(bea, 1)), fromAda(1, 1)).gap).toBe(true)
    expect(applyMessageToList(undefined, fromAda(1, 1)).gap).toBe(false)
  })
})

test('applyReadToList marks a conversation as read only if the user read it', () => {
  const unread = list(conversation(ada, 3, { isRead: false, unreadCount: 3 }))
  expect(applyReadToList(unread, { otherUserId: ada, readerId: me })?.items[0]).toMatchObject({
    isRead: true,
    unreadCount: 0,
  })
  expect(applyReadToList(unread, { otherUserId: ada, readerId: ada })).toBe(unread)
})

test('markAllRead marks every conversation as read and changes nothing the second time', () => {
  const read = markAllRead(
    list(conversation(ada, 3, { isRead: false, unreadCount: 3 }), conversation(bea, 1)),
  )
  expect(read?.items.every(({ isRead, unreadCount }) => isRead && unreadCount === 0)).toBe(true)
  expect(markAllRead(read)).toBe(read)
})

describe('mergeFirstPage', () => {
  test('keeps a conversation marked as read if the user read it during the request', () => {
    const unread = conversation(ada, 9, { isRead: false, unreadCount: 2 })
    const before = list(unread)
    const read = applyReadToList(before, { otherUserId: ada, readerId: me })
    expect(mergeFirstPage(read, list(unread), before).items[0]).toMatchObject({
      isRead: true,
      unreadCount: 0,
    })
    // The page's unread state wins if it has a newer message, or if the user had read the conversation before the
    // request.
    const newer = conversation(ada, 10, { isRead: false, unreadCount: 1 })
    expect(mergeFirstPage(read, list(newer), before).items[0]).toMatchObject({ isRead: false })
    expect(mergeFirstPage(read, list(unread), read).items[0]).toMatchObject({ isRead: false })
  })

  test('keeps the later pages and their cursor', () => {
    const loaded = { items: [conversation(ada, 9), conversation(bea, 2)], nextCursor: 'later' }
    const page = { items: [conversation(ada, 10)], nextCursor: 'sooner' }
    const merged = mergeFirstPage(loaded, page)
    expect(userIds(merged)).toEqual([ada, bea])
    expect(merged.items[0]?.lastMessage?.content).toBe('message 10')
    expect(merged.nextCursor).toBe('later')
    expect(mergeFirstPage(loaded, { items: [], nextCursor: null }).items).toEqual([])
  })

  test('keeps a message that arrived during the request', () => {
    const loaded = list(conversation(ada, 9, { isRead: false, unreadCount: 1 }), conversation(bea, 1))
    const merged = mergeFirstPage(loaded, list(conversation(ada, 8), conversation(bea, 1)))
    expect(merged.items[0]).toMatchObject({ unreadCount: 1, lastMessage: { content: 'message 9' } })
  })

  test('shows the users on later pages as offline', () => {
    const presence = { online: true, lastSeenAt: null }
    const loaded = { items: [conversation(ada, 9), conversation(bea, 5, { presence })], nextCursor: null }
    const page = { items: [conversation(ada, 9, { presence })], nextCursor: 'next' }
    const { items } = mergeFirstPage(loaded, page)
    expect(items.map((item) => item.presence.online)).toEqual([true, false])
  })
})

describe('mergeFilteredPage', () => {
  const unread = { isRead: false, unreadCount: 1 }

  /** Merges a page that was requested while `loaded` was shown. */
  const merge = (loaded: ConversationList | undefined, page: ConversationList, options = {}) =>
    mergeFilteredPage(loaded, page, { filter: 'unread', before: loaded, openUserId: null, ...options })

  test('keeps a conversation that was read while the list was shown', () => {
    const loaded = list(conversation(ada, 9, unread), conversation(bea, 5))
    const merged = merge(loaded, list(conversation(ada, 10, unread)))
    expect(userIds(merged)).toEqual([ada, bea])
    expect(merged.items.map(({ unreadCount }) => unreadCount)).toEqual([1, 0])
    expect(merge(undefined, list()).items).toEqual([])
  })

  test('removes unread conversations that the page does not contain, such as those of deleted accounts', () => {
    const loaded = list(conversation(ada, 9, unread), conversation(bea, 5, unread))
    expect(merge(loaded, list()).items).toEqual([])
    expect(merge(loaded, { items: [conversation(bea, 5, unread)], nextCursor: 'next' }).items).toHaveLength(1)
  })

  test('keeps the open conversation and marks it as read', () => {
    const loaded = list(conversation(ada, 9, unread), conversation(bea, 5, unread))
    const merged = merge(loaded, list(), { openUserId: bea })
    expect(merged.items).toMatchObject([{ otherUserId: bea, isRead: true, unreadCount: 0 }])
  })

  test('removes a user who is no longer a subscriber, unless their conversation is open', () => {
    const loaded = list(conversation(ada, 9), conversation(bea, 5, unread))
    const merged = merge(loaded, list(), { filter: 'subscribers', openUserId: bea })
    expect(merged.items).toMatchObject([{ otherUserId: bea, isRead: false }])
  })

  test('keeps a conversation with a message that arrived during the request', () => {
    const loaded = list(conversation(ada, 9, unread))
    const merged = merge(loaded, list(), { before: list(conversation(ada, 8)) })
    expect(merged.items).toMatchObject([{ unreadCount: 1, lastMessage: { content: 'message 9' } }])
  })

  test('keeps the later pages unchanged', () => {
    const loaded = {
      items: [conversation(ada, 9, unread), conversation(bea, 2, unread)],
      nextCursor: 'later',
    }
    const page = { items: [conversation(ada, 10, unread)], nextCursor: 'sooner' }
    const merged = merge(loaded, page)
    expect(merged.items[1]).toMatchObject({ otherUserId: bea, unreadCount: 1 })
    expect(merged.nextCursor).toBe('later')
  })

  test('keeps the later pages of subscribers who have received only mass messages', () => {
    const loaded = {
      items: [bea, ada].map((id) => conversation(id, 1, { lastMessage: null })),
      nextCursor: 'later',
    }
    const page = { items: loaded.items.slice(0, 1), nextCursor: 'sooner' }
    expect(merge(loaded, page, { filter: 'subscribers' })).toEqual(loaded)
    // Bea is missing from the page although she precedes Ada, so she is no longer a subscriber.
    const pageWithoutBea = { items: loaded.items.slice(1), nextCursor: 'sooner' }
    expect(userIds(merge(loaded, pageWithoutBea, { filter: 'subscribers' }))).toEqual([ada])
  })

  test('keeps a message request that was answered while the list was shown', () => {
    const loaded = list(conversation(ada, 9), conversation(bea, 5, { hasWritten: false }))
    expect(userIds(merge(loaded, list(), { filter: 'requests' }))).toEqual([ada])
    const { items } = merge(loaded, list(), { filter: 'requests', openUserId: bea })
    expect(items.map(({ hasWritten }) => hasWritten)).toEqual([true, true])
  })
})

test('mergeNextPage adds only conversations that are not loaded', () => {
  const merged = mergeNextPage(list(conversation(ada, 9)), list(conversation(ada, 1), conversation(bea, 1)))
  expect(userIds(merged)).toEqual([ada, bea])
  expect(merged.items[0]?.lastMessage?.content).toBe('message 9')
})

test('applyChangeToList updates only the last message and never restores a deleted one', () => {
  const loaded = list(conversation(ada, 3))
  const applyChange = (seq: number, changes: Parameters<typeof message>[1]) =>
    applyChangeToList(loaded, { otherUserId: ada, message: message(seq, changes) })
  expect(applyChange(2, { content: 'edited' })).toBe(loaded)
  expect(applyChange(3, {})).toBe(loaded)
  expect(applyChange(3, { content: 'edited' })?.items[0]?.lastMessage?.content).toBe('edited')
  const deleted = applyChange(3, { content: '', deleted: true })
  expect(deleted?.items[0]?.lastMessage).toMatchObject({ content: '', deleted: true })
  expect(applyChangeToList(deleted, { otherUserId: ada, message: message(3) })).toBe(deleted)
})
