import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import { dateFormat, relativeTimeFormat } from './format'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Timestamp = string | null | undefined

/** Formats a post's age: 'Just now' under an hour, then '5h ago' or '3d ago'. 'Recently' if there is no valid time. */
export function postTime(timestamp: Timestamp, now = Date.now()): string {
  const ageMs = getAge(timestamp, now)
  if (ageMs === null) return t`Recently`
  if (ageMs < hourMs) return t`Just now`
  const hours = Math.floor(ageMs / hourMs)
  const days = Math.floor(ageMs / dayMs)
  return ageMs < dayMs ? t`${hours}h ago` : t`${days}d ago`
}

/** Formats a post's age like `postTime`, or its date if the post is at least a week old: 'Oct 23'. */
export function postDate(timestamp: string, now = Date.now()): string {
  const ageMs = getAge(timestamp, now)
  if (ageMs === null || ageMs < 7 * dayMs) return postTime(timestamp, now)
  const time = new Date(timestamp)
  const isThisYear = time.getFullYear() === new Date(now).getFullYear()
  return dateFormat({ day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) }).format(time)
}

const units: [lengthMs: number, name: Intl.RelativeTimeFormatUnit][] = [
  [365 * dayMs, 'year'],
  [30 * dayMs, 'month'],
  [dayMs, 'day'],
  [hourMs, 'hour'],
  [minuteMs, 'minute'],
]

/** Formats an age as '5 minutes ago', or 'moments ago' under a minute. 'Recently' if there is no valid time. */
export function timeAgo(timestamp: Timestamp, now = Date.now(), style: 'long' | 'narrow' = 'long'): string {
  const ageMs = getAge(timestamp, now)
  if (ageMs === null) return t`Recently`
  for (const [lengthMs, unit] of units) {
    const count = Math.floor(ageMs / lengthMs)
    if (count >= 1) return relativeTimeFormat(style).format(-count, unit)
  }
  return t`moments ago`
}

/** Formats an age like `timeAgo`, but shorter: '5m ago'. */
export const compactTimeAgo = (timestamp: Timestamp, now = Date.now()): string =>
  timeAgo(timestamp, now, 'narrow')

/**
 * Formats an age as '5m', '3d' or '2mo', or 'now' under a minute or without a valid time. Used in narrow columns,
 * together with `timeAgo` for screen readers.
 */
export function compactAge(timestamp: Timestamp, now = Date.now()): string {
  const ageMs = getAge(timestamp, now) ?? 0
  const unit = units.find(([lengthMs]) => ageMs >= lengthMs)
  if (!unit) return t`now`
  const count = Math.floor(ageMs / unit[0])
  switch (unit[1]) {
    case 'year':
      return t`${count}y`
    case 'month':
      return t`${count}mo`
    case 'day':
      return t`${count}d`
    case 'hour':
      return t`${count}h`
    default:
      return t`${count}m`
  }
}

/** Formats the time left as 'in 2 hours'. 'now' if the time is in the past or there is no valid time. */
export function timeUntil(timestamp: Timestamp, now = Date.now()): string {
  const leftMs = timestamp ? Date.parse(timestamp) - now : Number.NaN
  if (!(leftMs > 0)) return t`now`
  const [lengthMs, unit] = units.find(([length]) => leftMs >= length) ?? [minuteMs, 'minute']
  return relativeTimeFormat().format(Math.max(1, Math.round(leftMs / lengthMs)), unit)
}

/** Returns an age in milliseconds: null without a valid time, and 0 for a future time, because clocks can differ. */
function getAge(timestamp: Timestamp, now: number): number | null {
  const time = timestamp ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, now - time)
}

/** Formats a date and time, for tooltips. */
export function fullTime(timestamp: string): string {
  const time = new Date(timestamp)
  if (Number.isNaN(time.getTime())) return ''
  return dateFormat({ dateStyle: 'long', timeStyle: 'short' }).format(time)
}

const clock: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' }
/** Before this, the weekday alone identifies the day. */
const weekdayMs = 6 * 86_400_000

/**
 * Formats a time of another day as 'Mon 1:41 PM', after six days as 'Nov 21, 1:41 PM', and with the year if it is not
 * the current one.
 */
export function dayAndTime(timestamp: string, now: number): string {
  const time = new Date(timestamp)
  if (Number.isNaN(time.getTime())) return ''
  if (now - time.getTime() < weekdayMs) return dateFormat({ weekday: 'short', ...clock }).format(time)
  const year = time.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric'
  return dateFormat({ month: 'short', day: 'numeric', year, ...clock }).format(time)
}

/** Returns whether both times are on the same day in the browser's time zone. */
export const isSameDay = (timestamp: string, now: number): boolean =>
  new Date(timestamp).toDateString() === new Date(now).toDateString()

/** Formats a date as 'November 21, 2026'. */
export function longDate(timestamp: string): string {
  return dateFormat({ dateStyle: 'long' }).format(new Date(timestamp))
}

/** Returns the time `months` months after `now`. A day that the month does not have becomes the month's last day. */
export function addMonths(months: number, now = Date.now()): string {
  const time = new Date(now)
  const day = time.getUTCDate()
  time.setUTCMonth(time.getUTCMonth() + months)
  if (time.getUTCDate() !== day) time.setUTCDate(0)
  return time.toISOString()
}

/** Formats a date as 'November 2026'. */
export function monthAndYear(timestamp: string): string {
  return dateFormat({ month: 'long', year: 'numeric' }).format(new Date(timestamp))
}

const clockIntervalMs = 30_000
const clockListeners = new Set<() => void>()
let clockNow = Date.now()
let clockTimer: ReturnType<typeof setInterval> | undefined

const getClockNow = () => clockNow

/** Returns the current time in milliseconds since 1970. Rerenders the component every 30 seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribeToClock, getClockNow, getClockNow)
}

function subscribeToClock(listener: () => void): () => void {
  clockListeners.add(listener)
  // Without listeners, the clock has stopped.
  if (clockTimer === undefined) clockNow = Date.now()
  clockTimer ??= setInterval(() => {
    clockNow = Date.now()
    for (const notify of clockListeners) notify()
  }, clockIntervalMs)
  return () => {
    clockListeners.delete(listener)
    if (clockListeners.size > 0) return
    clearInterval(clockTimer)
    clockTimer = undefined
  }
}
