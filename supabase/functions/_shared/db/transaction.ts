import { isRetryableConflict, toDatabaseError } from './errors.ts'
import { acquireConnection, type Connection, releaseConnection } from './pool.ts'
import type { Sql } from './sql.ts'

export type Statement = PromiseLike<unknown> & { execute(): unknown }
/** The rows of a single statement or, for several statements, an array with the rows of each. */
export type Results<Given> = Given extends readonly Statement[]
  ? { -readonly [Index in keyof Given]: Awaited<Given[Index]> }
  : Awaited<Given>
/** Builds the statements of a transaction, in order. They are pipelined, so none can depend on another's result. */
export type BuildStatements<Given> = (sql: Sql) => Given

export type TransactionOptions = {
  role: 'anon' | 'authenticated' | 'service_role'
  /** The value of `request.jwt.claims`, as JSON. */
  claims: string
  /** The value of `auth.uid()`; empty if there is none. */
  userId: string
  /** Whether to fail with 401 before the statements if the session has ended. Needs no extra round trip. */
  checkSession: boolean
  /** Whether PostgreSQL rejects every statement that writes. */
  readOnly?: boolean
}

/** A transaction that conflicts after running for longer than this is not retried. */
const retryWindowMs = 10_000

/**
 * Runs statements in one transaction with the given role and claims. A transaction that fails early with a
 * serialization failure or a deadlock is retried once. The retry is safe, because the transaction was rolled back as a
 * whole and `build` only builds statements. The retry waits a moment so that the other transaction can take its locks
 * first; without the pause, both could conflict again.
 *
 * @throws DatabaseError the first error that a statement raised
 * @throws DatabaseUnavailableError if the database cannot be reached or no connection becomes free
 */
export async function runTransaction<const Given extends Statement | readonly Statement[]>(
  options: TransactionOptions,
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  const startedAt = performance.now()
  try {
    return await sendTransaction(options, build)
  } catch (error) {
    if (!isRetryableConflict(error) || performance.now() - startedAt > retryWindowMs) throw error
  }
  await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 70))
  return await sendTransaction(options, build)
}

async function sendTransaction<Given extends Statement | readonly Statement[]>(
  options: TransactionOptions,
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  const isVisitor = options.role === 'anon'
  const connection = await acquireConnection(isVisitor)
  try {
    return await pipeline(connection, options, build)
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    releaseConnection(connection, isVisitor)
  }
}

/**
 * Sends a whole transaction in one round trip: `begin`, role and claims, the statements, `commit`. If a statement
 * fails, PostgreSQL rejects the statements after it and `commit` rolls back, so the first error is the cause. If
 * `begin` is lost with its connection, the other statements run as `gateway` and fail, because that role has no
 * privileges.
 */
async function pipeline<Given extends Statement | readonly Statement[]>(
  connection: Connection,
  { role, claims, userId, checkSession, readOnly = false }: TransactionOptions,
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  const given = build(connection)
  const statements: readonly Statement[] = isSingle(given) ? [given] : given
  const sessionCheck = checkSession ? [connection`select private.require_session()`] : []
  const sent: Statement[] = [
    readOnly ? connection`begin read only` : connection`begin`,
    // Most policies call `auth.uid()`, which does not have to parse the claims if `request.jwt.claim.sub` is set.
    connection`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true),
                      set_config('request.jwt.claim.sub', ${userId}, true)`,
    ...sessionCheck,
    ...statements,
    connection`commit`,
  ]
  const settled = await Promise.allSettled(sent.map((statement) => statement.execute()))
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  const rows = settled
    .slice(2 + sessionCheck.length, -1)
    .map((result) => (result.status === 'fulfilled' ? result.value : undefined))
  return (isSingle(given) ? rows[0] : rows) as Results<Given>
}

const isSingle = (given: Statement | readonly Statement[]): given is Statement => 'execute' in given
