/** A stretch of time on a chart: a day in UTC as YYYY-MM-DD, or all days from it to `until`. */
export interface TimeSpan {
  day: string
  until?: string
}

/** Pixels from the top of a chart over time to the end of its dates. */
export const plotHeight = 220

/** A value over time; `before` is what the same stretch of the period before had. */
export interface TimePoint extends TimeSpan {
  value: number
  before?: number
  /** It is not over yet: its value is what there is so far. */
  open?: true
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

/** What is over as one line, and from its end to what is not as another: a fall that is none is not drawn as one. */
export function splitAtUnfinished(points: readonly TimePoint[]) {
  return points.map(({ day, value, before, open }, index) => ({
    day,
    before,
    over: open ? null : value,
    open: open || points[index + 1]?.open ? value : null,
  }))
}

/** 'Nov 3', as the reader writes it. */
export function formatDay(day: string): string {
  return short.format(time(day))
}

/** 'Nov', for the month that a day lies in. */
export function formatMonth(day: string): string {
  return month.format(time(day))
}

/** Whether a stretch is a whole month. */
export function isWholeMonth({ day, until }: TimeSpan): boolean {
  if (!until || !day.endsWith('-01') || day.slice(0, 7) !== until.slice(0, 7)) return false
  return new Date(time(until) + 86_400_000).getUTCDate() === 1
}

/** 'Tue, Nov 3, 2026', 'November 2026', or the first and last day of another stretch. */
export function formatTimeSpan({ day, until }: TimeSpan): string {
  if (!until || until === day) return full.format(time(day))
  if (isWholeMonth({ day, until })) return monthAndYear.format(time(day))
  return short.formatRange(time(day), time(until))
}

/** The same, and that it is not over where it is not. */
export function formatPoint(point: TimePoint): string {
  return point.open ? `${formatTimeSpan(point)}, not over yet` : formatTimeSpan(point)
}

/**
 * Sums in stretches of seven days that end with the last one; days that are left over belong to the first stretch. So
 * no stretch but the first is of another length, and nothing is left out.
 */
export function groupByWeek(points: readonly TimePoint[]): TimePoint[] {
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
      ...(last.open && { open: true as const }),
    })
  }
  return weeks
}

/**
 * The lines of an axis from 0, or from below the lowest value, to above the highest, in two to five round steps; whole
 * ones where the values are. 0 alone where every value is.
 */
export function axisTicks(values: readonly number[]): number[] {
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  const span = highest - lowest
  if (span === 0) return [0]
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const sizes = [1, 2, 2.5, 5, 10, 20].map((times) => times * power)
  const whole = values.every(Number.isInteger)
  const fits = (size: number) => size * 4 >= span && (!whole || Number.isInteger(size))
  const step = sizes.find(fits) ?? Math.ceil(span / 4)
  const first = -Math.ceil(-lowest / step)
  const above = Math.ceil(highest / step)
  const last = lowest === 0 ? Math.max(2, above) : above
  return Array.from({ length: last - first + 1 }, (_, line) => (first + line) * step)
}
