import type { InfiniteData, Query, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'
import type { Page } from './api'

type Count = { count: number }

/** Queries that are refetched as soon as their first fetch has ended. */
const refetchAfterFirstFetch = new WeakSet<Query>()

/**
 * Invalidates queries. Call this when newer data is known to exist. A first fetch that is still in progress may return
 * older data, which the client would treat as fresh. Such a fetch is therefore followed by a second one.
 */
export function invalidateQueries(client: QueryClient, filters: QueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    if (query.state.data === undefined && query.state.fetchStatus !== 'idle')
      invalidateOnceIdle(client, query)
  }
  void client.invalidateQueries(filters)
}

function invalidateOnceIdle(client: QueryClient, query: Query): void {
  if (refetchAfterFirstFetch.has(query)) return
  refetchAfterFirstFetch.add(query)
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.query !== query) return
    if (event.type !== 'removed' && query.state.fetchStatus !== 'idle') return
    unsubscribe()
    refetchAfterFirstFetch.delete(query)
    if (query.state.data !== undefined)
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  })
}

/** Sets a count that is known to be the latest, and cancels a fetch that may return an older one. */
export function setCachedCount(client: QueryClient, queryKey: QueryKey, count: Count): void {
  void client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, count)
}

/**
 * Returns a function that caches the count from a mutation's response. Call `captureCount` before the request: if the
 * cached count changes in the meantime, it is unknown which of the two is newer, so the count is refetched instead.
 */
export function captureCount(client: QueryClient, queryKey: QueryKey): (count: Count) => void {
  const updateCount = () => client.getQueryState(queryKey)?.dataUpdateCount ?? 0
  const before = updateCount()
  return (count) => {
    if (updateCount() === before) setCachedCount(client, queryKey, count)
    else invalidateQueries(client, { queryKey, exact: true })
  }
}

/**
 * Cancels refetches that would overwrite an optimistic update. Returns a function that resumes them, for when the
 * mutation has settled. First fetches continue, because nothing would start them again.
 */
export async function pauseRefetching(
  client: QueryClient,
  filters: Pick<QueryFilters, 'queryKey' | 'predicate'>,
): Promise<() => void> {
  const refetching = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter((query) => query.state.data !== undefined)
  // Other fetches are not resumed. For example, the component that shows a list requests its next page again.
  const invalidated = refetching.filter((query) => query.state.isInvalidated)
  const isIn = (queries: Query[]) => (query: Query) => queries.includes(query)
  await client.cancelQueries({ predicate: isIn(refetching) })
  return () => void client.invalidateQueries({ predicate: isIn(invalidated) })
}

/** Returns the number of mutations in a scope that have not settled, including queued ones. */
export function pendingMutationCount(client: QueryClient, scope: string): number {
  return client.isMutating({ predicate: (mutation) => mutation.options.scope?.id === scope })
}

/** Returns the items of all pages without duplicates, which occur if the list changes between two requests. */
export function uniqueItems<Item extends { id: string }>(pages: readonly { items: Item[] }[]): Item[] {
  return [...new Map(pages.flatMap((page) => page.items).map((item) => [item.id, item])).values()]
}

/** Returns the cached pages with their items changed, or undefined if nothing is cached. */
export function updateItems<Item, Param>(
  data: InfiniteData<Page<Item>, Param>,
  update: (items: Item[]) => Item[],
): InfiniteData<Page<Item>, Param>
export function updateItems<Item, Param>(
  data: InfiniteData<Page<Item>, Param> | undefined,
  update: (items: Item[]) => Item[],
): InfiniteData<Page<Item>, Param> | undefined
export function updateItems<Item, Param>(
  data: InfiniteData<Page<Item>, Param> | undefined,
  update: (items: Item[]) => Item[],
): InfiniteData<Page<Item>, Param> | undefined {
  return data && { ...data, pages: data.pages.map((page) => ({ ...page, items: update(page.items) })) }
}
