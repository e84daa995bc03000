/** The last call of each key that is under way. */
const waiting = new Map<string, Promise<unknown>>()

/** Runs `work` after every earlier call with the same key in this process has ended, well or not. */
export async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = waiting.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  waiting.set(key, mine)
  try {
    return await mine
  } finally {
    if (waiting.get(key) === mine) waiting.delete(key)
  }
}
