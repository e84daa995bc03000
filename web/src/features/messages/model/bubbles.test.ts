import { describe, expect, test } from 'vitest'
import { ada, me, message } from '../message-fixture'
import type { OutboxItem } from '../outbox/outbox'
import { groupBubbles, lastSeenId, newFromPartner, showsTimestamp, toBubbles } from './bubbles'
import { toQuote } from './thread'

const item = (id: string, changes: Partial<OutboxItem> = {}): OutboxItem => ({
  id,
  receiverId: ada,
  content: 'outbox item',
  createdAt: '2026-01-01T12:00:59.000Z',
  state: 'pending',
  replyTo: null,
  image: null,
  voice: null,
  mediaUrl: null,
  ...changes,
})

describe('toBubbles', () => {
  test('appends outbox items that are not stored yet', () => {
    const thread = [message(1), message(2, { senderId: me })]
    expect(toBubbles(thread, [item('new')], me).map(({ state }) => state)).toEqual([
      'sent',
      'sent',
      'pending',
    ])
    expect(toBubbles(thread, [item(message(2).id)], me)).toHaveLength(2)
  })

  test('marks items after a waiting item as queued, but not items after a refused one', () => {
    const queued = (items: OutboxItem[]) => toBubbles([message(1)], items, me).map((bubble) => bubble.queued)
    expect(queued([item('a'), item('b', { state: 'waiting' }), item('c')])).toEqual([
      false,
      false,
      false,
      true,
    ])
    expect(queued([item('a', { state: 'refused' }), item('b')])).toEqual([false, false, false])
  })

  test('hides the quoted text in an outbox item once the quoted message is deleted', () => {
    const quoted = message(1)
    const reply = item('a', { replyTo: toQuote(quoted) })
    const quoteIn = (thread: Parameters<typeof toBubbles>[0], edits = {}) =>
      toBubbles(thread, [reply], me, edits).at(-1)?.replyTo
    expect(quoteIn([quoted])).toMatchObject({ content: 'message 1', deleted: false })
    expect(quoteIn([quoted], { [quoted.id]: { deleted: true } })).toMatchObject({
      content: '',
      deleted: true,
    })
    expect(quoteIn([])).toMatchObject({ content: 'message 1' })
  })
})

test('groupBubbles groups by sender and minute', () => {
  const sentAt = (seq: number, time: string, senderId = ada) =>
    message(seq, { senderId, createdAt: `2026-01-01T12:${time}.000Z` })
  const thread = [
    sentAt(1, '00:10'),
    sentAt(2, '00:50'),
    sentAt(3, '01:00'),
    sentAt(4, '01:10', me),
    sentAt(5, '01:20', me),
  ]
  expect(groupBubbles(toBubbles(thread, [], me)).map((group) => group.bubbles.length)).toEqual([2, 1, 2])
})

test('groupBubbles joins groups of the same sender unless there is a pause between them', () => {
  const sentAt = (seq: number, time: string, senderId = ada) =>
    message(seq, { senderId, createdAt: `2026-01-01T12:${time}.000Z` })
  const thread = [sentAt(1, '00:00'), sentAt(2, '09:00'), sentAt(3, '19:00'), sentAt(4, '20:00', me)]
  const groups = groupBubbles(toBubbles(thread, [], me))
  expect(groups.map(({ joinsPrevious }) => joinsPrevious)).toEqual([false, true, false, false])
  expect(groups.map(({ joinsNext }) => joinsNext)).toEqual([true, false, false, false])
})

test("lastSeenId returns the id of the user's last message that was read", () => {
  const thread = [
    message(1, { senderId: me, isRead: true }),
    message(2, { senderId: me, isRead: true }),
    message(3, { isRead: true }),
    message(4, { senderId: me }),
  ]
  expect(lastSeenId(toBubbles(thread, [], me), me)).toBe(message(2).id)
  expect(lastSeenId([], me)).toBeUndefined()
})

test('beforePause is true for the last group and for a group before a pause of ten minutes', () => {
  const sentAt = (seq: number, time: string, senderId = ada) =>
    message(seq, { senderId, createdAt: `2026-01-01T12:${time}.000Z` })
  const thread = [sentAt(1, '00:00'), sentAt(2, '09:59', me), sentAt(3, '19:59'), sentAt(4, '25:00')]
  expect(groupBubbles(toBubbles(thread, [], me)).map(({ beforePause }) => beforePause)).toEqual([
    false,
    true,
    false,
    true,
  ])
})

test('showsTimestamp is true for the last seen bubble of a group and for its last bubble', () => {
  const createdAt = '2026-01-01T12:00:59.000Z'
  const sent = (seq: number, isRead: boolean) => message(seq, { senderId: me, isRead, createdAt })
  const bubbles = toBubbles([sent(1, true), sent(2, true), sent(3, false)], [item('a')], me)
  const [group, ...otherGroups] = groupBubbles(bubbles)
  expect(otherGroups).toEqual([])
  const seenId = lastSeenId(bubbles, me)
  const contents = group?.bubbles
    .filter((bubble) => showsTimestamp(bubble, group, seenId))
    .map(({ content }) => content)
  expect(contents).toEqual(['message 2', 'outbox item'])
})

describe('newFromPartner', () => {
  const newContents = (
    before: Parameters<typeof toBubbles>[0],
    after: Parameters<typeof toBubbles>[0],
    items: OutboxItem[] = [],
  ) =>
    newFromPartner(toBubbles(before, items, me), toBubbles(after, items, me), me).map(
      ({ content }) => content,
    )

  test('returns only newer messages from the other user', () => {
    const before = [message(3), message(4, { senderId: me })]
    expect(newContents(before, [message(3), message(4, { senderId: me })])).toEqual([])
    expect(newContents(before, [message(2), message(3), message(5), message(6)], [item('a')])).toEqual([
      'message 5',
      'message 6',
    ])
    expect(newContents(before, [message(80)])).toEqual(['message 80'])
  })

  test('ignores newly loaded older messages, even if the user sent all messages loaded before', () => {
    const own = [message(51, { senderId: me }), message(52, { senderId: me })]
    expect(newContents(own, [message(49), message(50), ...own])).toEqual([])
    expect(newContents(own, [message(50), ...own, message(53)])).toEqual(['message 53'])
  })
})
