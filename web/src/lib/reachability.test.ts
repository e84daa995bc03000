import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reachability, reportReachable } from './reachability'

beforeEach(() => {
  vi.useFakeTimers()
  reportReachable(true)
})
afterEach(() => {
  vi.useRealTimers()
})
const reachable = () => reachability.getState().reachable

test('a failure is believed after a moment, a success at once', () => {
  reportReachable(false)
  expect(reachable()).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(reachable()).toBe(false)
  reportReachable(true)
  expect(reachable()).toBe(true)
})

test('a failure followed by a success was none', () => {
  reportReachable(false)
  vi.advanceTimersByTime(300)
  reportReachable(true)
  vi.advanceTimersByTime(5000)
  expect(reachable()).toBe(true)
})
