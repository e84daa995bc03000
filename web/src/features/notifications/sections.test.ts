import { describe, expect, it } from 'vitest'
import { notification } from './notification-fixture'
import { groupBySection } from './sections'

describe('groupBySection', () => {
  const now = new Date(2026, 2, 12, 9).getTime()
  const from = (year: number, month: number, day: number, hour = 12) => ({
    ...notification('a'),
    createdAt: new Date(year, month, day, hour).toISOString(),
  })

  it('separates today, the six calendar days before and everything earlier, without empty sections', () => {
    const items = [
      from(2026, 2, 12, 0),
      from(2026, 2, 11, 23),
      from(2026, 2, 10, 0),
      from(2026, 2, 6, 0),
      from(2026, 2, 5, 23),
    ]
    expect(groupBySection(items, now).map(({ section, items }) => [section, items.length])).toEqual([
      ['today', 1],
      ['week', 3],
      ['earlier', 1],
    ])
    expect(groupBySection(items.slice(4), now).map(({ section }) => section)).toEqual(['earlier'])
    expect(groupBySection([], now)).toEqual([])
  })

  it('ignores whether a notification is read, and keeps the order', () => {
    const [first, second, third] = [from(2026, 2, 12), from(2026, 2, 12, 1), from(2026, 2, 11)]
    const items = [{ ...first, isRead: true }, second, third]
    expect(groupBySection(items, now)).toEqual([
      { section: 'today', items: items.slice(0, 2) },
      { section: 'week', items: items.slice(2) },
    ])
  })

  it('lists a notification with a future time under today', () => {
    expect(groupBySection([from(2026, 2, 13)], now)).toMatchObject([{ section: 'today' }])
  })
})
