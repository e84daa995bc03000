import { describe, expect, it } from 'vitest'
import { axisEnd, byWeek, isMonth, namingPlace, stretchText, type TimePoint } from './days'

const days = (count: number, of: (index: number) => Partial<TimePoint>): TimePoint[] =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    value: 1,
    ...of(index),
  }))

describe('byWeek', () => {
  it('ends with the last day and loses nothing', () => {
    const weeks = byWeek(days(365, () => ({ before: 2 })))
    expect(weeks).toHaveLength(52)
    expect(weeks[0]).toEqual({ day: '2026-01-01', until: '2026-01-08', value: 8, before: 16 })
    expect(weeks.at(-1)).toEqual({ day: '2026-12-25', until: '2026-12-31', value: 7, before: 14 })
    expect(weeks.reduce((sum, { value }) => sum + value, 0)).toBe(365)
  })

  it('keeps cents whole, and compares with nothing where there is nothing', () => {
    const weeks = byWeek(days(14, () => ({ value: 0.1 })))
    expect(weeks.map(({ value, before }) => [value, before])).toEqual([
      [0.7, undefined],
      [0.7, undefined],
    ])
  })

  it('leaves what is no two weeks as it is', () => {
    expect(byWeek(days(13, () => ({})))).toHaveLength(13)
    expect(byWeek([])).toEqual([])
  })
})

describe('axisEnd', () => {
  it.each([
    [[0, 0], 0],
    [[], 0],
    [[1], 2],
    [[3], 4],
    [[7, 93], 100],
    [[101], 200],
    [[1234], 2000],
    [[0.5], 0.5],
    [[12.34, 3], 20],
  ])('of %j is %d', (values, end) => {
    const found = axisEnd(values)
    expect(found).toBe(end)
    expect(found).toBeGreaterThanOrEqual(Math.max(0, ...values))
  })
})

describe('namingPlace', () => {
  it('is where the lines are furthest apart, but not at an end', () => {
    const points = days(10, (index) => ({ before: index === 0 ? 90 : index === 6 ? 9 : 2 }))
    expect(namingPlace(points)).toBe(6)
  })

  it('is nowhere without a comparison or room', () => {
    expect(namingPlace(days(10, () => ({})))).toBe(-1)
    expect(namingPlace(days(2, () => ({ before: 3 })))).toBe(-1)
  })
})

describe('stretchText', () => {
  it('names a day with its year and a week by both ends', () => {
    expect(stretchText({ day: '2026-11-03' })).toContain('2026')
    expect(stretchText({ day: '2026-11-03', until: '2026-11-09' })).toMatch(/3.*9/)
  })

  it('names a whole month, and no part of one', () => {
    expect(stretchText({ day: '2026-02-01', until: '2026-02-28' })).toMatch(/^\D+ 2026$/)
    expect(isMonth({ day: '2028-02-01', until: '2028-02-28' })).toBe(false)
    expect(isMonth({ day: '2026-11-02', until: '2026-11-30' })).toBe(false)
    expect(isMonth({ day: '2026-11-01' })).toBe(false)
  })
})
