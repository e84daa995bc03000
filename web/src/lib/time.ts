import { useSyncExternalStore } from 'react'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Timestamp = string | null | undefined

/** Formats a post's age: 'Just now' under an hour, then '5h ago' or '3d ago'. 'Recently' if there is no valid time. */
export function postTime(timestamp: Timestamp, now = Date.now()): string {
  const ageMs = getAge(timestamp, now)
  if (ageMs === null) return 'Recently'
  if (ageMs < hourMs) return 'Just now'
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)}h ago`
  return `${Math.floor(ageMs / dayMs)}d ago`
}

const units: [lengthMs: number, name: string, abbreviation: string][] = [
  [365 * dayMs, 'year', 'y'],
  [30 * dayMs, 'month', 'mo'],
  [dayMs, 'day', 'd'],
  [hourMs, 'hour', 'h'],
  [minuteMs, 'minute', 'm'],
]

/** Formats an age as '5 minutes ago', or 'moments ago' under a minute. 'Recently' if there is no valid time. */
export function timeAgo(timestamp: Timestamp, now = Date.now()): string {
  const ageMs = getAge(timestamp, now)
  if (ageMs === null) return 'Recently'
  for (const [lengthMs, name] of units) {
    const count = Math.floor(ageMs / lengthMs)
    if (count >= 1) return `${count} ${pluralize(name, count)} ago`
  }
  return 'moments ago'
}

/**
 * Formats an age as '5m', '3d' or '2mo', or 'now' under a minute and without a valid time. For narrow columns, together
 * with `timeAgo` for screen readers.
 */
export function shortTimeAgo(timestamp: Timestamp, now = Date.now()): string {
  const ageMs = getAge(timestamp, now) ?? 0
  for (const [lengthMs, , abbreviation] of units) {
    const count = Math.floor(ageMs / lengthMs)
    if (count >= 1) return `${count}${abbreviation}`
  }
  return 'now'
}

/** Formats the time left as 'in 2 hours'. 'now' if the time is past or there is no valid time. */
export function timeUntil(timestamp: Timestamp, now = Date.now()): string {
  const leftMs = timestamp ? Date.parse(timestamp) - now : Number.NaN
  if (!(leftMs > 0)) return 'now'
  const [lengthMs, name] = units.find(([length]) => leftMs >= length) ?? [minuteMs, 'minute']
  const count = Math.max(1, Math.round(leftMs / lengthMs))
  return `in ${count} ${pluralize(name, count)}`
}

/** Returns null if there is no valid time, and 0 if the time is in the future because the clocks differ. */
function getAge(timestamp: Timestamp, now: number): number | null {
  const time = timestamp ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, now - time)
}

function pluralize(unit: string, count: number): string {
  return count === 1 ? unit : `${unit}s`
}

/** Created once, because that is slow, and on first use, so that it does not slow down every page load by 50 ms. */
let fullTimeFormat: Intl.DateTimeFormat | undefined

/** Formats date and time in the browser's locale, for tooltips. */
export function fullTime(timestamp: string): string {
  const time = new Date(timestamp)
  if (Number.isNaN(time.getTime())) return ''
  fullTimeFormat ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' })
  return fullTimeFormat.format(time)
}

/** Formats a date as 'November 21, 2026', in the browser's locale. */
export function longDate(timestamp: string): string {
  return new Date(timestamp).toLocaleDateString(undefined, { dateStyle: 'long' })
}

/** Formats a date as 'November 2026'. */
export function monthAndYear(timestamp: string): string {
  return new Date(timestamp).toLocaleDateString('en-US', { month: 'long', year: 'numeric' })
}

const clockIntervalMs = 30_000
const clockListeners = new Set<() => void>()
let clockNow = Date.now()
let clockTimer: ReturnType<typeof setInterval> | undefined

/** Returns the current time in milliseconds since 1970. Rerenders the component every 30 seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribeToClock, () => clockNow)
}

function subscribeToClock(listener: () => void): () => void {
  clockListeners.add(listener)
  // The clock does not run without listeners.
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
