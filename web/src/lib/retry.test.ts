import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from './api'
import { retryWithBackoff } from './retry'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const lost = () => new NetworkError(new TypeError('lost'))
const { signal } = new AbortController()

test('work is done again after a growing while, and its answer is handed on', async () => {
  const work = vi
    .fn()
    .mockRejectedValueOnce(lost())
    .mockRejectedValueOnce(new ApiError(503, ''))
    .mockResolvedValue('done')
  const onWaiting = vi.fn()
  const result = retryWithBackoff(work, { signal, onWaiting })
  await vi.advanceTimersByTimeAsync(999)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(2000)
  expect(await result).toBe('done')
  expect(onWaiting).toHaveBeenCalledTimes(2)
})

test('a connection that is back is not waited for', async () => {
  const work = vi.fn().mockRejectedValueOnce(lost()).mockResolvedValue('done')
  const result = retryWithBackoff(work, { signal })
  await vi.advanceTimersByTimeAsync(10)
  window.dispatchEvent(new Event('online'))
  expect(await result).toBe('done')
})

test('a refusal stands at once, too many uploads among them', async () => {
  for (const status of [400, 413, 415, 429]) {
    const work = vi.fn().mockRejectedValue(new ApiError(status, ''))
    await expect(retryWithBackoff(work, { signal })).rejects.toThrow(`${status}:`)
    expect(work).toHaveBeenCalledTimes(1)
  }
})

test('it ends when it is stopped while waiting, and after the last attempt', async () => {
  const stop = new AbortController()
  const work = vi.fn().mockRejectedValue(lost())
  const stopped = expect(retryWithBackoff(work, { signal: stop.signal })).rejects.toThrow('enough')
  await vi.advanceTimersByTimeAsync(10)
  stop.abort(new Error('enough'))
  await stopped
  const failed = expect(retryWithBackoff(work, { signal })).rejects.toThrow('cannot be reached')
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  await failed
})
