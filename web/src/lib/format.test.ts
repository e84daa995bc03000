import { expect, test } from 'vitest'
import { compactNumber, dollars, postTime, timeAgo, timeUntil } from './format'

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
])('a post %d ms old reads %s', (age, text) => {
  expect(postTime(before(age), now)).toBe(text)
})

test.each([
  [5_000, 'moments ago'],
  [minute, '1 minute ago'],
  [59 * minute, '59 minutes ago'],
  [2 * hour, '2 hours ago'],
  [day, '1 day ago'],
  [65 * day, '2 months ago'],
  [800 * day, '2 years ago'],
])('a message %d ms old reads %s', (age, text) => {
  expect(timeAgo(before(age), now)).toBe(text)
})

test.each([
  [-minute, 'now'],
  [20_000, 'in 1 minute'],
  [59.6 * minute, 'in 60 minutes'],
  [100 * minute, 'in 2 hours'],
  [3 * day - 1, 'in 3 days'],
  [3 * day, 'in 3 days'],
])('what is %d ms away reads %s', (left, text) => {
  expect(timeUntil(before(-left), now)).toBe(text)
  expect(timeUntil(null, now)).toBe('now')
})

test('a clock that runs ahead and a missing time do no harm', () => {
  expect(postTime(before(-5 * minute), now)).toBe('Just now')
  expect(timeAgo(undefined, now)).toBe('Recently')
  expect(postTime('nonsense', now)).toBe('Recently')
})

test('counts get short', () => {
  expect(compactNumber(12_400)).toBe('12.4K')
})

test.each([
  [12.5, '$12.50'],
  [1234.005, '$1,234.01'],
  [-5, '-$5.00'],
  [-0.001, '$0.00'],
])('%d dollars read %s', (amount, text) => {
  expect(dollars(amount)).toBe(text)
})
