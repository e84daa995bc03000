import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { captureCount, invalidateQueries, pauseRefetching, setCachedCount } from './query-cache'

const countKey = ['count']

/** Observes a count. Each fetch ends when the test calls its function in `responses`. */
function observeCount() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  const responses: ((count: number) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: countKey,
    // Rejects when it is cancelled, like a request.
    queryFn: ({ signal }) =>
      new Promise<{ count: number }>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        responses.push((count) => resolve({ count }))
      }),
  })
  const unsubscribe = observer.subscribe(() => {})
  return { client, responses, count: () => observer.getCurrentResult().data?.count, unsubscribe }
}

test('refetches once after the first fetch, however often the query was invalidated', async () => {
  const { client, responses, count, unsubscribe } = observeCount()
  invalidateQueries(client, { queryKey: countKey })
  invalidateQueries(client, { queryKey: countKey })
  expect(responses).toHaveLength(1)
  responses[0]?.(1)
  await vi.waitFor(() => expect(responses).toHaveLength(2))
  expect(count()).toBe(1)
  responses[1]?.(2)
  await vi.waitFor(() => expect(count()).toBe(2))
  expect(responses).toHaveLength(2)
  unsubscribe()
})

test('does not overwrite a count with an older response', async () => {
  const { client, responses, count, unsubscribe } = observeCount()
  setCachedCount(client, countKey, { count: 5 })
  responses[0]?.(4)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(count()).toBe(5)
  unsubscribe()
})

test('uses the count of a response unless the cached count has changed in the meantime', async () => {
  const { client, responses, count, unsubscribe } = observeCount()
  setCachedCount(client, countKey, { count: 5 })
  captureCount(client, countKey)({ count: 3 })
  expect(count()).toBe(3)
  const setCount = captureCount(client, countKey)
  setCachedCount(client, countKey, { count: 4 })
  setCount({ count: 2 })
  expect(count()).toBe(4)
  expect(responses).toHaveLength(2)
  unsubscribe()
})

const textKey = ['text']

/** Observes a string. `respond` ends the oldest fetch in `pending`. */
function observeText() {
  const client = new QueryClient()
  const pending: ((value: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: textKey,
    queryFn: () => new Promise<string>((resolve) => pending.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  observer.subscribe(() => undefined)
  return { client, pending, respond: (value: string) => pending.shift()?.(value) }
}

test('cancels a refetch before an optimistic update and repeats it on resume', async () => {
  const { client, pending, respond } = observeText()
  respond('old')
  await vi.waitFor(() => expect(client.getQueryData(textKey)).toBe('old'))
  void client.invalidateQueries({ queryKey: textKey })
  await vi.waitFor(() => expect(pending).toHaveLength(1))

  const resume = await pauseRefetching(client, { queryKey: textKey })
  client.setQueryData(textKey, (current: string | undefined) => current && 'optimistic')
  respond('old')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(client.getQueryData(textKey)).toBe('optimistic')

  resume()
  await vi.waitFor(() => expect(pending).toHaveLength(1))
  respond('new')
  await vi.waitFor(() => expect(client.getQueryData(textKey)).toBe('new'))
})

test('does not cancel a first fetch', async () => {
  const { client, respond } = observeText()
  await pauseRefetching(client, { queryKey: textKey })
  respond('first')
  await vi.waitFor(() => expect(client.getQueryData(textKey)).toBe('first'))
})
