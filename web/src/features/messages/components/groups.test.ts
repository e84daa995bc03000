import { expect, test } from 'vitest'
import type { OutboxItem } from '../outbox/outbox'
import { ada, me, message } from '../realtime/testMessages'
import { groupBubbles, lastSeenId, newFromOther, toBubbles } from './groups'

const item = (id: string): OutboxItem => ({
  id,
  receiverId: ada,
  content: 'on its way',
  createdAt: '2026-01-01T12:00:59.000Z',
  state: 'pending',
  replyTo: null,
  image: null,
  imageUrl: null,
})

test('what is on its way stands last, and once it is stored only once', () => {
  const thread = [message(1), message(2, { senderId: me })]
  expect(toBubbles(thread, [item('new')], me).map((one) => one.state)).toEqual(['sent', 'sent', 'pending'])
  expect(toBubbles(thread, [item(message(2).id)], me)).toHaveLength(2)
})

test('groups by sender and minute', () => {
  const at = (seq: number, time: string, senderId = ada) =>
    message(seq, { senderId, createdAt: `2026-01-01T12:${time}.000Z` })
  const thread = [at(1, '00:10'), at(2, '00:50'), at(3, '01:00'), at(4, '01:10', me), at(5, '01:20', me)]
  expect(groupBubbles(toBubbles(thread, [], me)).map((group) => group.bubbles.length)).toEqual([2, 1, 2])
})

test('the seen mark is on the last own message that was seen', () => {
  const thread = [
    message(1, { senderId: me, isRead: true }),
    message(2, { senderId: me, isRead: true }),
    message(3, { isRead: true }),
    message(4, { senderId: me }),
  ]
  expect(lastSeenId(toBubbles(thread, [], me), me)).toBe(message(2).id)
  expect(lastSeenId([], me)).toBeUndefined()
})

test('news are what the other person wrote below, whatever of mine is on its way or came above', () => {
  const before = toBubbles([message(3), message(4, { senderId: me })], [item('a')], me)
  const seqs = (thread: Parameters<typeof toBubbles>[0], items: OutboxItem[] = []) =>
    newFromOther(before, toBubbles(thread, items, me), me).map((bubble) => bubble.content)
  expect(seqs([message(3), message(4, { senderId: me })])).toEqual([])
  expect(seqs([message(2), message(3), message(5), message(6)], [item('a')])).toEqual([
    'message 5',
    'message 6',
  ])
  expect(seqs([message(80)])).toEqual(['message 80'])
})
