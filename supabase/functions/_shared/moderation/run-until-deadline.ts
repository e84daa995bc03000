type TimeBudget = {
  /** Time limit for all items together. */
  totalMs: number
  /** Items are skipped if less time than this remains. */
  minMs: number
  /** A monotonic clock in milliseconds. */
  now: () => number
}

/**
 * Processes items one after the other until the time runs out.
 *
 * @param work gets the remaining time and must not take longer, because it is always awaited once it has started
 * @returns the items that were skipped
 */
export async function runUntilDeadline<Item>(
  items: Iterable<Item>,
  { totalMs, minMs, now }: TimeBudget,
  work: (item: Item, remainingMs: number) => Promise<void>,
): Promise<Item[]> {
  const deadline = now() + totalMs
  const skipped: Item[] = []
  for (const item of items) {
    const remainingMs = deadline - now()
    if (remainingMs < minMs) skipped.push(item)
    else await work(item, remainingMs)
  }
  return skipped
}
