import type { BestHours } from '@contract/analytics.ts'
import { type HourCell, weekdays } from '@/ui/charts/week'

/** By which hours a grid in UTC is moved, and what its clock is called. */
export interface WholeHourZone {
  hours: number
  name: string
}

/**
 * The reader's own time where it is whole hours from UTC; else UTC, because views are counted by the hour. It is the
 * zone's time of today for the whole period, summer and winter alike.
 *
 * @param behind minutes by which UTC is ahead, as `Date.getTimezoneOffset` has it
 */
export function wholeHourZone(behind: number): WholeHourZone {
  if (behind % 60 !== 0) return { hours: 0, name: 'UTC' }
  const hours = behind === 0 ? 0 : -behind / 60
  if (hours === 0) return { hours, name: 'UTC' }
  return { hours, name: `your time, UTC${hours > 0 ? '+' : '−'}${Math.abs(hours)}` }
}

const inWeek = 7 * 24

/** Average views by weekday and hour, as the clock of `zone` has them. */
export function shiftToZone(hours: BestHours, zone: WholeHourZone): HourCell[] {
  return hours.map(({ weekday, hour, average }) => {
    const at = (weekday * 24 + hour + zone.hours + inWeek) % inWeek
    return { weekday: Math.floor(at / 24), hour: at % 24, value: average }
  })
}

/** What each weekday has on average, Monday first. */
export function averageByWeekday(cells: HourCell[]): number[] {
  return weekdays.map((_, index) =>
    cells.reduce((sum, { weekday, value }) => (weekday === index ? sum + value : sum), 0),
  )
}

/** 'Most views: Thursdays around 20:00'; the earliest of the week where several have as many. */
export function peakHourText(cells: HourCell[]): string | null {
  const [best] = [...cells].sort((a, b) => b.value - a.value || a.weekday - b.weekday || a.hour - b.hour)
  if (!best || best.value === 0) return null
  return `Most views: ${weekdays[best.weekday]}s around ${String(best.hour).padStart(2, '0')}:00`
}
