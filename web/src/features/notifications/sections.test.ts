import { describe, expect, it } from 'vitest'
import { notification } from './notification-fixture'
import { findNew, groupBySection } from './sections'

describe('findNew', () => {
  const page = (...unread: [id: string, isUnread: boolean][]) => ({
    items: unread.map(([id, isUnread]) => ({ ...notification(id), isRead: !isUnread })),
    nextCursor: null,
  })

  it('finds the unread ones on the first page, and those that were found before', () => {
    const first = page(['a', true], ['b', false], ['c', true], ['d', false])
    expect([...findNew([first], new Set(['b']))].sort()).toEqual(['a', 'b', 'c'])
  })

  it('finds unread ones on later pages only while everything above is new', () => {
    const next = page(['b', true], ['c', false], ['d', true])
    expect([...findNew([page(['a', true]), next], new Set())]).toEqual(['a', 'b'])
    expect([...findNew([page(['a', false]), next], new Set())]).toEqual([])
  })
})

describe('groupBySection', () => {
  const now = new Date(2026, 2, 12, 9).getTime()
  const noIds: ReadonlySet<string> = new Set()
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
    expect(groupBySection(items, noIds, now).map(({ section, items }) => [section, items.length])).toEqual([
      ['today', 1],
      ['yesterday', 1],
      ['week', 2],
      ['earlier', 1],
    ])
    expect(groupBySection(items.slice(4), noIds, now).map(({ section }) => section)).toEqual(['earlier'])
    expect(groupBySection([], noIds, now)).toEqual([])
  })

  it('lists new notifications first, whatever their age', () => {
    const items = [from(2026, 2, 12), from(2026, 2, 11, 12, 'b'), from(2026, 1, 1, 12, 'b')]
    const grouped = groupBySection(items, new Set(['b']), now)
    expect(grouped.map(({ section, items }) => [section, items.length])).toEqual([
      ['new', 2],
      ['today', 1],
    ])
  })

  it('lists a notification with a future time under today', () => {
    expect(groupBySection([from(2026, 2, 13)], noIds, now)).toMatchObject([{ section: 'today' }])
  })
})
