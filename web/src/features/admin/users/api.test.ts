import type { AdminUser } from '@contract/admin.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { refetchUser, replaceUserInCache, usersQuery } from './api'

afterEach(() => vi.unstubAllGlobals())

const { queryKey } = usersQuery('', 'all', 'newest')

/** Returns a client with a cached user, and a function that responds with 404 to the request for that user. */
function setUp() {
  const client = new QueryClient()
  const page = { items: [{ id: 'ada', suspended: false } as AdminUser], nextCursor: null, total: 1 }
  client.setQueryData(queryKey, { pages: [page], pageParams: [null] })
  let respond: (response: Response) => void = () => undefined
  const response = new Promise<Response>((resolve) => {
    respond = resolve
  })
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return Promise.race([response, aborted])
  })
  return {
    users: () => client.getQueryData(queryKey)?.pages.flatMap((page) => page.items),
    client,
    respondNotFound: () =>
      respond(Response.json({ message: 'Not found', code: 'not_found' }, { status: 404 })),
  }
}

test('removes a user if the refetch after a failed action finds that they were deleted', async () => {
  const { client, users, respondNotFound } = setUp()
  const refetch = refetchUser(client, 'ada')
  respondNotFound()
  await refetch
  expect(users()).toEqual([])
})

test('ignores the refetch after a failed action once a later action has changed the user', async () => {
  const { client, users, respondNotFound } = setUp()
  const refetch = refetchUser(client, 'ada')
  replaceUserInCache(client, { id: 'ada', suspended: true } as AdminUser)
  respondNotFound()
  await refetch
  expect(users()).toEqual([{ id: 'ada', suspended: true }])
})
