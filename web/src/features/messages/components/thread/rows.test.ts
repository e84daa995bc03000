import { expect, test } from 'vitest'
import { me, message, messages } from '../../realtime/testMessages'
import { toBubbles } from '../groups'
import { blocksOf, idsOf, isSameBlock, rowsOf } from './rows'

const rows = (thread: Parameters<typeof toBubbles>[0], unreadId?: string) =>
  rowsOf(toBubbles(thread, [], me), unreadId)

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
  const later = blocksOf(rows(messages(51, 150)))
  const all = blocksOf(rows(messages(1, 150)))
  expect(all.flatMap(idsOf)).toEqual(messages(1, 150).map((one) => one.id))
  const blockOf = (blocks: typeof all, seq: number) =>
    blocks.find((block) => idsOf(block).includes(message(seq).id))?.key
  const keys = messages(51, 150).map(({ seq }) => blockOf(all, seq))
  expect(messages(51, 150).map(({ seq }) => blockOf(later, seq))).toEqual(keys)
  expect(new Set(keys).size).toBeGreaterThan(1)
})

test('a block is drawn again only where something in it changed', () => {
  const thread = messages(1, 130)
  const before = blocksOf(rows(thread))
  const after = blocksOf(rows(thread.with(129, message(130, { version: 1, content: 'changed' }))))
  expect(before.map((block, at) => isSameBlock(block, after[at] ?? block))).toEqual([true, true, false])
})
