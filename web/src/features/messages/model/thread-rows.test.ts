import { expect, test } from 'vitest'
import { ada, me, message, messages } from '../message-fixture'
import type { OutboxItem } from '../outbox/outbox-item'
import { toBubbles } from './bubbles'
import { groupIntoBlocks, isSameBlock, messageIdsInBlock, type RowBlock, threadRows } from './thread-rows'

const rows = (thread: Parameters<typeof toBubbles>[0], unreadId?: string) =>
  threadRows(toBubbles(thread, [], me), unreadId)

test('days and the unread stand before what they begin', () => {
  const thread = [
    message(1, { createdAt: '2026-01-01T12:00:00.000Z' }),
    message(2, { createdAt: '2026-01-01T12:00:05.000Z' }),
    message(3, { createdAt: '2026-01-03T12:00:00.000Z' }),
  ]
  expect(rows(thread, message(2).id).map((row) => row.kind)).toEqual([
    'day',
    'group',
    'unread',
    'group',
    'day',
    'group',
  ])
  expect(rows([])).toEqual([])
})

test('blocks hold every message once, and stay the same when older ones come before them', () => {
  const later = groupIntoBlocks(rows(messages(51, 150)))
  const all = groupIntoBlocks(rows(messages(1, 150)))
  expect(all.flatMap(messageIdsInBlock)).toEqual(messages(1, 150).map((one) => one.id))
  const blockOf = (blocks: typeof all, seq: number) =>
    blocks.find((block) => messageIdsInBlock(block).includes(message(seq).id))?.key
  const keys = messages(51, 150).map(({ seq }) => blockOf(all, seq))
  expect(messages(51, 150).map(({ seq }) => blockOf(later, seq))).toEqual(keys)
  expect(new Set(keys).size).toBeGreaterThan(1)
})

test('a block is drawn again only where something in it changed', () => {
  const thread = messages(1, 130)
  const before = groupIntoBlocks(rows(thread))
  const after = groupIntoBlocks(rows(thread.with(129, message(130, { version: 1, content: 'changed' }))))
  expect(before.map((block, at) => isSameBlock(block, after[at] ?? block))).toEqual([true, true, false])
})

/** The messages of one minute, all of one person: one group. */
const oneMinute = (first: number, last: number, senderId?: string) =>
  messages(first, last).map(({ seq }) =>
    message(seq, { createdAt: '2026-01-01T12:00:00.000Z', ...(senderId ? { senderId } : {}) }),
  )

/** In which block, and in which group, a message is drawn. */
function placeOf(blocks: RowBlock[], seq: number) {
  for (const { key, rows } of blocks) {
    for (const row of rows) {
      const holds = row.kind === 'group' && row.group.bubbles.some((bubble) => bubble.seq === seq)
      if (holds) return { block: key, group: row.key }
    }
  }
  throw new Error(`Message ${seq} is not drawn.`)
}

test('a group that goes on stays where it is drawn, whether older messages are loaded or newer ones come', () => {
  const opened = groupIntoBlocks(rows(oneMinute(23, 24)))
  const grown = groupIntoBlocks(rows(oneMinute(23, 26)), opened)
  const answered = groupIntoBlocks(rows([...oneMinute(23, 26), ...oneMinute(27, 28, me)]), grown)
  const older = groupIntoBlocks(rows([...oneMinute(1, 26), ...oneMinute(27, 28, me)]), answered)
  for (const blocks of [grown, answered, older]) {
    expect(placeOf(blocks, 24)).toEqual(placeOf(opened, 24))
    expect(placeOf(blocks, 26)).toEqual(placeOf(opened, 24))
  }
  expect(placeOf(older, 28)).toEqual(placeOf(answered, 28))
  expect(new Set(older.map(({ key }) => key)).size).toBe(older.length)
})

test('what is sent stays where it was drawn on its way, in a block that does not grow without end', () => {
  const item: OutboxItem = {
    id: message(25).id,
    receiverId: ada,
    content: 'message 25',
    createdAt: '2026-01-01T13:00:00.000Z',
    state: 'pending',
    replyTo: null,
    image: null,
    imageUrl: null,
  }
  const onItsWay = groupIntoBlocks(threadRows(toBubbles(messages(1, 24), [item], me), undefined))
  const sent = message(25, { senderId: me, createdAt: item.createdAt })
  const stored = groupIntoBlocks(rows([...messages(1, 24), sent]), onItsWay)
  const blocks = [onItsWay, stored].map((all) => all.map((block) => [block.key, block.messages]))
  expect(blocks).toEqual([
    [
      [0, 24],
      [1, 1],
    ],
    [
      [0, 24],
      [1, 1],
    ],
  ])
})

test('a group that becomes two is one of them still', () => {
  const one = groupIntoBlocks(rows(oneMinute(1, 4)))
  const two = groupIntoBlocks(rows(oneMinute(1, 4), message(3).id), one)
  const keys = two.flatMap((block) => block.rows.map(({ key }) => key))
  expect(new Set(keys).size).toBe(keys.length)
  expect(placeOf(two, 1)).toEqual(placeOf(one, 1))
})
