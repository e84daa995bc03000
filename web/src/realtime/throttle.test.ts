import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batch, throttle } from './throttle'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Throttles an action to one run every 5 seconds. `times` contains the seconds at which it ran. */
function throttleAction() {
  const start = Date.now()
  const times: number[] = []
  return { times, ...throttle(5000, () => times.push((Date.now() - start) / 1000)) }
}

test('runs immediately and then once per wait', () => {
  const { call, times } = throttleAction()
  for (let tenth = 0; tenth < 120; tenth += 1) {
    call()
    vi.advanceTimersByTime(100)
  }
  expect(times).toEqual([0, 5, 10])
  vi.advanceTimersByTime(60_000)
  expect(times).toEqual([0, 5, 10, 15])
})

test('runs once more for a call during the wait, but never without a call', () => {
  const { call, times } = throttleAction()
  call()
  vi.advanceTimersByTime(1000)
  call()
  expect(times).toEqual([0])
  vi.advanceTimersByTime(60_000)
  expect(times).toEqual([0, 5])
  call()
  expect(times).toEqual([0, 5, 61])
})

test('flushes a pending call once', () => {
  const { call, flush, times } = throttleAction()
  flush()
  call()
  flush()
  expect(times).toEqual([0])
  call()
  vi.advanceTimersByTime(2000)
  flush()
  flush()
  vi.advanceTimersByTime(60_000)
  expect(times).toEqual([0, 2])
})

test('does not run a pending call after it is stopped', () => {
  const { call, stop, times } = throttleAction()
  call()
  call()
  stop()
  vi.advanceTimersByTime(60_000)
  expect(times).toEqual([0])
})

test('runs the action again after it has thrown an error', () => {
  const failures: string[] = []
  const { call } = throttle(5000, () => {
    failures.push('failed')
    throw new Error('failed')
  })
  expect(call).toThrow('failed')
  call()
  expect(() => vi.advanceTimersByTime(5000)).toThrow('failed')
  expect(failures).toHaveLength(2)
})

test('handles values in batches, but not while `isBusy` returns true', () => {
  let isBusy = false
  const batches: string[][] = []
  const { add, stop } = batch<string>(
    1000,
    () => isBusy,
    (values) => batches.push([...values]),
  )
  for (const value of ['a', 'b', 'b', 'c']) add(value)
  expect(batches).toEqual([['a']])
  isBusy = true
  vi.advanceTimersByTime(5000)
  expect(batches).toHaveLength(1)
  isBusy = false
  vi.advanceTimersByTime(1000)
  expect(batches).toEqual([['a'], ['b', 'c']])
  vi.advanceTimersByTime(60_000)
  expect(batches).toHaveLength(2)
  for (const value of ['d', 'e']) add(value)
  stop()
  vi.advanceTimersByTime(60_000)
  expect(batches.slice(2)).toEqual([['d']])
})
