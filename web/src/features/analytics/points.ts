import type { AnalyticsPeriod } from '@contract/analytics.ts'
import { groupByWeek, type TimePoint } from '@/ui/charts/time-axis'

/**
 * What a chart draws of an answer: each day beside the day as far into the period before, unless all of that was
 * nothing. The last day is today, and not over. A year is drawn by week: of days it would be noise.
 */
export function chartPoints<Day extends { day: string }>(
  { days, previousDays }: { days: Day[]; previousDays: Day[] },
  period: AnalyticsPeriod,
  of: (day: Day) => number,
): TimePoint[] {
  const compared = previousDays.some((day) => of(day) !== 0)
  const points = days.map((day, index) => {
    const previous = previousDays[index]
    return {
      day: day.day,
      value: of(day),
      ...(compared && previous && { before: of(previous) }),
      ...(index === days.length - 1 && { open: true as const }),
    }
  })
  return period === '1y' ? groupByWeek(points) : points
}
