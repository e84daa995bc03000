/** The tabs of the search page, in order. */
export const tabs = ['people', 'posts', 'topics'] as const
export type Tab = (typeof tabs)[number]

/** How many results a tab has. */
export interface Results {
  isPending: boolean
  /** The number of loaded results; undefined while they load, or if they failed to load. */
  count: number | undefined
  /** Whether there are more results than the loaded ones. */
  hasMore: boolean
}

/** Returns the number of results of a query whose results come in pages. */
export function pagedResults({
  isPending,
  data,
  hasNextPage,
}: {
  isPending: boolean
  data: { pages: readonly { items: readonly unknown[] }[] } | undefined
  hasNextPage: boolean
}): Results {
  return { isPending, count: data?.pages.flatMap(({ items }) => items).length, hasMore: hasNextPage }
}

/** Returns whether a tab is known to have no results. */
const isEmpty = ({ count, hasMore }: Results) => count === 0 && !hasMore

/**
 * Returns the first tab that has results or failed to load them, or the first tab if all are empty. Returns undefined
 * while the results load.
 */
export function firstTab(results: Record<Tab, Results>): Tab | undefined {
  const first = tabs.find((tab) => !isEmpty(results[tab]))
  if (!first) return tabs[0]
  return results[first].isPending ? undefined : first
}

/** Returns the first tab that has results. */
export const tabWithResults = (results: Record<Tab, Results>): Tab | undefined =>
  tabs.find((tab) => results[tab].count)
