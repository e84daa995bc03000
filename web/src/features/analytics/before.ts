import type { AnalyticsPeriod } from '@contract/analytics.ts'
import { byWeek, type TimePoint } from '@/ui/charts/days'

/** A chart of a year is of weeks: of days it would be noise. */
export function drawn(points: TimePoint[], period: AnalyticsPeriod): TimePoint[] {
  return period === '1y' ? byWeek(points) : points
}
