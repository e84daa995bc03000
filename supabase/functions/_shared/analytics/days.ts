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
}

const dayLength = 24 * 60 * 60_000

/** The days of a period that ends with the day of `now`. */
export function spanOf(period: AnalyticsPeriod, now = new Date()): Span {
  const count = periodDays[period]
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const day = (back: number) => new Date(today - back * dayLength).toISOString().slice(0, 10)
  const first = day(count - 1)
  const daysFrom = (back: number) => Array.from({ length: count }, (_, index) => day(back - index))
  const days = daysFrom(count - 1)
  return { days, previousDays: daysFrom(2 * count - 1), first, previousFirst: day(2 * count - 1) }
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
