import { type AnalyticsPeriod, periodDays } from '../contract/analytics.ts'

/** A period, today included, and the days before it. Days are ISO dates in UTC. */
export type Span = {
  /** Every day of the period, the oldest first. */
  days: readonly string[]
  /** As many days before it. */
  previousDays: readonly string[]
  first: string
  /** Where the time begins that the period is held beside: as many days before it. */
  previousFirst: string
  today: string
  /** As many days as the period has, the last of them yesterday. */
  wholeDays: readonly string[]
}

const dayLength = 24 * 60 * 60_000

/** The days of a period that ends with the day of `now`. */
export function spanOf(period: AnalyticsPeriod, now = new Date()): Span {
  const count = periodDays[period]
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const day = (back: number) => new Date(today - back * dayLength).toISOString().slice(0, 10)
  const first = day(count - 1)
  const daysFrom = (back: number) => Array.from({ length: count }, (_, index) => day(back - index))
  return {
    days: daysFrom(count - 1),
    previousDays: daysFrom(2 * count - 1),
    first,
    previousFirst: day(2 * count - 1),
    today: day(0),
    wholeDays: daysFrom(count),
  }
}

/** What of a day is stored, once for each day. */
type Dated = { day: string }

/** Rows of the period and of the days before it, apart. */
export const apart = <Row extends Dated>(
  rows: readonly Row[],
  { first }: Span,
): { now: Row[]; before: Row[] } => ({
  now: rows.filter(({ day }) => day >= first),
  before: rows.filter(({ day }) => day < first),
})

/**
 * Rows of what can be compared, apart: all but those of today, which is not over, and of the day that lies a period
 * before it. So each day is held beside the one that a chart has beside it; of a week it is the same weekday.
 */
export const comparable = <Row extends Dated>(rows: readonly Row[], span: Span) =>
  apart(
    rows.filter(({ day }) => day !== span.today && day !== span.previousDays.at(-1)),
    span,
  )

/** Each of the days with its row, `nothing` where none is stored. */
export function fill<Row extends Dated>(
  rows: readonly Row[],
  days: readonly string[],
  nothing: Omit<NoInfer<Row>, 'day'>,
): (Omit<Row, 'day'> & Dated)[] {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return days.map((day) => byDay.get(day) ?? { ...nothing, day })
}

export const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0)
