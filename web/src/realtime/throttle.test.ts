import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Something that may happen once in 5 seconds, and the seconds at which it did. */
function begin() {
  const start = Date.now()
  const times: number[] = []
  return { times, ...throttle(5000, () => times.push((Date.now() - start) / 1000)) }
}

test('acts at once, and of a flood once in the time', () => {
  const { call, times } = begin()
  for (let tenth = 0; tenth < 120; tenth += 1) {
    call()
    vi.advanceTimersByTime(100)
  }
  expect(times).toEqual([0, 5, 10])
  vi.advanceTimersByTime(60_000)
  expect(times).toEqual([0, 5, 10, 15])
})

test('loses no last call, and does not act again by itself', () => {
  const { call, times } = begin()
  call()
  vi.advanceTimersByTime(1000)
  call()
  expect(times).toEqual([0])
  vi.advanceTimersByTime(60_000)
  expect(times).toEqual([0, 5])
  call()
  expect(times).toEqual([0, 5, 61])
})

test('makes up for what it owes when told to, once', () => {
  const { call, flush, times } = begin()
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

test('goes on after an act that failed', () => {
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
