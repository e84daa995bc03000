import { describe, expect, it } from 'vitest'
import { dollars } from '@/lib/format'
import { averageByWeekday, peakHourText, shiftToZone, wholeHourZone } from './hours'
import {
  compareCounts,
  compareRates,
  formatAverage,
  formatCount,
  formatRate,
  formatShare,
  lastUpdatedText,
} from './model'
import { chartPoints } from './points'

const before = '30 days before'
const said = (value: number, previous: number, format = formatCount) => {
  const { words, rest } = compareCounts(value, previous, before, format)
  return `${words} ${rest}`
}

describe('compare', () => {
  it.each([
    [1120, 1000, '12% more than 30 days before (1,000)'],
    [1011, 1000, '1.1% more than 30 days before (1,000)'],
    [500, 1000, '50% less than 30 days before (1,000)'],
    [0, 1000, '100% less than 30 days before (1,000)'],
    [100_001, 100_000, 'Barely more than 30 days before (100,000)'],
    [12_300, 100, '123 times that of 30 days before (100)'],
    [7, 7, 'The same as 30 days before (7)'],
    [0, 0, 'The same as 30 days before'],
    [5, 0, 'Up from none 30 days before'],
  ])('%d after %d', (value, previous, text) => expect(said(value, previous)).toBe(`${text}, today left out`))

  it('says once that something is up from nothing', () => {
    expect(compareCounts(5, 0, before, formatCount).tone).toBe('new')
    expect(compareCounts(5, 4, before, formatCount).tone).toBe('more')
  })

  it('names a loss by its amount', () => {
    expect(said(10, -5, dollars)).toBe('$15.00 more than 30 days before (-$5.00), today left out')
    expect(said(-5, 10, dollars)).toBe('$15.00 less than 30 days before ($10.00), today left out')
    expect(said(-5, 0, dollars)).toBe('$5.00 less than 30 days before ($0.00), today left out')
  })

  it('writes a rate with its tenths, and a share as it is', () => {
    expect([formatRate(1), formatRate(4.36), formatShare(26)]).toEqual(['1.0%', '4.4%', '26%'])
  })

  it('tells rates apart in points', () => {
    expect(compareRates(6.2, 5.2, before)).toEqual({
      tone: 'more',
      words: '1 point more',
      rest: 'than 30 days before (5.2%), today left out',
    })
    expect(compareRates(5.2, 6.4, before)?.words).toBe('1.2 points less')
    expect(compareRates(5.2, null, before)?.words).toBe('No views')
    expect(compareRates(null, 5, before)).toBeNull()
  })
})

describe('hours', () => {
  it('move with the reader, over the end of the week too', () => {
    const cells = shiftToZone([{ weekday: 6, hour: 23, views: 40, average: 4 }], wholeHourZone(-120))
    expect(cells).toEqual([{ weekday: 0, hour: 1, value: 4 }])
    expect(shiftToZone([{ weekday: 0, hour: 1, views: 16, average: 4 }], wholeHourZone(300))).toEqual([
      { weekday: 6, hour: 20, value: 4 },
    ])
    expect(wholeHourZone(-120).name).toBe('your time, UTC+2')
  })

  it('stay in UTC where the reader is half an hour off', () => {
    expect(wholeHourZone(-330)).toEqual({ hours: 0, name: 'UTC' })
    expect(wholeHourZone(0)).toEqual({ hours: 0, name: 'UTC' })
  })

  it('are the best and add up to the best day by what they have on average', () => {
    // Five Saturdays with fewer views each than four Thursdays.
    const cells = shiftToZone(
      [
        { weekday: 3, hour: 20, views: 40, average: 10 },
        { weekday: 3, hour: 21, views: 4, average: 1 },
        { weekday: 5, hour: 20, views: 45, average: 9 },
      ],
      wholeHourZone(0),
    )
    expect(averageByWeekday(cells)).toEqual([0, 0, 0, 11, 0, 9, 0])
    expect(peakHourText(cells)).toBe('Most views: Thursdays around 20:00')
    expect([
      formatAverage(372.4),
      formatAverage(11),
      formatAverage(2.25),
      formatAverage(1 / 52),
      formatAverage(0),
    ]).toEqual(['372', '11.0', '2.3', 'under 0.1', '0'])
  })

  it('name the best one in a sentence', () => {
    const hours = [
      { weekday: 3, hour: 20, value: 9 },
      { weekday: 1, hour: 8, value: 9 },
      { weekday: 0, hour: 7, value: 3 },
    ]
    expect(peakHourText(hours)).toBe('Most views: Tuesdays around 08:00')
    expect(peakHourText([])).toBeNull()
  })
})

describe('pointsOf', () => {
  const days = [{ day: '2026-11-20', views: 3 }]
  it('holds a day beside the one before it, unless there was nothing', () => {
    const of = ({ views }: { views: number }) => views
    const previousDays = [{ day: '2026-11-19', views: 2 }]
    const point = { day: '2026-11-20', value: 3, open: true }
    expect(chartPoints({ days, previousDays }, '7d', of)).toEqual([{ ...point, before: 2 }])
    const nothing = [{ day: '2026-11-19', views: 0 }]
    expect(chartPoints({ days, previousDays: nothing }, '7d', of)).toEqual([point])
  })

  it('tells today, which is not over, from the days before it', () => {
    const two = [{ day: '2026-11-19', views: 4 }, ...days]
    expect(chartPoints({ days: two, previousDays: [] }, '7d', ({ views }) => views)).toEqual([
      { day: '2026-11-19', value: 4 },
      { day: '2026-11-20', value: 3, open: true },
    ])
  })
})

describe('countedText', () => {
  it('names the day where it is not today', () => {
    const now = new Date(2026, 10, 21, 18, 0).getTime()
    expect(lastUpdatedText(new Date(2026, 10, 21, 14, 5).toISOString(), now)).toBe('Counted up to 14:05')
    expect(lastUpdatedText(new Date(2026, 10, 20, 14, 5).toISOString(), now)).toMatch(/20.*, 14:05$/)
    expect(lastUpdatedText(null, now)).toBe('Not counted yet')
  })
})
