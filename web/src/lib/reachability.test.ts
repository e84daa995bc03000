import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reachability, reportReachability } from './reachability'

beforeEach(() => {
  vi.useFakeTimers()
  reportReachability(true)
})
afterEach(() => {
  vi.useRealTimers()
})
const reachable = () => reachability.getState().reachable

test('a failure is believed after a moment, a success at once', () => {
  reportReachability(false)
  expect(reachable()).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(reachable()).toBe(false)
  reportReachability(true)
  expect(reachable()).toBe(true)
})

test('a failure followed by a success was none', () => {
  reportReachability(false)
  vi.advanceTimersByTime(300)
  reportReachability(true)
  vi.advanceTimersByTime(5000)
  expect(reachable()).toBe(true)
})
