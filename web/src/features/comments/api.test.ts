import {
  InfiniteQueryObserver,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ApiError } from '@/lib/api'
import { commentsQuery, isPostGone } from './api'

const query = {
  ...commentsQuery('a'),
  queryFn: () => Promise.reject(new ApiError(404, '')),
}

const drawn: { hasError: boolean; isGone: boolean }[] = []

/** Notes what the list is when it is first drawn. */
function List() {
  const list = useInfiniteQuery(query)
  drawn.push({ hasError: list.error !== null, isGone: isPostGone(list) })
  return null
}

test('a post that came back is not taken for gone by what was answered before', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 1e9 } } })
  client.setQueryData(query.queryKey, { pages: [{ items: [], nextCursor: null }], pageParams: [null] })
  const shown = new InfiniteQueryObserver(client, query)
  const leave = shown.subscribe(() => undefined)
  await shown.refetch()
  await vi.waitFor(() => expect(isPostGone(shown.getCurrentResult())).toBe(true))
  leave()

  // The list and that answer are kept, and it is asked for anew.
  renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(List)))
  expect(drawn).toEqual([{ hasError: true, isGone: false }])
})
