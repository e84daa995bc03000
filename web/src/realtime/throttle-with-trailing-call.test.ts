import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttleWithTrailingCall } from './throttle-with-trailing-call'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('acts at once, and for all that is asked meanwhile once more', () => {
  const action = vi.fn()
  const calm = throttleWithTrailingCall(action, 1000)
  for (let index = 0; index < 5; index += 1) calm.ask()
  expect(action).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  expect(action).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(5000)
  expect(action).toHaveBeenCalledTimes(2)
  calm.ask()
  expect(action).toHaveBeenCalledTimes(3)
})

test('does nothing more once it is stopped', () => {
  const action = vi.fn()
  const calm = throttleWithTrailingCall(action, 1000)
  calm.ask()
  calm.ask()
  calm.stop()
  vi.advanceTimersByTime(5000)
  expect(action).toHaveBeenCalledTimes(1)
})
