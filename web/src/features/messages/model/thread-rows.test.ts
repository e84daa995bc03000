import { describe, expect, test } from 'vitest'
import { ada, me, message, messages } from '../message-fixture'
import type { OutboxItem } from '../outbox/outbox'
import { toBubbles } from './bubbles'
import { groupIntoBlocks, isSameBlock, messageIdsInBlock, type RowBlock, threadRows } from './thread-rows'

const rows = (thread: Parameters<typeof toBubbles>[0], unreadId?: string) =>
  threadRows(toBubbles(thread, [], me), unreadId)

test('threadRows puts day and unread dividers before the first message that they apply to', () => {
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

test('isSameBlock is false only for the block whose message changed', () => {
  const thread = messages(1, 130)
  const before = groupIntoBlocks(rows(thread))
  const after = groupIntoBlocks(rows(thread.with(129, message(130, { version: 1, content: 'changed' }))))
  expect(before.map((block, index) => isSameBlock(block, after[index] ?? block))).toEqual([true, true, false])
})

describe('groupIntoBlocks', () => {
  /** Builds messages of the same minute, which form one group per sender. */
  const oneMinute = (first: number, last: number, senderId?: string) =>
    messages(first, last).map(({ seq }) =>
      message(seq, { createdAt: '2026-01-01T12:00:00.000Z', ...(senderId ? { senderId } : {}) }),
    )

  /** Returns the keys of the block and the group that contain a message. */
  function findPlace(blocks: RowBlock[], seq: number) {
    for (const { key: blockKey, rows: blockRows } of blocks) {
      for (const row of blockRows) {
        if (row.kind === 'group' && row.group.bubbles.some((bubble) => bubble.seq === seq)) {
          return { blockKey, groupKey: row.key }
        }
      }
    }
    throw new Error(`Message ${seq} is in no block.`)
  }

  test('puts each message into exactly one block, and keeps it there when older messages are loaded', () => {
    const newer = groupIntoBlocks(rows(messages(51, 150)))
    const all = groupIntoBlocks(rows(messages(1, 150)))
    expect(all.flatMap(messageIdsInBlock)).toEqual(messages(1, 150).map(({ id }) => id))
    const keys = messages(51, 150).map(({ seq }) => findPlace(all, seq).blockKey)
    expect(messages(51, 150).map(({ seq }) => findPlace(newer, seq).blockKey)).toEqual(keys)
    expect(new Set(keys).size).toBeGreaterThan(1)
  })

  test('keeps a growing group in its block when older or newer messages are added', () => {
    const opened = groupIntoBlocks(rows(oneMinute(23, 24)))
    const grown = groupIntoBlocks(rows(oneMinute(23, 26)), opened)
    const answered = groupIntoBlocks(rows([...oneMinute(23, 26), ...oneMinute(27, 28, me)]), grown)
    const withOlder = groupIntoBlocks(rows([...oneMinute(1, 26), ...oneMinute(27, 28, me)]), answered)
    for (const blocks of [grown, answered, withOlder]) {
      expect(findPlace(blocks, 24)).toEqual(findPlace(opened, 24))
      expect(findPlace(blocks, 26)).toEqual(findPlace(opened, 24))
    }
    expect(findPlace(withOlder, 28)).toEqual(findPlace(answered, 28))
    expect(new Set(withOlder.map(({ key }) => key)).size).toBe(withOlder.length)
  })

  test('keeps a sent message in the block of its outbox item and limits the size of that block', () => {
    const item: OutboxItem = {
      id: message(25).id,
      receiverId: ada,
      content: 'message 25',
      createdAt: '2026-01-01T13:00:00.000Z',
      state: 'pending',
      replyTo: null,
      image: null,
      voice: null,
      mediaUrl: null,
    }
    const pending = groupIntoBlocks(threadRows(toBubbles(messages(1, 24), [item], me), undefined))
    const sent = message(25, { senderId: me, createdAt: item.createdAt })
    const stored = groupIntoBlocks(rows([...messages(1, 24), sent]), pending)
    const sizes = [pending, stored].map((blocks) => blocks.map((block) => [block.key, block.messages]))
    const expected = [
      [0, 24],
      [1, 1],
    ]
    expect(sizes).toEqual([expected, expected])
  })

  test('gives the parts of a split group different keys and keeps the first part in place', () => {
    const whole = groupIntoBlocks(rows(oneMinute(1, 4)))
    const split = groupIntoBlocks(rows(oneMinute(1, 4), message(3).id), whole)
    const keys = split.flatMap((block) => block.rows.map(({ key }) => key))
    expect(new Set(keys).size).toBe(keys.length)
    expect(findPlace(split, 1)).toEqual(findPlace(whole, 1))
  })
})
