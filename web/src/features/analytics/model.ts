import { AnalyticsPeriod, type BestHours, periodDays } from '@contract/analytics.ts'
import { groupByWeek, type HourCell, type TimePoint, weekdays } from '@/ui/charts/time-axis'

export const defaultPeriod: AnalyticsPeriod = '30d'

/** The periods with their button labels, shortest first. */
export const periods: [period: AnalyticsPeriod, label: string][] = [
  ['7d', 'Last 7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['1y', 'Last year'],
]

/** Returns the period of a URL parameter, or the default period if it is missing or invalid. */
export function parsePeriod(text: string | null): AnalyticsPeriod {
  const parsed = AnalyticsPeriod.safeParse(text)
  return parsed.success ? parsed.data : defaultPeriod
}

/** '30 days', inside a sentence. */
export function periodLength(period: AnalyticsPeriod): string {
  return period === '1y' ? 'year' : `${periodDays[period]} days`
}

/** '30 days before', as the label of a chart's grey line. */
export function previousPeriodLabel(period: AnalyticsPeriod): string {
  return period === '1y' ? 'A year before' : `${periodLength(period)} before`
}

/** '30 days before', inside a sentence. */
export function previousPeriodText(period: AnalyticsPeriod): string {
  return period === '1y' ? 'a year before' : `${periodLength(period)} before`
}

/** 'the 30 days before' */
export function previousPeriodPhrase(period: AnalyticsPeriod): string {
  return `the ${periodLength(period)} before`
}

const integers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const upToOneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const exactlyOneDecimal = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** 12345 as '12,345'. */
export const formatCount = (value: number): string => integers.format(value)

/** 4 as '4.0%'. A rate always has one decimal because its changes are small. */
export const formatRate = (value: number): string => `${exactlyOneDecimal.format(value)}%`

/** 26 as '26%'. */
export const formatShare = (value: number): string => `${upToOneDecimal.format(value)}%`

/** '1 view', '12 views'. */
export const pluralize = (value: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(value)} ${value === 1 ? singular : plural}`

/** 3.27 as '3.3', 372.4 as '372'. A value above zero is never written as '0'. */
export function formatAverage(value: number): string {
  if (value === 0) return '0'
  if (value < 0.05) return 'under 0.1'
  return value < 100 ? exactlyOneDecimal.format(value) : formatCount(value)
}

/** 'Counted up to 14:05' in the viewer's time zone, with the date if it is not today. */
export function lastUpdatedText(countedAt: string | null, now: number): string {
  if (countedAt === null) return 'Not counted yet'
  const time = new Date(countedAt)
  const isToday = time.toDateString() === new Date(now).toDateString()
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (isToday) return `Counted up to ${clock}`
  return `Counted up to ${time.toLocaleDateString(undefined, { day: 'numeric', month: 'long' })}, ${clock}`
}

/** The change of a metric in text. The tone also selects a colour, but the text is complete without it. */
export interface Comparison {
  /** `new`: the previous value was zero; the text itself says that the value went up. */
  tone: 'more' | 'less' | 'same' | 'new'
  /** '12% more' */
  change: string
  /** 'than 30 days before (1,102), today left out' */
  baseline: string
}

/** Today is incomplete, so comparisons exclude it, unlike the totals above them. */
const fullDaysNote = 'today left out'

/**
 * Compares a metric over full days with the previous period.
 *
 * @param previousLabel name of the previous period: '30 days before'
 */
export function compareCounts(
  value: number,
  previous: number,
  previousLabel: string,
  format: (value: number) => string,
): Comparison {
  if (value === previous) {
    return {
      tone: 'same',
      change: 'The same',
      baseline: `as ${previousLabel}${value === 0 ? '' : ` (${format(previous)})`}, ${fullDaysNote}`,
    }
  }
  if (previous === 0 && value > 0)
    return { tone: 'new', change: 'Up from none', baseline: `${previousLabel}, ${fullDaysNote}` }
  const tone = value > previous ? 'more' : 'less'
  const baseline = `than ${previousLabel} (${format(previous)}), ${fullDaysNote}`
  // A percentage means nothing when either value is negative (refunds can exceed revenue).
  if (value < 0 || previous <= 0)
    return { tone, change: `${format(Math.abs(value - previous))} ${tone}`, baseline }
  if (value >= previous * 10) {
    return {
      tone,
      change: `${formatCount(value / previous)} times`,
      baseline: `that of ${previousLabel} (${format(previous)}), ${fullDaysNote}`,
    }
  }
  const percent = Math.abs(value / previous - 1) * 100
  if (percent < 0.1) return { tone, change: `Barely ${tone}`, baseline }
  return {
    tone,
    change: `${percent < 10 ? upToOneDecimal.format(percent) : formatCount(percent)}% ${tone}`,
    baseline,
  }
}

/** Compares a rate in percentage points. Returns null if the current rate is undefined (no views). */
export function compareRates(
  value: number | null,
  previous: number | null,
  previousLabel: string,
): Comparison | null {
  if (value === null) return null
  if (previous === null)
    return { tone: 'same', change: 'No views', baseline: `${previousLabel}, ${fullDaysNote}` }
  if (value === previous) {
    return {
      tone: 'same',
      change: 'The same',
      baseline: `as ${previousLabel} (${formatRate(previous)}), ${fullDaysNote}`,
    }
  }
  const points = upToOneDecimal.format(Math.abs(value - previous))
  const tone = value > previous ? 'more' : 'less'
  return {
    tone,
    change: `${points} ${points === '1' ? 'point' : 'points'} ${tone}`,
    baseline: `than ${previousLabel} (${formatRate(previous)}), ${fullDaysNote}`,
  }
}

/**
 * Returns the points of a chart: each day with the corresponding day of the previous period, unless every previous
 * value is zero. The last day is today and marked as unfinished. A year is grouped by week because 365 days are too
 * noisy.
 */
export function chartPoints<Day extends { day: string }>(
  { days, previousDays }: { days: Day[]; previousDays: Day[] },
  period: AnalyticsPeriod,
  getValue: (day: Day) => number,
): TimePoint[] {
  const hasPrevious = previousDays.some((day) => getValue(day) !== 0)
  const points = days.map((day, index) => {
    const previous = previousDays[index]
    return {
      day: day.day,
      value: getValue(day),
      ...(hasPrevious && previous && { previous: getValue(previous) }),
      ...(index === days.length - 1 && { unfinished: true as const }),
    }
  })
  return period === '1y' ? groupByWeek(points) : points
}

/** The offset from UTC in hours, and its label. */
interface WholeHourZone {
  hours: number
  name: string
}

/**
 * Returns the viewer's time zone if it is offset from UTC by whole hours, else UTC, because views are counted by the
 * hour. Today's offset applies to the whole period: daylight saving time is ignored.
 *
 * @param offsetMinutes as returned by `Date.getTimezoneOffset()`: positive west of UTC
 */
export function wholeHourZone(offsetMinutes: number): WholeHourZone {
  if (offsetMinutes % 60 !== 0) return { hours: 0, name: 'UTC' }
  const hours = offsetMinutes === 0 ? 0 : -offsetMinutes / 60
  if (hours === 0) return { hours, name: 'UTC' }
  return { hours, name: `your time, UTC${hours > 0 ? '+' : '−'}${Math.abs(hours)}` }
}

const hoursPerWeek = 7 * 24

/** Returns the average views by weekday and hour in `zone`. */
export function shiftToZone(hours: BestHours, zone: WholeHourZone): HourCell[] {
  return hours.map(({ weekday, hour, average }) => {
    const hourOfWeek = (weekday * 24 + hour + zone.hours + hoursPerWeek) % hoursPerWeek
    return { weekday: Math.floor(hourOfWeek / 24), hour: hourOfWeek % 24, value: average }
  })
}

/** Returns the average of each weekday, Monday first. */
export function averageByWeekday(cells: HourCell[]): number[] {
  return weekdays.map((_, index) =>
    cells.reduce((sum, { weekday, value }) => (weekday === index ? sum + value : sum), 0),
  )
}

/** 'Most views: Thursdays around 20:00'. Of several equal hours, the earliest in the week. Null without views. */
export function peakHourText(cells: HourCell[]): string | null {
  const [peak] = [...cells].sort((a, b) => b.value - a.value || a.weekday - b.weekday || a.hour - b.hour)
  if (!peak || peak.value === 0) return null
  return `Most views: ${weekdays[peak.weekday]}s around ${String(peak.hour).padStart(2, '0')}:00`
}
