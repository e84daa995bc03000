import type { Query, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'

type Count = { count: number }

const dirty = new WeakSet<Query>()

/**
 * Has what is cached read again, because something newer is known to exist. A first reading that is still on its
 * way may have been answered before the news: the client would count it as fresh, so it is read again once it came.
 */
export function invalidateQueries(client: QueryClient, filters: QueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    if (query.state.data === undefined && query.state.fetchStatus !== 'idle') onceSettled(client, query)
  }
  void client.invalidateQueries(filters)
}

function onceSettled(client: QueryClient, query: Query): void {
  if (dirty.has(query)) return
  dirty.add(query)
  const stop = client.getQueryCache().subscribe((event) => {
    if (event.query !== query) return
    if (event.type !== 'removed' && query.state.fetchStatus !== 'idle') return
    stop()
    dirty.delete(query)
    if (query.state.data !== undefined)
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  })
}

/** Sets a count that is known to be the latest: an older answer that is still on its way is not waited for. */
export function setCachedCount(client: QueryClient, queryKey: QueryKey, count: Count): void {
  void client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, count)
}

/**
 * Call before asking for a change whose answer carries a count; what it returns takes the answer in. If the count
 * changed meanwhile, nobody can tell which of the two is older: then it is read again.
 */
export function captureCount(client: QueryClient, queryKey: QueryKey): (count: Count) => void {
  const updates = () => client.getQueryState(queryKey)?.dataUpdateCount ?? 0
  const before = updates()
  return (count) => {
    if (updates() === before) setCachedCount(client, queryKey, count)
    else invalidateQueries(client, { queryKey, exact: true })
  }
}
