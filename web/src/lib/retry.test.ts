import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NetworkError } from './errors'
import { retryWithBackoff } from './retry'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const networkError = () => new NetworkError(new TypeError('lost'))
const { signal } = new AbortController()

test('retries with increasing delays while the connection is lost, and returns the result', async () => {
  const upload = vi
    .fn()
    .mockRejectedValueOnce(networkError())
    .mockRejectedValueOnce(networkError())
    .mockResolvedValue('done')
  const onConnectionLost = vi.fn()
  const result = retryWithBackoff(upload, { signal, onConnectionLost })
  await vi.advanceTimersByTimeAsync(999)
  expect(upload).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(upload).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(2000)
  expect(await result).toBe('done')
  expect(onConnectionLost).toHaveBeenCalledTimes(2)
})

test('fails after two quick retries if the server returns an error, and reports no lost connection', async () => {
  const upload = vi.fn().mockRejectedValue(new ApiError(503, ''))
  const onConnectionLost = vi.fn()
  const failed = expect(retryWithBackoff(upload, { signal, onConnectionLost })).rejects.toThrow('503:')
  await vi.advanceTimersByTimeAsync(2000)
  await failed
  expect(upload).toHaveBeenCalledTimes(3)
  expect(onConnectionLost).not.toHaveBeenCalled()
})

test('retries immediately when the browser is online again', async () => {
  const upload = vi.fn().mockRejectedValueOnce(networkError()).mockResolvedValue('done')
  const result = retryWithBackoff(upload, { signal })
  await vi.advanceTimersByTimeAsync(10)
  window.dispatchEvent(new Event('online'))
  expect(await result).toBe('done')
})

test('does not retry a rejected upload, including one that exceeds the rate limit', async () => {
  for (const status of [400, 413, 415, 429]) {
    const upload = vi.fn().mockRejectedValue(new ApiError(status, ''))
    await expect(retryWithBackoff(upload, { signal })).rejects.toThrow(`${status}:`)
    expect(upload).toHaveBeenCalledTimes(1)
  }
})

test('stops when it is aborted and after the last attempt', async () => {
  const controller = new AbortController()
  const upload = vi.fn().mockRejectedValue(networkError())
  const aborted = expect(retryWithBackoff(upload, { signal: controller.signal })).rejects.toThrow('aborted')
  await vi.advanceTimersByTimeAsync(10)
  controller.abort(new Error('aborted'))
  await aborted
  const failed = expect(retryWithBackoff(upload, { signal })).rejects.toThrow('cannot be reached')
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  await failed
})
