import { expect, test } from 'vitest'
import { ada, bea, conversation, me, message } from '../message-fixture'
import {
  applyChangeToList,
  applyMessageToList,
  applyReadToList,
  type ConversationList,
  markAllRead,
  mergeFirstPage,
  mergeNextPage,
} from './conversations'

const list = (...items: ConversationList['items']): ConversationList => ({ items, nextCursor: null })
const order = (value: ConversationList | undefined) => value?.items.map((one) => one.otherUserId)
const fromAda = (seq: number, unreadCount: number) => ({
  message: message(seq),
  otherUserId: ada,
  unreadCount,
})

test('a new message lifts its conversation and marks it unread', () => {
  const { list: after, gap } = applyMessageToList(
    list(conversation(bea, 5), conversation(ada, 3)),
    fromAda(9, 2),
  )
  expect(gap).toBe(false)
  expect(order(after)).toEqual([ada, bea])
  expect(after?.items[0]).toMatchObject({
    isRead: false,
    unreadCount: 2,
    lastMessage: { content: 'message 9' },
  })
})

test('who sends a message has written in its conversation from then on, and who only receives has not', () => {
  const received = list(conversation(ada, 3, { hasWritten: false }))
  const after = (senderId: string, seq: number, before = received) =>
    applyMessageToList(before, {
      message: message(seq, { senderId, other: ada }),
      otherUserId: ada,
      unreadCount: 0,
    }).list
  const answered = after(me, 4)
  expect(after(ada, 4)?.items[0]?.hasWritten).toBe(false)
  expect(answered?.items[0]?.hasWritten).toBe(true)
  expect(after(ada, 5, answered)?.items[0]?.hasWritten).toBe(true)
  // What the list says of it counts, also where a newer message came while it was on its way.
  expect(mergeFirstPage(after(ada, 9), list(conversation(ada, 4))).items[0]).toMatchObject({
    hasWritten: true,
    lastMessage: { content: 'message 9' },
  })
})

test('a repeated message does not mark a read conversation unread again', () => {
  const read = list(conversation(ada, 9))
  expect(applyMessageToList(read, fromAda(9, 1)).list).toBe(read)
})

test('a message that comes late does not push out a newer one', () => {
  const newer = list(conversation(ada, 9, { isRead: false, unreadCount: 2 }))
  expect(applyMessageToList(newer, fromAda(8, 1)).list).toBe(newer)
})

test('microseconds decide between two messages of one millisecond', () => {
  const at = (time: string, seq: number) => ({
    ...fromAda(seq, seq),
    message: message(seq, { createdAt: time }),
  })
  const first = applyMessageToList(list(conversation(ada, 1)), at('2026-02-01T00:00:00.123456+00:00', 2)).list
  const second = applyMessageToList(first, at('2026-02-01T00:00:00.123457+00:00', 3)).list
  expect(second?.items[0]?.lastMessage?.content).toBe('message 3')
})

test('a message of an unknown conversation asks for the list', () => {
  expect(applyMessageToList(list(conversation(bea, 1)), fromAda(1, 1)).gap).toBe(true)
  expect(applyMessageToList(undefined, fromAda(1, 1)).gap).toBe(false)
})

test('reading on another page clears the dot; the other person’s reading does not', () => {
  const unread = list(conversation(ada, 3, { isRead: false, unreadCount: 3 }))
  expect(applyReadToList(unread, { otherUserId: ada, readerId: me })?.items[0]).toMatchObject({
    isRead: true,
    unreadCount: 0,
  })
  expect(applyReadToList(unread, { otherUserId: ada, readerId: ada })).toBe(unread)
})

test('marking all read touches every conversation once', () => {
  const after = markAllRead(
    list(conversation(ada, 3, { isRead: false, unreadCount: 3 }), conversation(bea, 1)),
  )
  expect(after?.items.every((one) => one.isRead && one.unreadCount === 0)).toBe(true)
  expect(markAllRead(after)).toBe(after)
})

test('a fresh first page keeps the pages loaded after it, and their place to go on', () => {
  const held = { items: [conversation(ada, 9), conversation(bea, 2)], nextCursor: 'later' }
  const page = { items: [conversation(ada, 10)], nextCursor: 'sooner' }
  const after = mergeFirstPage(held, page)
  expect(order(after)).toEqual([ada, bea])
  expect(after.items[0]?.lastMessage?.content).toBe('message 10')
  expect(after.nextCursor).toBe('later')
  expect(mergeFirstPage(held, { items: [], nextCursor: null }).items).toEqual([])
})

test('a first page that was on its way does not take back what arrived meanwhile', () => {
  const held = list(conversation(ada, 9, { isRead: false, unreadCount: 1 }), conversation(bea, 1))
  const after = mergeFirstPage(held, list(conversation(ada, 8), conversation(bea, 1)))
  expect(after.items[0]).toMatchObject({ unreadCount: 1, lastMessage: { content: 'message 9' } })
})

test('a next page adds only what is not held', () => {
  const after = mergeNextPage(list(conversation(ada, 9)), list(conversation(ada, 1), conversation(bea, 1)))
  expect(order(after)).toEqual([ada, bea])
  expect(after.items[0]?.lastMessage?.content).toBe('message 9')
})

test('a change of the last message shows in the list, of any other one not', () => {
  const held = list(conversation(ada, 3))
  const changed = (seq: number, changes: Parameters<typeof message>[1]) =>
    applyChangeToList(held, { otherUserId: ada, message: message(seq, changes) })
  expect(changed(2, { content: 'edited' })).toBe(held)
  expect(changed(3, {})).toBe(held)
  expect(changed(3, { content: 'edited' })?.items[0]?.lastMessage?.content).toBe('edited')
  const gone = changed(3, { content: '', deleted: true })
  expect(gone?.items[0]?.lastMessage).toMatchObject({ content: '', deleted: true })
  // What was taken back does not come back.
  expect(applyChangeToList(gone, { otherUserId: ada, message: message(3) })).toBe(gone)
})

test('who lies behind the first page is not said to be online for ever', () => {
  const online = { online: true, lastSeenAt: null }
  const held = { items: [conversation(ada, 9), conversation(bea, 5, { presence: online })], nextCursor: null }
  const page = { items: [conversation(ada, 9, { presence: online })], nextCursor: 'next' }
  const after = mergeFirstPage(held, page).items
  expect(after.map((one) => one.presence.online)).toEqual([true, false])
})
