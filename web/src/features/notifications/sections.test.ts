import { describe, expect, it } from 'vitest'
import { notification } from './notification-fixture'
import { findNew, groupBySection, type ListedAsNew } from './sections'

describe('findNew', () => {
  const page = (...unread: [id: string, isUnread: boolean][]) => ({
    items: unread.map(([id, isUnread]) => ({ ...notification(id), isRead: !isUnread })),
    nextCursor: null,
  })

  const newIds = (listed: ListedAsNew) =>
    [...listed].flatMap(([key, isNew]) => (isNew ? [key.split(' ')[0]] : []))

  it('finds the unread ones on the first page', () => {
    const first = page(['a', true], ['b', false], ['c', true], ['d', false])
    expect(newIds(findNew([first], new Map()))).toEqual(['a', 'c'])
  })

  it('finds unread ones on later pages only while everything above is new', () => {
    const next = page(['b', true], ['c', false], ['d', true])
    expect(newIds(findNew([page(['a', true]), next], new Map()))).toEqual(['a', 'b'])
    expect(newIds(findNew([page(['a', false]), next], new Map()))).toEqual([])
  })

  it('keeps each notification where it was listed first, unless it changes', () => {
    const before = findNew([page(['a', true], ['b', false]), page(['c', true])], new Map())
    // The notification 'b' was removed, so 'c' is on the first page, and 'a' was read.
    const after = findNew([page(['a', false], ['c', true], ['d', true])], before)
    expect(newIds(after)).toEqual(['a', 'd'])
    const grown = { ...notification('c'), createdAt: '2026-01-02T00:00:00Z' }
    expect(newIds(findNew([{ items: [grown], nextCursor: null }], after))).toEqual(['a', 'd', 'c'])
  })
})

describe('groupBySection', () => {
  const now = new Date(2026, 2, 12, 9).getTime()
  const none: ListedAsNew = new Map()
  const from = (year: number, month: number, day: number, hour = 12, id = 'a') => ({
    ...notification(id),
    createdAt: new Date(year, month, day, hour).toISOString(),
  })

  it('separates today, yesterday, the five calendar days before and everything earlier, without empty sections', () => {
    const items = [
      from(2026, 2, 12, 0),
      from(2026, 2, 11, 0),
      from(2026, 2, 10, 23),
      from(2026, 2, 6, 0),
      from(2026, 2, 5, 23),
    ]
    expect(groupBySection(items, none, now).map(({ section, items }) => [section, items.length])).toEqual([
      ['today', 1],
      ['yesterday', 1],
      ['week', 2],
      ['earlier', 1],
    ])
    expect(groupBySection(items.slice(4), none, now).map(({ section }) => section)).toEqual(['earlier'])
    expect(groupBySection([], none, now)).toEqual([])
  })

  it('lists new notifications first, whatever their age', () => {
    const items = [from(2026, 2, 12), from(2026, 2, 11, 12, 'b'), from(2026, 1, 1, 12, 'b')]
    const listed = findNew(
      [{ items: items.map((item) => ({ ...item, isRead: item.id === 'a' })), nextCursor: null }],
      none,
    )
    const grouped = groupBySection(items, listed, now)
    expect(grouped.map(({ section, items }) => [section, items.length])).toEqual([
      ['new', 2],
      ['today', 1],
    ])
  })

  it('lists a notification with a future time under today', () => {
    expect(groupBySection([from(2026, 2, 13)], none, now)).toMatchObject([{ section: 'today' }])
  })
})
