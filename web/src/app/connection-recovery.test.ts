import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reachability, reportReachability } from '@/lib/api'
import { queryClient } from '@/lib/query-client'
import './connection-recovery'

// The module adds its listeners to `window` when it is imported.
vi.hoisted(() => vi.stubGlobal('window', new EventTarget()))

const fetchMock = vi.fn<typeof fetch>()
const failed = () => Promise.reject(new TypeError('Failed to fetch'))
const isReachable = () => reachability.getState().reachable

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetchMock.mockReset().mockImplementation(failed))
  // With this value, the delays are exactly those in `socketRetryDelaysMs`.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})

afterEach(() => {
  reportReachability(true)
  queryClient.clear()
  vi.useRealTimers()
})

async function loseConnection(): Promise<void> {
  reportReachability(false)
  // The server counts as unreachable 800 ms after a failure.
  await vi.advanceTimersByTimeAsync(800)
  expect(isReachable()).toBe(false)
}

test('checks less and less often until the server responds', async () => {
  await loseConnection()
  const counts: number[] = []
  for (const delayMs of [1000, 2000, 5000, 10_000, 10_000]) {
    await vi.advanceTimersByTimeAsync(delayMs)
    counts.push(fetchMock.mock.calls.length)
  }
  expect(counts).toEqual([1, 2, 3, 4, 5])
  fetchMock.mockResolvedValue(new Response('', { status: 503 }))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isReachable()).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetchMock).toHaveBeenCalledTimes(6)
})

test('checks immediately when the browser is online again, and then with a single timer', async () => {
  await loseConnection()
  window.dispatchEvent(new Event('online'))
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(fetchMock).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetchMock).toHaveBeenCalledTimes(3)
})

test('ignores the failure of a check after a later one has succeeded', async () => {
  fetchMock.mockImplementationOnce(
    (_, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      ),
  )
  window.dispatchEvent(new Event('offline'))
  fetchMock.mockResolvedValue(new Response('{}'))
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(isReachable()).toBe(true)
  expect(fetchMock).toHaveBeenCalledTimes(2)
})

test('refetches what is on the screen and has not been fetched since the connection was lost', async () => {
  const fetched: string[] = []
  const observe = (name: string) =>
    new QueryObserver(queryClient, {
      queryKey: [name],
      queryFn: () => {
        fetched.push(name)
        return name
      },
    }).subscribe(() => undefined)
  const stop = observe('hidden')
  observe('before')
  observe('edited')
  await vi.advanceTimersByTimeAsync(10)
  stop()
  await loseConnection()
  await vi.advanceTimersByTimeAsync(10)
  observe('since')
  queryClient.setQueryData(['edited'], 'optimistic')
  await queryClient.invalidateQueries({ queryKey: ['edited'], refetchType: 'none' })
  await vi.advanceTimersByTimeAsync(10)
  expect(fetched).toEqual(['hidden', 'before', 'edited', 'since'])
  reportReachability(true)
  await vi.advanceTimersByTimeAsync(10)
  expect(fetched).toEqual(['hidden', 'before', 'edited', 'since', 'before', 'edited'])
})
