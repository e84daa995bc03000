type Time = {
  /** Milliseconds that there are for all of them. */
  all: number
  /** What is given less than this is not begun. */
  least: number
  /** Milliseconds that have passed since any moment. */
  now: () => number
}

/**
 * Does one after the other for as long as there is time. One that was begun is waited for, so it is told what is left.
 *
 * @param work told how many milliseconds are left for it
 * @returns those that were not begun
 */
export async function inTime<Thing>(
  things: Iterable<Thing>,
  { all, least, now }: Time,
  work: (thing: Thing, left: number) => Promise<void>,
): Promise<Thing[]> {
  const end = now() + all
  const late: Thing[] = []
  for (const thing of things) {
    const left = end - now()
    if (left < least) late.push(thing)
    else await work(thing, left)
  }
  return late
}
