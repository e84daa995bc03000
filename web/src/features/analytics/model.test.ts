import type { AnalyticsMonthly, AnalyticsOverview } from '@contract/analytics.ts'
import { describe, expect, it } from 'vitest'
import { dollars } from '@/lib/format'
import { compareAmounts, compareRates } from '@/ui/charts/Comparison'
import { chartUnit, previousPeriodName } from '@/ui/charts/time-axis'
import {
  averageByWeekday,
  bestDayText,
  chartPoints,
  engagementPoints,
  formatAverage,
  formatRate,
  formatShare,
  includesToday,
  lastUpdatedText,
  metricFigures,
  parseRange,
  peakHourText,
  rangeLength,
  rangeName,
  shiftToZone,
  wholeHourZone,
} from './model'

describe('compareAmounts', () => {
  it.each([
    [1120, 1000, '+12%'],
    [1011, 1000, '+1.1%'],
    [500, 1000, '-50%'],
    [0, 1000, '-100%'],
  ])('compares %d with a previous value of %d', (value, previous, change) =>
    expect(compareAmounts(value, previous)).toEqual({
      kind: 'change',
      trend: value > previous ? 'up' : 'down',
      change,
    }),
  )

  it('shows no percentage for tiny or huge changes, or if the previous value is zero', () => {
    expect(compareAmounts(100_001, 100_000)).toEqual({ kind: 'similar' })
    expect(compareAmounts(12_300, 100)).toEqual({ kind: 'multiple', times: '123' })
    expect(compareAmounts(7, 7)).toEqual({ kind: 'same' })
    expect(compareAmounts(0, 0)).toEqual({ kind: 'same' })
    expect(compareAmounts(5, 0)).toEqual({ kind: 'new' })
  })

  it('shows the difference instead of a percentage when a value is negative', () => {
    expect(compareAmounts(10, -5, dollars)).toMatchObject({ trend: 'up', change: '+$15.00' })
    expect(compareAmounts(-5, 10, dollars)).toMatchObject({ trend: 'down', change: '-$15.00' })
    expect(compareAmounts(-5, 0, dollars)).toMatchObject({ trend: 'down', change: '-$5.00' })
  })
})

describe('formatRate and formatShare', () => {
  it('always show one decimal for a rate but not for a share', () => {
    expect([formatRate(1), formatRate(4.36), formatShare(26)]).toEqual(['1.0%', '4.4%', '26%'])
  })
})

describe('compareRates', () => {
  it('shows the difference in percentage points', () => {
    expect(compareRates(6.2, 5.2)).toEqual({ kind: 'change', trend: 'up', change: '+1 point' })
    expect(compareRates(5.2, 6.4)).toEqual({ kind: 'change', trend: 'down', change: '-1.2 points' })
    expect(compareRates(5.2, null)).toEqual({ kind: 'no-views' })
    expect(compareRates(null, 5)).toBeNull()
  })
})

describe('best hours', () => {
  it('shifts hours to the time zone of the viewer, across the end of the week', () => {
    const cells = shiftToZone([{ weekday: 6, hour: 23, views: 40, average: 4 }], wholeHourZone(-120).hours)
    expect(cells).toEqual([{ weekday: 0, hour: 1, value: 4 }])
    expect(shiftToZone([{ weekday: 0, hour: 1, views: 16, average: 4 }], wholeHourZone(300).hours)).toEqual([
      { weekday: 6, hour: 20, value: 4 },
    ])
    expect(wholeHourZone(-120).name).toBe('UTC+2')
  })

  it('uses UTC if the offset is not a whole number of hours', () => {
    expect(wholeHourZone(-330)).toEqual({ hours: 0, name: 'UTC' })
    expect(wholeHourZone(0)).toEqual({ hours: 0, name: 'UTC' })
  })

  it('ranks hours by average, not by total', () => {
    // At 8 PM, the five Saturdays have more views in total than the four Thursdays, but fewer on average.
    const cells = shiftToZone(
      [
        { weekday: 3, hour: 20, views: 40, average: 10 },
        { weekday: 3, hour: 21, views: 4, average: 1 },
        { weekday: 5, hour: 20, views: 45, average: 9 },
      ],
      0,
    )
    expect(averageByWeekday(cells)).toEqual([0, 0, 0, 11, 0, 9, 0])
    expect(peakHourText(cells)).toMatch(/^Your busiest time: Thursdays around 8\sPM$/)
    expect([
      formatAverage(372.4),
      formatAverage(11),
      formatAverage(2.25),
      formatAverage(1 / 52),
      formatAverage(0),
    ]).toEqual(['372', '11.0', '2.3', '<0.1', '0'])
  })

  it('names the earliest of several equal peak hours', () => {
    const hours = [
      { weekday: 3, hour: 20, value: 9 },
      { weekday: 1, hour: 8, value: 9 },
      { weekday: 0, hour: 7, value: 3 },
    ]
    expect(peakHourText(hours)).toMatch(/^Your busiest time: Tuesdays around 8\sAM$/)
    expect(peakHourText([])).toBeUndefined()
  })
})

describe('parseRange', () => {
  const parse = (query: string) => parseRange(new URLSearchParams(query))

  it('returns the days, or else the period', () => {
    expect(parse('from=2026-01-05&to=2026-01-18')).toEqual({ from: '2026-01-05', to: '2026-01-18' })
    expect(parse('period=7d')).toEqual({ period: '7d' })
  })

  it('ignores invalid values', () => {
    for (const query of [
      '',
      'period=2d',
      'from=2026-01-05',
      'from=2026-01-05&to=2026-01-04',
      'from=2026-02-30&to=2026-03-02',
      'from=2024-01-01&to=2025-01-02',
      'from=2026-01-05&to=2999-01-01',
    ])
      expect(parse(query)).toEqual({ period: '30d' })
  })
})

describe('a custom period', () => {
  const range = { from: '2026-01-05', to: '2026-01-18' }

  it('has a length, a name and a previous period', () => {
    expect(rangeLength(range)).toBe(14)
    expect(rangeName(range)).toMatch(/^Jan 5\s–\s18, 2026$/)
    expect(previousPeriodName(rangeLength(range))).toBe('Previous 14 days')
    expect(previousPeriodName(1)).toBe('Previous day')
    expect(includesToday(range)).toBe(false)
  })

  it('is shown by day, week or month, depending on its length', () => {
    expect(chartUnit(90)).toBe('day')
    expect(chartUnit(152)).toBe('week')
    expect(chartUnit(365)).toBe('month')
  })
})

describe('chartPoints', () => {
  const week = { period: '7d' } as const
  const days = [{ day: '2026-11-20', views: 3 }]

  it('adds the value of the previous period, unless all previous values are zero', () => {
    const getViews = ({ views }: { views: number }) => views
    const previousDays = [{ day: '2026-11-19', views: 2 }]
    const point = { day: '2026-11-20', value: 3, unfinished: true }
    expect(chartPoints({ days, previousDays }, week, getViews)).toEqual([{ ...point, previous: 2 }])
    const zeroDays = [{ day: '2026-11-19', views: 0 }]
    expect(chartPoints({ days, previousDays: zeroDays }, week, getViews)).toEqual([point])
  })

  it('links each day on which a post was published to that post', () => {
    const post = { day: '2026-11-20', id: 'a', content: ' ', placeholder: 'data:,' }
    const publishedPosts = [{ ...post, day: '2026-11-18' }, post]
    const [point] = chartPoints({ days, previousDays: [], publishedPosts }, week, ({ views }) => views)
    expect(point?.event).toEqual({ to: '/post/a', text: 'Photo or video post', picture: 'data:,' })
  })

  it('marks no day as unfinished if the last day is over', () => {
    const range = { from: '2026-11-20', to: '2026-11-20' }
    expect(chartPoints({ days, previousDays: [] }, range, ({ views }) => views)).toEqual([
      { day: '2026-11-20', value: 3 },
    ])
  })

  it('marks only the last day as unfinished', () => {
    const twoDays = [{ day: '2026-11-19', views: 4 }, ...days]
    expect(chartPoints({ days: twoDays, previousDays: [] }, week, ({ views }) => views)).toEqual([
      { day: '2026-11-19', value: 4 },
      { day: '2026-11-20', value: 3, unfinished: true },
    ])
  })
})

describe('engagementPoints', () => {
  const createDay = (day: string, views: number, likes: number, comments: number) => ({
    day,
    views,
    likes,
    comments,
  })

  it('divides likes and comments by views, leaves out today, and returns 0 for days without views', () => {
    const today = createDay('2026-11-21', 1, 1, 0)
    const days = [createDay('2026-11-19', 30, 1, 1), createDay('2026-11-20', 0, 2, 0), today]
    const previousDays = [createDay('2026-11-16', 8, 1, 0), createDay('2026-11-17', 0, 0, 0), today]
    const points = engagementPoints({ days, previousDays } as AnalyticsOverview, { period: '7d' })
    expect(points.map(({ value, previous }) => [value, previous])).toEqual([
      [6.7, 12.5],
      [0, 0],
    ])
  })

  it('divides weekly sums if the period is long', () => {
    const days = Array.from({ length: 21 }, (_, index) =>
      createDay(new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10), index % 7 ? 10 : 40, 1, 0),
    )
    const points = engagementPoints({ days, previousDays: [] as typeof days } as AnalyticsOverview, {
      from: '2026-01-01',
      to: '2026-06-01',
    })
    expect(points.map(({ value, previous }) => [value, previous])).toEqual([
      [7, undefined],
      [7, undefined],
      [7, undefined],
    ])
  })
})

describe('metricFigures', () => {
  const overview = {
    totalViews: 1200,
    totalLikes: 60,
    totalComments: 6,
    engagementRate: 5.5,
    previous: { totalViews: 1000, totalLikes: 0, totalComments: 6, engagementRate: null },
  } as AnalyticsOverview
  const monthly = {
    revenue: 999.5,
    newFollowers: 8,
    newSubscriptions: 0,
    previous: { revenue: 500, newFollowers: 4, newSubscriptions: 0 },
  } as AnalyticsMonthly

  it('shows each total of the period with the total of the previous period', () => {
    expect(metricFigures(overview, monthly)).toEqual([
      {
        metric: 'views',
        value: '1,200',
        previous: '1,000',
        comparison: { kind: 'change', trend: 'up', change: '+20%' },
      },
      {
        metric: 'followers',
        value: '8',
        previous: '4',
        comparison: { kind: 'change', trend: 'up', change: '+100%' },
      },
      { metric: 'likes', value: '60', previous: '0', comparison: { kind: 'new' } },
      { metric: 'comments', value: '6', previous: '6', comparison: { kind: 'same' } },
      { metric: 'engagement', value: '5.5%', previous: '–', comparison: { kind: 'no-views' } },
      { metric: 'subscribers', value: '0', previous: '0', comparison: { kind: 'same' } },
      {
        metric: 'revenue',
        value: '$999.50',
        previous: '$500.00',
        comparison: { kind: 'change', trend: 'up', change: '+100%' },
      },
    ])
  })

  it('leaves out the cents of large amounts', () => {
    const figures = metricFigures(overview, { ...monthly, revenue: 1000.4 })
    expect(figures.at(-1)).toMatchObject({ value: '$1,000', previous: '$500' })
  })
})

describe('bestDayText', () => {
  const format = (value: number) => `${value} views`

  it('names the first of several equal best days, or the best week or month', () => {
    const days = [3, 9, 9].map((value, index) => ({ day: `2026-11-2${index}`, value }))
    expect(bestDayText(days, format)).toBe('Best day: November 21, 9 views')
    const week = { day: '2026-11-20', until: '2026-11-26', value: 5 }
    expect(bestDayText([week], format)).toMatch(/^Best week: Nov 20\s–\s26, 5 views$/)
    const month = { day: '2026-02-01', until: '2026-02-28', value: 5 }
    expect(bestDayText([month], format)).toBe('Best month: February 2026, 5 views')
    const partialMonth = { day: '2026-01-03', until: '2026-01-31', value: 9, partial: true as const }
    expect(bestDayText([partialMonth, month], format)).toBe('Best month: February 2026, 5 views')
  })

  it('returns undefined without views', () => {
    expect(bestDayText([{ day: '2026-11-20', value: 0 }], format)).toBeUndefined()
    expect(bestDayText([], format)).toBeUndefined()
  })
})

describe('lastUpdatedText', () => {
  it('includes the date unless it is today', () => {
    const now = new Date(2026, 10, 21, 18, 0).getTime()
    expect(lastUpdatedText(new Date(2026, 10, 21, 14, 5).toISOString(), now)).toMatch(/^Updated 2:05\sPM$/)
    expect(lastUpdatedText(new Date(2026, 10, 20, 14, 5).toISOString(), now)).toMatch(
      /^Updated November 20.*2:05\sPM$/,
    )
    expect(lastUpdatedText(null, now)).toBe('No data yet')
  })
})
