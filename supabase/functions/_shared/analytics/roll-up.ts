import { asService, type Sql } from '../db/run.ts'

/** Milliseconds after which a part begins nothing more: the rest is for the next run, and the other parts have their turn. */
const budget = 15_000

/** How long the database may take for one step. They are far smaller than that, but nothing may stand in the way for good. */
const patience = '2min'

type Step = (tx: Sql) => PromiseLike<{ count: number }[]> & { execute(): unknown }

/**
 * Counts what creators are told of, in steps: each is a transaction of its own, so that what has piled up is counted bit
 * by bit, and nobody waits long for a post or a person that is being counted for. A part that fails leaves the others
 * their turn.
 *
 * @returns how many views and audiences were counted
 */
export async function rollUp(): Promise<{ views: number; audiences: number }> {
  const [views, days, audiences] = [
    await attempt((tx) => tx`select private.roll_up_views(50000) as count`),
    await attempt((tx) => tx`select private.roll_up_days(31) as count`),
    await attempt((tx) => tx`select private.roll_up_audiences(10) as count`),
  ]
  for (const { error } of [views, days, audiences]) if (error) throw error
  return { views: views.sum, audiences: audiences.sum }
}

/** Repeats a step until it answers that there is nothing left, or time is up. */
async function attempt(step: Step): Promise<{ sum: number; error?: unknown }> {
  const end = Date.now() + budget
  let sum = 0
  try {
    do {
      const [, [row]] = await asService('figures are counted over everybody', (tx) => [
        tx`select set_config('statement_timeout', ${patience}, true)`,
        step(tx),
      ])
      if (!row?.count) break
      sum += row.count
    } while (Date.now() < end)
    return { sum }
  } catch (error) {
    return { sum, error }
  }
}
