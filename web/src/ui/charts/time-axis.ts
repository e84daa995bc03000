import { plural, t } from '@lingui/core/macro'
import { dateFormat } from '@/lib/format'

/**
 * A time span on a chart: the UTC day `day` (YYYY-MM-DD), the days from `day` to `until`, inclusive, or an hour. For an
 * hour, `day` is its start as an ISO 8601 time.
 */
interface TimeSpan {
  day: string
  until?: string
}

/** The height of a time chart in pixels, including the dates below it. */
const baseHeight = 200

/** The height in pixels of the row of events between the axis and the dates. */
export const eventRowHeight = 32

/** How much taller the main chart of a page is. */
const extraHeight = 120

/** Returns the height of a time chart in pixels, including the events and dates below it. */
export const plotHeight = (hasEvents: boolean, isLarge = false): number =>
  baseHeight + (isLarge ? extraHeight : 0) + (hasEvents ? eventRowHeight : 0)

/** Half of the width of a date below the axis, in pixels. */
const halfDateWidth = 24

/**
 * Returns the space to the right of the plot in pixels, which leaves room for half of the last date. If that date were
 * cut off, the axis would leave out that date and others. In a bar chart, half of the last bar's column provides some
 * of that room.
 *
 * @param isWide whether the chart is at least 600 pixels wide rather than as narrow as a phone
 */
export function plotMarginRight(
  points: readonly TimePoint[],
  { hasBars, isWide }: { hasBars: boolean; isWide: boolean },
): number {
  if (points.every(isWholeMonth)) return 14
  const halfColumn = hasBars ? (isWide ? 600 : 240) / Math.max(1, points.length) / 2 : 0
  return Math.max(0, Math.round(halfDateWidth - halfColumn))
}

/** A value over a time span. */
export interface TimePoint extends TimeSpan {
  value: number
  /** The value of the same span in the previous period. */
  previous?: number
  /** Set if the span is not over yet, which makes its value preliminary. */
  unfinished?: true
  /** Set if the span is only part of a week or month. Its value is then not comparable to the others. */
  partial?: true
  /** The page that a click on the point opens. */
  to?: string
  /** An additional line in the tooltip. */
  note?: string
  /** Something that happened in this span, shown below the axis. */
  event?: ChartEvent
}

/** Something that happened in a time span of a chart. It is shown as a small picture that links to `to`. */
interface ChartEvent {
  to: string
  text: string
  /** The URL of a tiny picture, or null to show a symbol for text instead. */
  picture: string | null
}

/** A weekday (0 is Monday) and an hour with its value. A missing cell counts as 0. */
export interface HourCell {
  weekday: number
  hour: number
  value: number
}

/** The weekdays as numbers, Monday first. */
export const weekdays = [0, 1, 2, 3, 4, 5, 6] as const

/** Returns the name of a weekday: 'Monday' or, if short, 'Mon'. */
export function weekdayName(weekday: number, style: 'long' | 'short' = 'long'): string {
  // January 1, 2024 was a Monday.
  return dateFormat({ weekday: style, timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + weekday))
}

/** Formats an hour of the day as '8 PM'. */
export function formatHour(hour: number): string {
  const time = Date.UTC(2024, 0, 1, hour)
  const format = dateFormat({ hour: 'numeric', timeZone: 'UTC' })
  // With a 24-hour clock, the hour alone would be only a number.
  if (format.resolvedOptions().hour12) return format.format(time)
  return dateFormat({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(time)
}

const shortDayOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Returns the timestamp of the start of a UTC day. Also parses the start of an hour. */
const parseDay = (day: string) => Date.parse(day)

/** Returns whether a span is an hour. */
export const isHour = ({ day }: TimeSpan): boolean => day.includes('T')

/**
 * Splits points into two lines, one for the finished spans and one from the end of that line to the unfinished span, so
 * that a low preliminary value does not look like a drop.
 */
export function splitAtUnfinished(points: readonly TimePoint[]) {
  return points.map(({ day, value, previous, unfinished }, index) => ({
    day,
    value,
    previous,
    finished: unfinished ? null : value,
    unfinished: unfinished || points[index + 1]?.unfinished ? value : null,
  }))
}

/** Formats a day as 'Nov 3'. */
export function formatDay(day: string): string {
  return dateFormat(shortDayOptions).format(parseDay(day))
}

/** Formats an hour as '8 PM' in the viewer's time zone, but the first hour of a day as 'Tue'. */
export function formatAxisHour(hour: string): string {
  const start = new Date(hour)
  if (start.getHours() === 0) return dateFormat({ weekday: 'short' }).format(start)
  if (start.getMinutes() === 0) return formatHour(start.getHours())
  return dateFormat({ hour: 'numeric', minute: '2-digit' }).format(start)
}

/** Returns the first hour of each half of a day (from midnight and from noon) in the viewer's time zone. */
export const halfDays = (points: readonly TimePoint[]): string[] =>
  points.map(({ day }) => day).filter((hour) => new Date(hour).getHours() % 12 === 0)

/** Formats the month of a day as 'Nov'. */
export function formatMonth(day: string): string {
  return dateFormat({ month: 'short', timeZone: 'UTC' }).format(parseDay(day))
}

/** Returns whether a span is exactly one calendar month. */
export function isWholeMonth({ day, until }: TimeSpan): boolean {
  if (!until || !day.endsWith('-01') || day.slice(0, 7) !== until.slice(0, 7)) return false
  return new Date(parseDay(until) + dayMs).getUTCDate() === 1
}

/**
 * Formats a span as 'Tue, Nov 3, 2026', 'November 2026', or a range of its first and last day. Formats an hour in the
 * viewer's time zone, as 'Nov 3, 8:00 – 9:00 PM'.
 */
export function formatTimeSpan({ day, until }: TimeSpan): string {
  if (isHour({ day })) {
    const format = dateFormat({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })
    return format.formatRange(parseDay(day), parseDay(day) + hourMs)
  }
  if (!until || until === day) {
    return dateFormat({ ...shortDayOptions, weekday: 'short', year: 'numeric' }).format(parseDay(day))
  }
  if (isWholeMonth({ day, until })) {
    return dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(parseDay(day))
  }
  return dateFormat(shortDayOptions).formatRange(parseDay(day), parseDay(until))
}

/** Formats a point's span, with a note if it is unfinished. */
export function formatPoint(point: TimePoint): string {
  const span = formatTimeSpan(point)
  return point.unfinished ? t`${span} (so far)` : span
}

/**
 * Sums daily points into weeks, counted back from the last day. Any remaining days are a partial week at the start.
 * Returns fewer than 14 points unchanged.
 */
export function groupByWeek(points: readonly TimePoint[]): TimePoint[] {
  return groupFromEnd(points, (weeksBack) => points.length - 7 * weeksBack)
}

/**
 * Sums daily points into months in the same way as `groupByWeek`. If the last day ends a calendar month, the months are
 * calendar months.
 */
export function groupByMonth(points: readonly TimePoint[]): TimePoint[] {
  const lastDay = points.at(-1)?.day
  if (!lastDay) return []
  const dayAfter = new Date(parseDay(lastDay) + dayMs)
  return groupFromEnd(points, (monthsBack) => {
    const [year, month] = [dayAfter.getUTCFullYear(), dayAfter.getUTCMonth() - monthsBack]
    const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    const start = Date.UTC(year, month, Math.min(dayAfter.getUTCDate(), daysInMonth))
    return points.length - Math.round((dayAfter.getTime() - start) / dayMs)
  })
}

/**
 * Sums points into groups. Returns the points unchanged if there would be fewer than two whole groups.
 *
 * @param startOf returns the index at which the nth group from the end starts; negative if before the first point
 */
function groupFromEnd(points: readonly TimePoint[], startOf: (nthFromEnd: number) => number): TimePoint[] {
  if (startOf(2) < 0) return [...points]
  const groups: TimePoint[] = []
  for (let nth = 1; startOf(nth - 1) > 0; nth++) {
    const start = startOf(nth)
    const [first, ...others] = points.slice(Math.max(0, start), startOf(nth - 1))
    if (first) {
      groups.unshift({ ...sumPoints([first, ...others]), ...(start < 0 && { partial: true as const }) })
    }
  }
  return groups
}

/** Sums consecutive points. */
function sumPoints(points: readonly [TimePoint, ...TimePoint[]]): TimePoint {
  const [first] = points
  const last = points.at(-1) ?? first
  // Amounts are in dollars and can have fractions, so sums are rounded to whole cents.
  const sum = (getValue: (point: TimePoint) => number) =>
    Math.round(points.reduce((total, point) => total + getValue(point), 0) * 100) / 100
  return {
    day: first.day,
    until: last.until ?? last.day,
    value: sum((point) => point.value),
    ...(points.every((point) => point.previous !== undefined) && {
      previous: sum((point) => point.previous ?? 0),
    }),
    ...(last.unfinished && { unfinished: true as const }),
  }
}

/** Returns the unit of time of each point in a chart of `days` days. Daily values are too noisy for long periods. */
export function chartUnit(days: number): 'day' | 'week' | 'month' {
  if (days <= 92) return 'day'
  return days <= 26 * 7 ? 'week' : 'month'
}

/** Groups daily points by the unit of a chart of `days` days, and sums each group. */
export function groupDays(points: readonly TimePoint[], days: number): TimePoint[] {
  const unit = chartUnit(days)
  if (unit === 'day') return [...points]
  return unit === 'week' ? groupByWeek(points) : groupByMonth(points)
}

/** Formats a range of days as 'Nov 3 – 14, 2026'. */
export function formatDayRange({ from, to }: { from: string; to: string }): string {
  return dateFormat({ ...shortDayOptions, year: 'numeric' }).formatRange(parseDay(from), parseDay(to))
}

/** Returns the name of the period that precedes a period of `days` days, such as 'Previous 30 days'. */
export const previousPeriodName = (days: number): string =>
  plural(days, { 365: 'Previous year', one: 'Previous day', other: 'Previous # days' })

/**
 * Returns the ticks of an axis in ascending order, with round steps. They include 0, enclose all values as closely as
 * possible with at most five steps, and are whole numbers if all values are. Returns only 0 if every value is 0.
 */
export function axisTicks(values: readonly number[]): number[] {
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  const span = highest - lowest
  if (span === 0) return [0]
  const power = 10 ** Math.floor(Math.log10(span / 5))
  const isWhole = values.every(Number.isInteger)
  const [best] = [1, 2, 2.5, 5, 10, 20]
    .map((times) => times * power)
    .filter((step) => !isWhole || Number.isInteger(step))
    .map((step) => ({ step, first: Math.floor(lowest / step), last: Math.ceil(highest / step) }))
    .filter(({ first, last }) => last - first <= 5)
    .sort((a, b) => a.step * (a.last - a.first) - b.step * (b.last - b.first))
  if (!best) return [0]
  const { step, first } = best
  const last = lowest === 0 ? Math.max(2, best.last) : best.last
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/**
 * Returns the events that fit side by side, with their positions, from left to right. Of events that would overlap, the
 * latest is kept.
 *
 * @param spacing the minimum distance between two events in pixels
 */
export function spacedEvents<Event extends { x: number }>(
  events: readonly Event[],
  spacing: number,
): Event[] {
  const kept: Event[] = []
  for (const event of events.toReversed()) {
    const [next] = kept
    if (!next || next.x - event.x >= spacing) kept.unshift(event)
  }
  return kept
}
