import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'

/** Runs `work` again, after a short random delay, if it fails because of a deadlock, for example with another test. */
export async function retryDeadlocks<T>(work: () => PromiseLike<T>, attempts = 10): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || (error as { code?: string }).code !== '40P01') throw error
      await sleep(Math.random() * 100)
    }
  }
}

/**
 * Deletes accounts, each with its own statement: a statement for several accounts would lock their rows in no fixed
 * order, which makes deadlocks with other tests more likely.
 */
export async function deleteAccounts(sql: postgres.Sql, ids: readonly string[]): Promise<void> {
  for (const id of ids) await retryDeadlocks(() => sql`delete from auth.users where id = ${id}`)
}
