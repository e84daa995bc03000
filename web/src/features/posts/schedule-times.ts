import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { relativeTimeFormat } from '@/lib/format'
import { timeUntil } from '@/lib/time'
import { isTooSoon } from './model'

const { maxDaysAhead } = limits.scheduledPosts
const minuteMs = 60_000

/** The values of a date input and a time input, in the browser's time zone. */
export interface TimeInputs {
  /** YYYY-MM-DD */
  date: string
  /** HH:MM */
  time: string
}

/** Returns the values of the inputs for a time. */
export function toTimeInputs(at: Date): TimeInputs {
  const pad = (value: number, length = 2) => String(value).padStart(length, '0')
  return {
    date: `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`,
    time: `${pad(at.getHours())}:${pad(at.getMinutes())}`,
  }
}

/** Returns the time in the inputs, or null if an input is empty. */
export function fromTimeInputs({ date, time }: TimeInputs): Date | null {
  const at = new Date(`${date}T${time}`)
  return date === '' || time === '' || Number.isNaN(at.getTime()) ? null : at
}

/** The earliest and the latest day that can be chosen. */
export function dateRange(now: number): { min: string; max: string } {
  return {
    min: toTimeInputs(new Date(now)).date,
    max: toTimeInputs(new Date(now + maxDaysAhead * 24 * 60 * minuteMs)).date,
  }
}

/** Returns why a post cannot be scheduled for the time in the inputs, or undefined if it can. */
export function scheduleProblem(inputs: TimeInputs, now: number): string | undefined {
  const at = fromTimeInputs(inputs)?.getTime()
  if (at === undefined) return t`Choose a date and a time.`
  if (isTooSoon(at, now)) return t`Choose a time at least 5 minutes from now.`
  if (at > now + maxDaysAhead * 24 * 60 * minuteMs) return t`Choose a time within the next year.`
  return undefined
}

/**
 * Formats the time left until a post is published: in calendar days if that is on a later day, at least 12 hours and at
 * most 30 days away; otherwise like `timeUntil`.
 */
export function distanceText(publishAt: string, now: number): string {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  const time = Date.parse(publishAt)
  // Rounded, because a day on which the clock changes has 23 or 25 hours.
  const days = Math.round((midnight(time) - midnight(now)) / (24 * 60 * minuteMs))
  if (days < 1 || days > 30 || time - now < 12 * 60 * minuteMs) return timeUntil(publishAt, now)
  return days === 1 ? t`tomorrow` : relativeTimeFormat().format(days, 'day')
}

/** Returns the next round hour that is at least an hour away, as the initial value of the inputs. */
export function nextRoundHour(now: number): Date {
  const at = new Date(now)
  at.setHours(at.getHours() + (at.getMinutes() === 0 ? 1 : 2), 0, 0, 0)
  return at
}

/** Returns tomorrow morning, tomorrow evening and the morning of the next Monday after tomorrow. */
export function suggestTimes(now: number): { tomorrowMorning: Date; tomorrowEvening: Date; monday: Date } {
  const daysAhead = (days: number, hour: number) => {
    const at = new Date(now)
    at.setDate(at.getDate() + days)
    at.setHours(hour, 0, 0, 0)
    return at
  }
  const daysToMonday = (8 - new Date(now).getDay()) % 7 || 7
  return {
    tomorrowMorning: daysAhead(1, 9),
    tomorrowEvening: daysAhead(1, 18),
    monday: daysAhead(daysToMonday === 1 ? 8 : daysToMonday, 9),
  }
}
