const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function age(timestamp: string | null | undefined, now: number): number | null {
  const then = timestamp ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(then) ? null : Math.max(0, now - then)
}

/** A post's age: 'Just now' under an hour, then 'Nh ago', then 'Nd ago'; 'Recently' where there is no time. */
export function postTime(timestamp: string | null | undefined, now = Date.now()): string {
  const passed = age(timestamp, now)
  if (passed === null) return 'Recently'
  if (passed < hour) return 'Just now'
  if (passed < day) return `${Math.floor(passed / hour)}h ago`
  return `${Math.floor(passed / day)}d ago`
}

const steps: [number, string][] = [
  [365 * day, 'year'],
  [30 * day, 'month'],
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
]

/** A message's or notification's age as 'x ago'; 'Recently' where there is no time. */
export function timeAgo(timestamp: string | null | undefined, now = Date.now()): string {
  const passed = age(timestamp, now)
  if (passed === null) return 'Recently'
  for (const [length, name] of steps) {
    const count = Math.floor(passed / length)
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'} ago`
  }
  return 'moments ago'
}

/** How far away something is, as 'in 2 hours'; 'now' where it is due or past, and where there is no time. */
export function timeUntil(timestamp: string | null | undefined, now = Date.now()): string {
  const left = timestamp ? Date.parse(timestamp) - now : Number.NaN
  if (!(left > 0)) return 'now'
  const [length, name] = steps.find(([step]) => left >= step) ?? [minute, 'minute']
  const count = Math.max(1, Math.round(left / length))
  return `in ${count} ${name}${count === 1 ? '' : 's'}`
}

/**
 * Made once: making one takes longer than all that it is used for in a thread. Made when it is first used: it takes a
 * twentieth of a second of every start, also of pages that tell no time.
 */
let inFull: Intl.DateTimeFormat | undefined
const inShort = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Date and time in the reader's own words, for what is shown on hover. */
export function fullTime(timestamp: string): string {
  const time = new Date(timestamp)
  if (Number.isNaN(time.getTime())) return ''
  inFull ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' })
  return inFull.format(time)
}

/** 'November 2026', for the date somebody joined. */
export function monthAndYear(timestamp: string): string {
  return new Date(timestamp).toLocaleDateString('en-US', { month: 'long', year: 'numeric' })
}

/** 1234 as '1.2K', for counts beside names. */
export function compactNumber(value: number): string {
  return inShort.format(value)
}

const inDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** 12.5 as '$12.50', 1234 as '$1,234.00', -5 as '-$5.00'. */
export function dollars(amount: number): string {
  // Never '-$0.00'.
  return inDollars.format(Math.round(amount * 100) / 100 || 0)
}

const inShortDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})

/** 4523 as '$4.5K', for axes and narrow places. */
export function shortDollars(amount: number): string {
  return inShortDollars.format(amount || 0)
}

/** '21 November 2026' as the reader writes it, for what happens on a day. */
export function longDate(timestamp: string): string {
  return new Date(timestamp).toLocaleDateString(undefined, { dateStyle: 'long' })
}
