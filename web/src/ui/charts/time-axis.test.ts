import { describe, expect, it } from 'vitest'
import {
  axisTicks,
  formatPoint,
  formatTimeSpan,
  groupByWeek,
  isWholeMonth,
  splitAtUnfinished,
  type TimePoint,
} from './time-axis'

const days = (count: number, of: (index: number) => Partial<TimePoint>): TimePoint[] =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    value: 1,
    ...of(index),
  }))

describe('byWeek', () => {
  it('ends with the last day and loses nothing', () => {
    const weeks = groupByWeek(days(365, () => ({ before: 2 })))
    expect(weeks).toHaveLength(52)
    expect(weeks[0]).toEqual({ day: '2026-01-01', until: '2026-01-08', value: 8, before: 16 })
    expect(weeks.at(-1)).toEqual({ day: '2026-12-25', until: '2026-12-31', value: 7, before: 14 })
    expect(weeks.reduce((sum, { value }) => sum + value, 0)).toBe(365)
  })

  it('keeps cents whole, and compares with nothing where there is nothing', () => {
    const weeks = groupByWeek(days(14, () => ({ value: 0.1 })))
    expect(weeks.map(({ value, before }) => [value, before])).toEqual([
      [0.7, undefined],
      [0.7, undefined],
    ])
  })

  it('is not over where its last day is not', () => {
    const weeks = groupByWeek(days(21, (index) => (index === 20 ? { open: true } : {})))
    expect(weeks.map(({ open }) => open)).toEqual([undefined, undefined, true])
  })

  it('leaves what is no two weeks as it is', () => {
    expect(groupByWeek(days(13, () => ({})))).toHaveLength(13)
    expect(groupByWeek([])).toEqual([])
  })
})

describe('axisLines', () => {
  it.each([
    [[0, 0], [0]],
    [[], [0]],
    [[1], [0, 1, 2]],
    [[3], [0, 1, 2, 3]],
    [[7], [0, 2, 4, 6, 8]],
    [
      [7, 93],
      [0, 25, 50, 75, 100],
    ],
    [
      [580, 12],
      [0, 200, 400, 600],
    ],
    [[1234], [0, 500, 1000, 1500]],
    [[0.5], [0, 0.2, 0.4, 0.6000000000000001]],
    [[238.4], [0, 100, 200, 300]],
    // Below nothing, in the same steps.
    [
      [-30, 1000],
      [-500, 0, 500, 1000],
    ],
    [[-5], [-6, -4, -2, 0]],
    [
      [-12.5, -90],
      [-100, -75, -50, -25, 0],
    ],
  ])('of %j are %j', (values, lines) => expect(axisTicks(values)).toEqual(lines))
})

describe('parted', () => {
  it('leads from what is over to what is not', () => {
    const points = days(3, (index) => ({ value: index + 5, before: 1, ...(index === 2 && { open: true }) }))
    expect(splitAtUnfinished(points).map(({ over, open }) => [over, open])).toEqual([
      [5, null],
      [6, 6],
      [null, 7],
    ])
    expect(formatPoint({ day: '2026-11-03', value: 1, open: true })).toMatch(/2026, not over yet$/)
  })

  it('is one line where all is over', () => {
    expect(splitAtUnfinished(days(2, () => ({}))).map(({ over, open }) => [over, open])).toEqual([
      [1, null],
      [1, null],
    ])
  })
})

describe('stretchText', () => {
  it('names a day with its year and a week by both ends', () => {
    expect(formatTimeSpan({ day: '2026-11-03' })).toContain('2026')
    expect(formatTimeSpan({ day: '2026-11-03', until: '2026-11-09' })).toMatch(/3.*9/)
  })

  it('names a whole month, and no part of one', () => {
    expect(formatTimeSpan({ day: '2026-02-01', until: '2026-02-28' })).toMatch(/^\D+ 2026$/)
    expect(isWholeMonth({ day: '2028-02-01', until: '2028-02-28' })).toBe(false)
    expect(isWholeMonth({ day: '2026-11-02', until: '2026-11-30' })).toBe(false)
    expect(isWholeMonth({ day: '2026-11-01' })).toBe(false)
  })
})
