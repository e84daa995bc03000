import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Stops what is being read again and would overwrite what is about to be shown before the server has answered;
 * the function it gives reads that again, for when the answer is there. First readings go on: nothing would ask
 * for them anew.
 */
export async function pauseRefetching(
  client: QueryClient,
  filters: Pick<QueryFilters, 'queryKey' | 'predicate'>,
): Promise<() => void> {
  const held = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter((query) => query.state.data !== undefined)
  const isOneOf = (queries: Query[]) => (query: Query) => queries.includes(query)
  // Not what only goes on, as a list's next page does: that is asked for by whoever shows the list.
  const outdated = held.filter((query) => query.state.isInvalidated)
  await client.cancelQueries({ predicate: isOneOf(held) })
  return () => void client.invalidateQueries({ predicate: isOneOf(outdated) })
}
