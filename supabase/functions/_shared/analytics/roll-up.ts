import type { Sql } from '../db/sql.ts'
import { asService } from '../http/run-as.ts'

/** Time after which a task starts no further step, so that the other tasks are not delayed. The next run continues. */
const taskBudgetMs = 15_000

/** The statement timeout of a step. A step takes far less time, but must not block the job forever. */
const stepTimeout = '2min'

type BuildStep = (tx: Sql) => PromiseLike<{ count: number }[]> & { execute(): unknown }

/**
 * Updates the analytics tables: views, daily counts and audiences. Each task runs in steps of one transaction, so that
 * a backlog is processed gradually and locks on posts and users are held only briefly. A task that fails does not stop
 * the others.
 *
 * @returns the number of views and the number of audiences that were counted
 * @throws the first error of a task, after all tasks have run
 */
export async function rollUpAnalytics(): Promise<{ views: number; audiences: number }> {
  const [views, days, audiences] = [
    await runTask((tx) => tx`select private.roll_up_views(50000) as count`),
    await runTask((tx) => tx`select private.roll_up_days(31) as count`),
    await runTask((tx) => tx`select private.roll_up_audiences(10) as count`),
  ]
  for (const { error } of [views, days, audiences]) if (error) throw error
  return { views: views.total, audiences: audiences.total }
}

/** Repeats a step until it returns 0, which means that no work is left, or until the time budget is used up. */
async function runTask(step: BuildStep): Promise<{ total: number; error?: unknown }> {
  const end = Date.now() + taskBudgetMs
  let total = 0
  try {
    do {
      const [, [row]] = await asService((tx) => [
        tx`select set_config('statement_timeout', ${stepTimeout}, true)`,
        step(tx),
      ])
      if (!row?.count) break
      total += row.count
    } while (Date.now() < end)
    return { total }
  } catch (error) {
    return { total, error }
  }
}
