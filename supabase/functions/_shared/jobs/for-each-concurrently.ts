/** Calls `work` for each item, for at most `concurrency` items at a time. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values()
  const processRemaining = async () => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, processRemaining))
}
