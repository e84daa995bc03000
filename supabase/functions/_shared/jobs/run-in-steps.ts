import type { Sql } from '../db/sql.ts'
import { setStatementTimeout } from '../db/statement-timeout.ts'
import { asService } from '../http/run-as.ts'

/**
 * Time after which a task starts no further step, so that the other tasks are not delayed. The job's next run continues
 * the task.
 */
const taskBudgetMs = 15_000

type BuildStep = (tx: Sql) => PromiseLike<{ count: number }[]> & { execute(): unknown }

/**
 * Repeats each task's step, one transaction at a time, until it returns 0, which means that no work is left, or until
 * the task's time budget is used up. This processes a backlog gradually and holds locks only briefly. A task that fails
 * does not stop the others.
 *
 * @returns for each task, the sum of what its steps returned
 * @throws the first error that a task threw, after all tasks have run
 */
export async function runInSteps<Name extends string>(
  tasks: Record<Name, BuildStep>,
): Promise<Record<Name, number>> {
  const totals: Partial<Record<Name, number>> = {}
  const errors: unknown[] = []
  for (const [name, step] of Object.entries(tasks) as [Name, BuildStep][]) {
    const deadline = Date.now() + taskBudgetMs
    let total = 0
    try {
      do {
        const [, [row]] = await asService((tx) => [setStatementTimeout(tx), step(tx)])
        if (!row?.count) break
        total += row.count
      } while (Date.now() < deadline)
    } catch (error) {
      errors.push(error)
    }
    totals[name] = total
  }
  if (errors.length > 0) throw errors[0]
  return totals as Record<Name, number>
}
