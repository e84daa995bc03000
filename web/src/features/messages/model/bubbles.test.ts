import { expect, test } from 'vitest'
import { ada, me, message } from '../message-fixture'
import type { OutboxItem } from '../outbox/outbox'
import { groupBubbles, lastSeenId, newFromPartner, showsTimestamp, toBubbles } from './bubbles'
import { toQuote } from './thread'

const item = (id: string, changes: Partial<OutboxItem> = {}): OutboxItem => ({
  id,
  receiverId: ada,
  content: 'on its way',
  createdAt: '2026-01-01T12:00:59.000Z',
  state: 'pending',
  replyTo: null,
  image: null,
  imageUrl: null,
  ...changes,
})

test('what is on its way stands last, and once it is stored only once', () => {
  const thread = [message(1), message(2, { senderId: me })]
  expect(toBubbles(thread, [item('new')], me).map((one) => one.state)).toEqual(['sent', 'sent', 'pending'])
  expect(toBubbles(thread, [item(message(2).id)], me)).toHaveLength(2)
})

test('what stands behind one that could not be sent is queued; behind a refused one it goes', () => {
  const states = (items: OutboxItem[]) => toBubbles([message(1)], items, me).map((one) => one.queued)
  expect(states([item('a'), item('b', { state: 'waiting' }), item('c')])).toEqual([false, false, false, true])
  expect(states([item('a', { state: 'refused' }), item('b')])).toEqual([false, false, false])
})

test('what is on its way shows nothing any more of a deleted message that it answers', () => {
  const answered = message(1)
  const answer = item('a', { replyTo: toQuote(answered) })
  const quote = (thread: Parameters<typeof toBubbles>[0], wishes = {}) =>
    toBubbles(thread, [answer], me, wishes).at(-1)?.replyTo
  expect(quote([answered])).toMatchObject({ content: 'message 1', deleted: false })
  expect(quote([answered], { [answered.id]: { deleted: true } })).toMatchObject({
    content: '',
    deleted: true,
  })
  expect(quote([])).toMatchObject({ content: 'message 1' })
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

test('a group that was seen in part says so under the last that was', () => {
  const time = '2026-01-01T12:00:59.000Z'
  const sent = (seq: number, isRead: boolean) => message(seq, { senderId: me, isRead, createdAt: time })
  const bubbles = toBubbles([sent(1, true), sent(2, true), sent(3, false)], [item('a')], me)
  const [group, ...others] = groupBubbles(bubbles)
  expect(others).toEqual([])
  const seenId = lastSeenId(bubbles, me)
  const lines = group?.bubbles
    .filter((bubble) => showsTimestamp(bubble, group, seenId))
    .map(({ content }) => content)
  expect(lines).toEqual(['message 2', 'on its way'])
})

test('news are what the other person wrote below, whatever of mine is on its way or came above', () => {
  const before = toBubbles([message(3), message(4, { senderId: me })], [item('a')], me)
  const seqs = (thread: Parameters<typeof toBubbles>[0], items: OutboxItem[] = []) =>
    newFromPartner(before, toBubbles(thread, items, me), me).map((bubble) => bubble.content)
  expect(seqs([message(3), message(4, { senderId: me })])).toEqual([])
  expect(seqs([message(2), message(3), message(5), message(6)], [item('a')])).toEqual([
    'message 5',
    'message 6',
  ])
  expect(seqs([message(80)])).toEqual(['message 80'])
})

test('older messages that are loaded are no news, also where all that was there is mine', () => {
  const mine = [message(51, { senderId: me }), message(52, { senderId: me })]
  const contents = (now: Parameters<typeof toBubbles>[0]) =>
    newFromPartner(toBubbles(mine, [], me), toBubbles(now, [], me), me).map((bubble) => bubble.content)
  expect(contents([message(49), message(50), ...mine])).toEqual([])
  expect(contents([message(50), ...mine, message(53)])).toEqual(['message 53'])
})
