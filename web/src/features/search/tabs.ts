/** The tabs of the search page, in order. */
export const tabs = ['people', 'posts', 'topics'] as const
export type Tab = (typeof tabs)[number]

/** How many results a tab has. */
export interface ResultCount {
  isPending: boolean
  /** The number of loaded results; undefined while they load, or if they failed to load. */
  count: number | undefined
  /** Whether there are more results than the loaded ones. */
  hasMore: boolean
}

/** Counts the loaded results of a query whose results come in pages. */
export function countPages({
  isPending,
  data,
  hasNextPage,
}: {
  isPending: boolean
  data: { pages: readonly { items: readonly unknown[] }[] } | undefined
  hasNextPage: boolean
}): ResultCount {
  return { isPending, count: data?.pages.flatMap(({ items }) => items).length, hasMore: hasNextPage }
}

/** Returns whether a tab is known to have no results. */
const isEmpty = ({ count, hasMore }: ResultCount) => count === 0 && !hasMore

/**
 * Returns the first tab that has results or failed to load them, or the first tab if all are empty. Returns undefined
 * while the results load.
 */
export function firstTab(counts: Record<Tab, ResultCount>): Tab | undefined {
  const first = tabs.find((tab) => !isEmpty(counts[tab]))
  if (!first) return tabs[0]
  return counts[first].isPending ? undefined : first
}

/** Returns the first tab that has results, if any. */
export const tabWithResults = (counts: Record<Tab, ResultCount>): Tab | undefined =>
  tabs.find((tab) => counts[tab].count)
