import {
  type AnalyticsMonthly,
  type AnalyticsOverview,
  AnalyticsPeriod,
  type BestHours,
  countDays,
  currentDay,
  DayRange,
  periodDays,
} from '@contract/analytics.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { dateFormat, dollars, formatCount, numberFormat, wholeDollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { type Comparison, compareAmounts, compareRates } from '@/ui/charts/Comparison'
import {
  formatDayRange,
  formatHour,
  formatTimeSpan,
  groupDays,
  type HourCell,
  type TimePoint,
  weekdays,
} from '@/ui/charts/time-axis'

export const defaultPeriod: AnalyticsPeriod = '30d'

/** The periods with their button labels, shortest first. */
export const periods: [period: AnalyticsPeriod, label: MessageDescriptor][] = [
  ['7d', msg`Last 7 days`],
  ['30d', msg`30 days`],
  ['90d', msg`90 days`],
  ['1y', msg`Last year`],
]

/** The date range of the page: a period that ends today, or all days from `from` to `to`, inclusive, in UTC. */
export type AnalyticsRange = { period: AnalyticsPeriod } | DayRange

/** Returns the date range from the URL parameters, or the default period if they are missing or invalid. */
export function parseRange(params: URLSearchParams): AnalyticsRange {
  const custom = DayRange.safeParse({ from: params.get('from'), to: params.get('to') })
  if (custom.success) return custom.data
  return { period: AnalyticsPeriod.safeParse(params.get('period')).data ?? defaultPeriod }
}

/** Returns the number of days in a date range. */
export const rangeLength = (range: AnalyticsRange): number =>
  'period' in range ? periodDays[range.period] : countDays(range)

/** Returns whether the last day is today, which is unfinished. */
export const includesToday = (range: AnalyticsRange): boolean => 'period' in range || range.to >= currentDay()

/** Returns 'Last 30 days', or dates such as 'Nov 3 – 14, 2026'. */
export function rangeName(range: AnalyticsRange): string {
  if ('period' in range) return plural(periodDays[range.period], { 365: 'Last year', other: 'Last # days' })
  return formatDayRange(range)
}

/** Formats a percentage with exactly one decimal, because rates change by small amounts: 4 as '4.0%'. */
export const formatRate = (percentage: number): string =>
  numberFormat({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
    percentage / 100,
  )

/** Formats a percentage with at most one decimal: 26 as '26%'. */
export const formatShare = (percentage: number): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(percentage / 100)

const wholeNumber = (value: number) => numberFormat({ maximumFractionDigits: 0 }).format(value)
const oneDecimal = (value: number) =>
  numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)

/** Formats 3.27 as '3.3' and 372.4 as '372'. A value above zero is never formatted as zero. */
export function formatAverage(value: number): string {
  if (value > 0 && value < 0.05) return `<${oneDecimal(0.1)}`
  return value === 0 || value >= 100 ? wholeNumber(value) : oneDecimal(value)
}

/** Returns 'Updated 2:05 PM' in the viewer's time zone, with the date unless it is today. */
export function lastUpdatedText(countedAt: string | null, now: number): string {
  if (countedAt === null) return t`No data yet`
  const timestamp = new Date(countedAt)
  const isToday = timestamp.toDateString() === new Date(now).toDateString()
  const dayOptions = isToday ? {} : ({ month: 'long', day: 'numeric' } as const)
  const time = dateFormat({ ...dayOptions, hour: 'numeric', minute: '2-digit' }).format(timestamp)
  return t`Updated ${time}`
}

/**
 * Returns the points of a chart: each day with the value of the corresponding day of the previous period, unless every
 * previous value is zero. Today is marked as unfinished. A day on which a post was published links to that post. Long
 * periods are grouped by week or month, without links to posts.
 */
export function chartPoints<Day extends { day: string }>(
  {
    days,
    previousDays,
    publishedPosts = [],
  }: { days: Day[]; previousDays: Day[]; publishedPosts?: AnalyticsOverview['publishedPosts'] },
  range: AnalyticsRange,
  getValue: (day: Day) => number,
): TimePoint[] {
  const isLastUnfinished = includesToday(range)
  const hasPrevious = previousDays.some((day) => getValue(day) !== 0)
  const postsByDay = new Map(publishedPosts.map((post) => [post.day, post]))
  const points = days.map((day, index): TimePoint => {
    const previous = previousDays[index]
    const post = postsByDay.get(day.day)
    return {
      day: day.day,
      value: getValue(day),
      ...(hasPrevious && previous && { previous: getValue(previous) }),
      ...(post && {
        event: {
          to: paths.post.getHref(post.id),
          text: post.content.trim() || t`Photo or video post`,
          picture: post.placeholder,
        },
      }),
      ...(isLastUnfinished && index === days.length - 1 && { unfinished: true as const }),
    }
  })
  return groupDays(points, rangeLength(range))
}

/**
 * Returns the points of the chart of the engagement rate, in percent. The rate is 0 if there are no views. Leaves out
 * an unfinished day, week or month, because a rate that is based on few views can still change a lot.
 */
export function engagementPoints(data: AnalyticsOverview, range: AnalyticsRange): TimePoint[] {
  const interactions = chartPoints(data, range, ({ likes, comments }) => likes + comments)
  return chartPoints(data, range, ({ views }) => views)
    .filter(({ unfinished }) => !unfinished)
    .map((viewed, index) => {
      const { value, previous } = interactions[index] ?? { value: 0 }
      return {
        ...viewed,
        value: engagementRate(value, viewed.value),
        ...(viewed.previous !== undefined && { previous: engagementRate(previous ?? 0, viewed.previous) }),
      }
    })
}

const engagementRate = (interactions: number, views: number) =>
  views === 0 ? 0 : Math.round((interactions / views) * 1000) / 10

/** A metric that the chart of the Overview tab can show. */
export type Metric = 'views' | 'followers' | 'likes' | 'comments' | 'engagement' | 'subscribers' | 'revenue'

/** A metric's value in the period, compared with the previous one. */
export interface MetricFigure {
  metric: Metric
  value: string
  /** Null if there is nothing to compare. */
  comparison: Comparison | null
  /** The value of the previous period. */
  previous: string
}

/** Returns the totals of the period, each with the total of the previous one. */
export function metricFigures(overview: AnalyticsOverview, monthly: AnalyticsMonthly): MetricFigure[] {
  const { previous } = overview
  const { revenue, previous: monthlyPrevious } = monthly
  const count = (metric: Metric, total: number, before: number): MetricFigure => ({
    metric,
    value: formatCount(total),
    comparison: compareAmounts(total, before),
    previous: formatCount(before),
  })
  // A figure has no room for two large amounts with cents. The chart shows the cents.
  const formatRevenue = Math.max(revenue, monthlyPrevious.revenue) >= 1000 ? wholeDollars : dollars
  return [
    count('views', overview.totalViews, previous.totalViews),
    count('followers', monthly.newFollowers, monthlyPrevious.newFollowers),
    count('likes', overview.totalLikes, previous.totalLikes),
    count('comments', overview.totalComments, previous.totalComments),
    {
      metric: 'engagement',
      value: formatOptionalRate(overview.engagementRate),
      comparison: compareRates(overview.engagementRate, previous.engagementRate),
      previous: formatOptionalRate(previous.engagementRate),
    },
    count('subscribers', monthly.newSubscriptions, monthlyPrevious.newSubscriptions),
    {
      metric: 'revenue',
      value: formatRevenue(revenue),
      comparison: compareAmounts(revenue, monthlyPrevious.revenue, dollars),
      previous: formatRevenue(monthlyPrevious.revenue),
    },
  ]
}

const formatOptionalRate = (rate: number | null) => (rate === null ? '–' : formatRate(rate))

/**
 * Returns 'Best day: November 22, 663 views' or, if the points are weeks or months, the best of them. Returns undefined
 * if every value is 0. If several values tie, the first one is the best. A partial week or month is never the best.
 *
 * @param format formats a value with its unit
 */
export function bestDayText(
  points: readonly TimePoint[],
  format: (value: number) => string,
): string | undefined {
  const [best] = points.filter(({ partial }) => !partial).sort((a, b) => b.value - a.value)
  if (!best || best.value <= 0) return undefined
  const amount = format(best.value)
  if (best.until !== undefined) {
    const span = formatTimeSpan(best)
    const isMonth = countDays({ from: best.day, to: best.until }) > 7
    return isMonth ? t`Best month: ${span}, ${amount}` : t`Best week: ${span}, ${amount}`
  }
  const day = dateFormat({ month: 'long', day: 'numeric', timeZone: 'UTC' }).format(new Date(best.day))
  return t`Best day: ${day}, ${amount}`
}

/**
 * Returns the viewer's time zone if it is offset from UTC by whole hours, else UTC, because views are counted by the
 * hour. `hours` is the offset from UTC, and `name` is 'UTC' or, for example, 'UTC+2'. Today's offset applies to the
 * whole period: daylight saving time is ignored.
 *
 * @param offsetMinutes as returned by `Date.getTimezoneOffset()`: positive west of UTC
 */
export function wholeHourZone(offsetMinutes: number): { hours: number; name: string } {
  if (offsetMinutes % 60 !== 0) return { hours: 0, name: 'UTC' }
  const hours = offsetMinutes === 0 ? 0 : -offsetMinutes / 60
  if (hours === 0) return { hours, name: 'UTC' }
  return { hours, name: `UTC${hours > 0 ? '+' : '−'}${Math.abs(hours)}` }
}

const hoursPerWeek = 7 * 24

/** Returns the average views by weekday and hour in the time zone that is `offsetHours` ahead of UTC. */
export function shiftToZone(hours: BestHours, offsetHours: number): HourCell[] {
  return hours.map(({ weekday, hour, average }) => {
    const hourOfWeek = (weekday * 24 + hour + offsetHours + hoursPerWeek) % hoursPerWeek
    return { weekday: Math.floor(hourOfWeek / 24), hour: hourOfWeek % 24, value: average }
  })
}

/** Returns the average views of each weekday, Monday first. */
export function averageByWeekday(cells: HourCell[]): number[] {
  return weekdays.map((day) =>
    cells.reduce((sum, { weekday, value }) => (weekday === day ? sum + value : sum), 0),
  )
}

/**
 * Returns 'Your busiest time: Thursdays around 8 PM', or undefined if there are no views. If several hours
 * tie, names the earliest in the week.
 */
export function peakHourText(cells: HourCell[]): string | undefined {
  const [peak] = [...cells].sort((a, b) => b.value - a.value || a.weekday - b.weekday || a.hour - b.hour)
  if (!peak || peak.value === 0) return undefined
  const hour = formatHour(peak.hour)
  return [
    t`Your busiest time: Mondays around ${hour}`,
    t`Your busiest time: Tuesdays around ${hour}`,
    t`Your busiest time: Wednesdays around ${hour}`,
    t`Your busiest time: Thursdays around ${hour}`,
    t`Your busiest time: Fridays around ${hour}`,
    t`Your busiest time: Saturdays around ${hour}`,
    t`Your busiest time: Sundays around ${hour}`,
  ][peak.weekday]
}
