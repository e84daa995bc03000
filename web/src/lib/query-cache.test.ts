import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { captureCount, invalidateQueries, setCachedCount } from './query-cache'

const queryKey = ['count']

/** A page that watches a count, and a server whose answers are held back until told. */
function watched() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  const answers: ((count: number) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey,
    // Like a call it stops listening when it is cancelled.
    queryFn: ({ signal }) =>
      new Promise<{ count: number }>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        answers.push((count) => resolve({ count }))
      }),
  })
  const close = observer.subscribe(() => {})
  return { client, answers, shown: () => observer.getCurrentResult().data?.count, close }
}

test('news during the first reading has it read once more, however often they are told', async () => {
  const { client, answers, shown, close } = watched()
  invalidateQueries(client, { queryKey })
  invalidateQueries(client, { queryKey })
  expect(answers).toHaveLength(1)
  answers[0]?.(1)
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  expect(shown()).toBe(1)
  answers[1]?.(2)
  await vi.waitFor(() => expect(shown()).toBe(2))
  expect(answers).toHaveLength(2)
  close()
})

test('a count that was told is not undone by an older answer', async () => {
  const { client, answers, shown, close } = watched()
  setCachedCount(client, queryKey, { count: 5 })
  answers[0]?.(4)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(shown()).toBe(5)
  close()
})

test('the answer of a change counts unless the count changed meanwhile', async () => {
  const { client, answers, shown, close } = watched()
  setCachedCount(client, queryKey, { count: 5 })
  captureCount(client, queryKey)({ count: 3 })
  expect(shown()).toBe(3)
  const take = captureCount(client, queryKey)
  setCachedCount(client, queryKey, { count: 4 })
  take({ count: 2 })
  expect(shown()).toBe(4)
  expect(answers).toHaveLength(2)
  close()
})
