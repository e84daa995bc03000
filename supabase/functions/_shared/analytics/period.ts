import { type AnalyticsQuery, addDays, countDays, currentDay, periodDays } from '../contract/analytics.ts'

/** The days of a period, and the days before it. Days are ISO dates in UTC, oldest first. */
export type PeriodRange = {
  days: readonly string[]
  /** The same number of days, directly before `days`. */
  previousDays: readonly string[]
  firstDay: string
  lastDay: string
  previousFirstDay: string
  today: string
  /** The same number of days, ending with `lastDay` or, if that is today, yesterday. */
  completeDays: readonly string[]
}

/** Returns the days from `from` to `to` or, if these are omitted, those of `period`, which ends today. */
export function periodRange({ period, from, to }: AnalyticsQuery, today = currentDay()): PeriodRange {
  const lastDay = to ?? today
  const count = from ? countDays({ from, to: lastDay }) : periodDays[period]
  const daysAgo = (offset: number) => addDays(lastDay, -offset)
  const daysFrom = (offset: number) => Array.from({ length: count }, (_, index) => daysAgo(offset - index))
  return {
    days: daysFrom(count - 1),
    previousDays: daysFrom(2 * count - 1),
    firstDay: daysAgo(count - 1),
    lastDay,
    previousFirstDay: daysAgo(2 * count - 1),
    today,
    completeDays: daysFrom(lastDay === today ? count : count - 1),
  }
}

type DayRow = { day: string }

/** Splits rows into those from the period and those from the days before it. */
export const splitByPeriod = <Row extends DayRow>(
  rows: readonly Row[],
  { firstDay }: PeriodRange,
): { current: Row[]; previous: Row[] } => ({
  current: rows.filter(({ day }) => day >= firstDay),
  previous: rows.filter(({ day }) => day < firstDay),
})

/**
 * Splits rows like `splitByPeriod`. If the period ends today, omits today, because it is incomplete, and the day one
 * period earlier. The two parts then cover matching days: each day has a counterpart one period earlier, which in a
 * period of 7 days is the same weekday.
 */
export const splitComparableDays = <Row extends DayRow>(rows: readonly Row[], range: PeriodRange) =>
  splitByPeriod(
    range.lastDay === range.today
      ? rows.filter(({ day }) => day !== range.today && day !== range.previousDays.at(-1))
      : rows,
    range,
  )

/** Returns one row for each day: the given row, or `emptyDay` if there is none. */
export function fillDays<Row extends DayRow>(
  rows: readonly Row[],
  days: readonly string[],
  emptyDay: Omit<NoInfer<Row>, 'day'>,
): (Omit<Row, 'day'> & DayRow)[] {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return days.map((day) => byDay.get(day) ?? { ...emptyDay, day })
}
