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

test('reports a failure after a delay and a success immediately', () => {
  reportReachability(false)
  expect(reachable()).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(reachable()).toBe(false)
  reportReachability(true)
  expect(reachable()).toBe(true)
})

test('ignores a failure that is followed by a success', () => {
  reportReachability(false)
  vi.advanceTimersByTime(300)
  reportReachability(true)
  vi.advanceTimersByTime(5000)
  expect(reachable()).toBe(true)
})
