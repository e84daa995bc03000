/** A stretch of time on a chart: a day in UTC as YYYY-MM-DD, or all days from it to `until`. */
export interface Stretch {
  day: string
  until?: string
}

/** A value over time; `before` is what the same stretch of the period before had. */
export interface TimePoint extends Stretch {
  value: number
  before?: number
}

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const full = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

const month = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })
const monthAndYear = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

const time = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** 'Nov 3', as the reader writes it. */
export function dayText(day: string): string {
  return short.format(time(day))
}

/** 'Nov', for the month that a day lies in. */
export function monthText(day: string): string {
  return month.format(time(day))
}

/** Whether a stretch is a whole month. */
export function isMonth({ day, until }: Stretch): boolean {
  if (!until || !day.endsWith('-01') || day.slice(0, 7) !== until.slice(0, 7)) return false
  return new Date(time(until) + 86_400_000).getUTCDate() === 1
}

/** 'Tue, Nov 3, 2026', 'November 2026', or the first and last day of another stretch. */
export function stretchText({ day, until }: Stretch): string {
  if (!until || until === day) return full.format(time(day))
  if (isMonth({ day, until })) return monthAndYear.format(time(day))
  return short.formatRange(time(day), time(until))
}

/**
 * Sums in stretches of seven days that end with the last one; days that are left over belong to the first stretch. So
 * no stretch but the first is of another length, and nothing is left out.
 */
export function byWeek(points: readonly TimePoint[]): TimePoint[] {
  const weeks: TimePoint[] = []
  const count = Math.floor(points.length / 7)
  if (count < 2) return [...points]
  const rest = points.length - count * 7
  for (let week = 0; week < count; week++) {
    const part = points.slice(week === 0 ? 0 : rest + week * 7, rest + (week + 1) * 7)
    const [first] = part
    const last = part.at(-1)
    if (!first || !last) continue
    const sum = (of: (point: TimePoint) => number) => part.reduce((total, point) => total + of(point), 0)
    weeks.push({
      day: first.day,
      until: last.until ?? last.day,
      // Cents that are added up as fractions would not stay whole.
      value: Math.round(sum((point) => point.value) * 100) / 100,
      ...(part.every((point) => point.before !== undefined) && {
        before: Math.round(sum((point) => point.before ?? 0) * 100) / 100,
      }),
    })
  }
  return weeks
}

/** The highest line of an axis from 0: a round number, whose half is round too. 0 where no value is above it. */
export function axisEnd(values: readonly number[]): number {
  const highest = Math.max(0, ...values)
  if (highest === 0) return 0
  const half = highest / 2
  const power = 10 ** Math.floor(Math.log10(half))
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((size) => size >= half) ?? half
  // Two steps: so its middle has a line of its own, which is whole where the values are.
  const whole = values.every(Number.isInteger)
  return 2 * (whole ? Math.ceil(step) : step)
}

/**
 * Where the grey line can be named without lying on the other one: at the point, away from both ends, where the two
 * are furthest apart. -1 where there is no room.
 */
export function namingPlace(points: readonly TimePoint[]): number {
  let place = -1
  let widest = 0
  const margin = Math.ceil(points.length * 0.2)
  for (let index = margin; index < points.length - margin; index++) {
    const point = points[index]
    if (point?.before === undefined) continue
    const gap = Math.abs(point.before - point.value)
    if (gap <= widest && place !== -1) continue
    widest = gap
    place = index
  }
  return place
}
