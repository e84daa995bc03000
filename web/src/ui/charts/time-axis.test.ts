import { describe, expect, it } from 'vitest'
import {
  axisTicks,
  formatAxisHour,
  formatHour,
  formatPoint,
  formatTimeSpan,
  groupByMonth,
  groupByWeek,
  halfDays,
  isWholeMonth,
  spacedEvents,
  splitAtUnfinished,
  type TimePoint,
  weekdayName,
} from './time-axis'

const createDays = (count: number, getFields: (index: number) => Partial<TimePoint>): TimePoint[] =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    value: 1,
    ...getFields(index),
  }))

describe('groupByWeek', () => {
  it('ends with the last day, and starts with a partial week if days remain', () => {
    const weeks = groupByWeek(createDays(365, () => ({ previous: 2 })))
    expect(weeks).toHaveLength(53)
    expect(weeks.slice(0, 2)).toEqual([
      { day: '2026-01-01', until: '2026-01-01', value: 1, previous: 2, partial: true },
      { day: '2026-01-02', until: '2026-01-08', value: 7, previous: 14 },
    ])
    expect(weeks.at(-1)).toEqual({ day: '2026-12-25', until: '2026-12-31', value: 7, previous: 14 })
    expect(weeks.reduce((sum, { value }) => sum + value, 0)).toBe(365)
  })

  it('rounds sums to cents and has no previous value when the days have none', () => {
    const weeks = groupByWeek(createDays(14, () => ({ value: 0.1 })))
    expect(weeks.map(({ value, previous }) => [value, previous])).toEqual([
      [0.7, undefined],
      [0.7, undefined],
    ])
  })

  it('marks a week as unfinished when its last day is', () => {
    const weeks = groupByWeek(createDays(21, (index) => (index === 20 ? { unfinished: true } : {})))
    expect(weeks.map(({ unfinished }) => unfinished)).toEqual([undefined, undefined, true])
  })

  it('returns less than two weeks unchanged', () => {
    expect(groupByWeek(createDays(13, () => ({})))).toHaveLength(13)
    expect(groupByWeek([])).toEqual([])
  })
})

describe('groupByMonth', () => {
  it('groups by calendar month if the last day is the end of a month', () => {
    const months = groupByMonth(createDays(181, () => ({ previous: 2 })))
    expect(months.map(({ day, until, value }) => [day, until, value])).toEqual([
      ['2026-01-01', '2026-01-31', 31],
      ['2026-02-01', '2026-02-28', 28],
      ['2026-03-01', '2026-03-31', 31],
      ['2026-04-01', '2026-04-30', 30],
      ['2026-05-01', '2026-05-31', 31],
      ['2026-06-01', '2026-06-30', 30],
    ])
    expect(months[1]?.previous).toBe(56)
  })

  it('counts months back from any other day, and starts with a partial month if days remain', () => {
    const months = groupByMonth(createDays(89, (index) => (index === 88 ? { unfinished: true } : {})))
    expect(months).toEqual([
      { day: '2026-01-01', until: '2026-01-30', value: 30, partial: true },
      { day: '2026-01-31', until: '2026-02-27', value: 28 },
      { day: '2026-02-28', until: '2026-03-30', value: 31, unfinished: true },
    ])
  })

  it('returns less than two months unchanged', () => {
    expect(groupByMonth(createDays(58, () => ({})))).toHaveLength(58)
    expect(groupByMonth([])).toEqual([])
  })
})

describe('axisTicks', () => {
  it.each([
    [[0, 0], [0]],
    [[], [0]],
    [[1], [0, 1, 2]],
    [[3], [0, 1, 2, 3]],
    [[7], [0, 2, 4, 6, 8]],
    [
      [7, 93],
      [0, 20, 40, 60, 80, 100],
    ],
    [
      [580, 12],
      [0, 200, 400, 600],
    ],
    [[1234], [0, 250, 500, 750, 1000, 1250]],
    [[4540.75], [0, 1000, 2000, 3000, 4000, 5000]],
    [[0.5], [0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5]],
    [[238.4], [0, 50, 100, 150, 200, 250]],
    // Negative values use the same steps.
    [
      [-30, 1000],
      [-250, 0, 250, 500, 750, 1000],
    ],
    [[-5], [-5, -4, -3, -2, -1, 0]],
    [
      [-12.5, -90],
      [-100, -80, -60, -40, -20, 0],
    ],
  ])('for %j, returns the ticks %j', (values, ticks) => expect(axisTicks(values)).toEqual(ticks))
})

describe('splitAtUnfinished', () => {
  it('connects the finished line to the unfinished point', () => {
    const points = createDays(3, (index) => ({
      value: index + 5,
      previous: 1,
      ...(index === 2 && { unfinished: true }),
    }))
    expect(splitAtUnfinished(points).map(({ finished, unfinished }) => [finished, unfinished])).toEqual([
      [5, null],
      [6, 6],
      [null, 7],
    ])
    expect(formatPoint({ day: '2026-11-03', value: 1, unfinished: true })).toMatch(/2026 \(so far\)$/)
  })

  it('returns one line when every span is finished', () => {
    expect(
      splitAtUnfinished(createDays(2, () => ({}))).map(({ finished, unfinished }) => [finished, unfinished]),
    ).toEqual([
      [1, null],
      [1, null],
    ])
  })
})

describe('weekdayName and formatHour', () => {
  it('start with Monday and with midnight', () => {
    expect([weekdayName(0), weekdayName(6), weekdayName(2, 'short')]).toEqual(['Monday', 'Sunday', 'Wed'])
    expect(formatHour(0)).toMatch(/^12\sAM$/)
    expect(formatHour(20)).toMatch(/^8\sPM$/)
  })
})

describe('formatTimeSpan', () => {
  it('formats a day with its year and a week as a range', () => {
    expect(formatTimeSpan({ day: '2026-11-03' })).toContain('2026')
    expect(formatTimeSpan({ day: '2026-11-03', until: '2026-11-09' })).toMatch(/3.*9/)
  })

  it('formats only a whole month as a month', () => {
    expect(formatTimeSpan({ day: '2026-02-01', until: '2026-02-28' })).toMatch(/^\D+ 2026$/)
    expect(isWholeMonth({ day: '2028-02-01', until: '2028-02-28' })).toBe(false)
    expect(isWholeMonth({ day: '2026-11-02', until: '2026-11-30' })).toBe(false)
    expect(isWholeMonth({ day: '2026-11-01' })).toBe(false)
  })
})

describe('hours', () => {
  const startOfDay = new Date(2026, 10, 3)
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    day: new Date(startOfDay.getTime() + hour * 3_600_000).toISOString(),
    value: 1,
  }))

  it('have two axis labels per day, in the local time zone', () => {
    expect(halfDays(hours).map(formatAxisHour)).toEqual(['Tue', '12 PM'])
  })

  it('are formatted as a range, even if they are unfinished', () => {
    const [hour = { day: '', value: 0 }] = hours
    expect(formatPoint({ ...hour, unfinished: true })).toMatch(/^Nov 3, 12:00\s–\s1:00\sAM \(so far\)$/)
  })
})

describe('spacedEvents', () => {
  it('keeps the latest of events that would overlap', () => {
    const events = [0, 10, 30, 50, 54].map((x) => ({ x }))
    expect(spacedEvents(events, 24).map(({ x }) => x)).toEqual([0, 30, 54])
    expect(spacedEvents([], 24)).toEqual([])
  })
})
