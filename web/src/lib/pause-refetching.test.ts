import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { pauseRefetching } from './pause-refetching'

const key = ['thing']

/** A query that somebody watches; each reading ends when `answer` is called with its value. */
function watched() {
  const client = new QueryClient()
  const waiting: ((value: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: key,
    queryFn: () => new Promise<string>((resolve) => waiting.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  observer.subscribe(() => undefined)
  return { client, waiting, answer: (value: string) => waiting.shift()?.(value) }
}

test('what was being read again does not overwrite what is shown, and is read once more', async () => {
  const { client, waiting, answer } = watched()
  answer('old')
  await vi.waitFor(() => expect(client.getQueryData(key)).toBe('old'))
  void client.invalidateQueries({ queryKey: key })
  await vi.waitFor(() => expect(waiting).toHaveLength(1))

  const resume = await pauseRefetching(client, { queryKey: key })
  client.setQueryData(key, (now: string | undefined) => now && 'pressed')
  answer('old')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(client.getQueryData(key)).toBe('pressed')

  resume()
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  answer('new')
  await vi.waitFor(() => expect(client.getQueryData(key)).toBe('new'))
})

test('a first reading is not stopped', async () => {
  const { client, answer } = watched()
  await pauseRefetching(client, { queryKey: key })
  answer('first')
  await vi.waitFor(() => expect(client.getQueryData(key)).toBe('first'))
})
