import type postgres from 'postgres'
import { unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { translate } from './errors.ts'
import { pool } from './pool.ts'

/** What a transaction runs its statements with: the tag of `postgres`, whose values always travel as parameters. */
export type Sql = postgres.TransactionSql

/**
 * Statements of one transaction. Those returned in an array travel together (pipelined); an async function may
 * wait for one before it sends the next.
 */
export type Work<Result> = (tx: Sql) => Promise<Result> | PromiseLike<Result>

/**
 * Runs `work` as a signed-in person: every policy sees them. The check that their session still lives travels with
 * the first statements and costs no round trip of its own.
 *
 * @throws ApiError 401 when the session was ended, whatever else went wrong in the transaction because of it.
 */
export function asUser<Result>(caller: Caller, work: Work<Result>): Promise<Result> {
  return run((tx) => {
    const begun = become(tx, 'authenticated', caller.claims)
    const alive = tx<{ alive: boolean }[]>`select private.session_alive() as alive`.execute()
    return settle(begun, work(tx), async () => {
      if (!(await alive)[0]?.alive) throw unauthorized()
    })
  })
}

/** Runs `work` as a visitor. */
export function asAnon<Result>(work: Work<Result>): Promise<Result> {
  return run((tx) => settle(become(tx, 'anon', '{"role":"anon"}'), work(tx)))
}

/**
 * Runs `work` past every policy, for what no caller may do.
 *
 * @param _why one line saying why no caller's rights are enough: it is for whoever reads the call.
 */
export function asService<Result>(_why: string, work: Work<Result>): Promise<Result> {
  return run((tx) => settle(become(tx, 'service_role', '{"role":"service_role"}'), work(tx)))
}

/** Sends the role and claims for the length of this transaction ahead of every other statement. */
function become(tx: Sql, role: string, claims: string) {
  return tx`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true)`.execute()
}

/**
 * Waits for everything that was sent. The first statement that fails takes all that follow it down with it
 * (25P02), so the earliest error is the true one; `gate` goes first.
 */
async function settle<Result>(
  begun: PromiseLike<unknown>,
  work: PromiseLike<Result>,
  gate?: () => Promise<void>,
): Promise<Result> {
  const [first, second] = await Promise.allSettled([begun, work])
  if (first.status === 'rejected') throw first.reason
  if (gate) await gate()
  if (second.status === 'rejected') throw second.reason
  return second.value
}

async function run<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result> {
  try {
    return (await pool.begin(work)) as Result
  } catch (error) {
    throw translate(error)
  }
}
