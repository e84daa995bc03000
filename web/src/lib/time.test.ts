import { expect, test } from 'vitest'
import {
  addMonths,
  compactAge,
  compactTimeAgo,
  dayAndTime,
  postDate,
  postTime,
  timeAgo,
  timeUntil,
} from './time'

const now = Date.UTC(2026, 10, 21, 12)
const before = (milliseconds: number) => new Date(now - milliseconds).toISOString()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test.each([
  [0, 'Just now'],
  [59 * minute, 'Just now'],
  [60 * minute, '1h ago'],
  [23.9 * hour, '23h ago'],
  [24 * hour, '1d ago'],
  [400 * day, '400d ago'],
])('formats the age of a post, %d ms, as %s', (age, text) => {
  expect(postTime(before(age), now)).toBe(text)
})

test.each([
  [6.9 * day, '6d ago'],
  [7 * day, 'Nov 14'],
  [400 * day, 'Oct 17, 2025'],
])('formats the age of a post, or its date after a week: %d ms as %s', (age, text) => {
  expect(postDate(before(age), now)).toBe(text)
})

test.each([
  ['2026-11-20T13:41', 'Fri 1:41 PM'],
  ['2026-11-15T13:41', 'Sun 1:41 PM'],
  ['2026-11-14T13:41', 'Nov 14, 1:41 PM'],
  ['2025-11-20T13:41', 'Nov 20, 2025, 1:41 PM'],
  ['', ''],
])('formats the local time %s as %s', (time, text) => {
  // The formatter puts a narrow no-break space before "PM".
  expect(dayAndTime(time, new Date('2026-11-21T12:00').getTime()).replace(/\s/g, ' ')).toBe(text)
})

test.each([
  [5_000, 'moments ago', 'moments ago', 'now'],
  [minute, '1 minute ago', '1m ago', '1m'],
  [59 * minute, '59 minutes ago', '59m ago', '59m'],
  [2 * hour, '2 hours ago', '2h ago', '2h'],
  [day, '1 day ago', '1d ago', '1d'],
  [65 * day, '2 months ago', '2mo ago', '2mo'],
  [800 * day, '2 years ago', '2y ago', '2y'],
])('formats an age of %d ms as %s, or shorter as %s and %s', (age, text, brief, short) => {
  expect(timeAgo(before(age), now)).toBe(text)
  expect(compactTimeAgo(before(age), now)).toBe(brief)
  expect(compactAge(before(age), now)).toBe(short)
})

test.each([
  [-minute, 'now'],
  [20_000, 'in 1 minute'],
  [59.6 * minute, 'in 60 minutes'],
  [100 * minute, 'in 2 hours'],
  [3 * day - 1, 'in 3 days'],
  [3 * day, 'in 3 days'],
])('formats a remaining time of %d ms as %s', (left, text) => {
  expect(timeUntil(before(-left), now)).toBe(text)
})

test('accepts times in the future and missing or invalid times', () => {
  expect(postTime(before(-5 * minute), now)).toBe('Just now')
  expect(timeAgo(undefined, now)).toBe('Recently')
  expect(compactTimeAgo(undefined, now)).toBe('Recently')
  expect(compactAge(undefined, now)).toBe('now')
  expect(timeUntil(null, now)).toBe('now')
  expect(postTime('nonsense', now)).toBe('Recently')
})

test.each([
  ['2026-11-21', 1, '2026-12-21'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2027-01-31', 3, '2027-04-30'],
  ['2028-02-29', 12, '2029-02-28'],
])('adds months to a date as the database does: %s and %d months', (start, months, end) => {
  expect(addMonths(months, Date.parse(`${start}T23:30:00Z`))).toBe(`${end}T23:30:00.000Z`)
})
