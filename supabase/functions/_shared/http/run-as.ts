import { DatabaseError } from '../db/errors.ts'
import {
  type BuildStatements,
  type Results,
  runTransaction,
  type Statement,
  type TransactionOptions,
} from '../db/transaction.ts'
import type { Caller } from './caller.ts'
import { toApiError } from './database-errors.ts'
import { ApiError } from './errors.ts'

/*
 * The interface between the API and the database: each function here runs one transaction as a user, a visitor or the
 * service role. `db` does not depend on HTTP and throws its own errors. They are converted to `ApiError`s here rather
 * than in the error handler, so that a route can check the status of any error, whether it came from a query or from
 * the route's own code.
 */

/**
 * Runs statements as a signed-in user, so that every policy applies. The user's session is checked before the
 * statements, in the same round trip. If the session has ended, no statement runs.
 *
 * @throws ApiError 401 if the session has ended
 */
export function asUser<const Given extends Statement | readonly Statement[]>(
  caller: Caller,
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  return run(userOptions(caller, true), build)
}

/**
 * Runs statements as a signed-in user without the session check, for statements that check the session themselves.
 */
export function asUserWithoutSessionCheck<const Given extends Statement | readonly Statement[]>(
  caller: Caller,
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  return run(userOptions(caller, false), build)
}

function userOptions({ claims, userId, access }: Caller, checkSession: boolean): TransactionOptions {
  const readOnly = access !== undefined && !access.scopes.includes('write')
  return { role: 'authenticated', claims, userId, checkSession, readOnly }
}

/** Runs statements as a visitor. */
export function asAnon<const Given extends Statement | readonly Statement[]>(
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  return run({ role: 'anon', claims: '{"role":"anon"}', userId: '', checkSession: false }, build)
}

/** Runs statements as the caller: a signed-in user, or a visitor if `caller` is null. */
export function asCaller<const Given extends Statement | readonly Statement[]>(
  caller: Caller | null,
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  return caller ? asUser(caller, build) : asAnon(build)
}

/**
 * Runs statements as the service role, which bypasses every policy, for work that no caller may do. If the reason is
 * not obvious, explain it in a comment at the call.
 */
export function asService<const Given extends Statement | readonly Statement[]>(
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  return run(
    { role: 'service_role', claims: '{"role":"service_role"}', userId: '', checkSession: false },
    build,
  )
}

/**
 * Checks that the caller's session is still active. Does nothing for a visitor. `asUser` includes this check, so this
 * function is needed only for a request that runs no statement as its caller, or whose body is rejected before any
 * statement runs. In the latter case, a caller whose session has ended gets 401 rather than an error about the body.
 *
 * @throws ApiError 401
 */
export async function requireSession(user: Caller | undefined): Promise<void> {
  if (user) await asUser(user, (tx) => tx`select 1`)
}

/**
 * Checks that the caller's account is not read-only. Used with `requireUserAnd`, so that a read-only account gets 403
 * rather than an error about the body.
 *
 * @throws ApiError 401, 403 `account_read_only`
 */
export async function requireWriteAccess(user: Caller): Promise<void> {
  await asUser(user, (tx) => tx`select private.require_write()`)
}

/** The SQLSTATE of the error that PostgreSQL raises when a statement tries to write in a read-only transaction. */
const readOnlyTransaction = '25006'

async function run<const Given extends Statement | readonly Statement[]>(
  options: TransactionOptions,
  build: BuildStatements<Given>,
): Promise<Results<Given>> {
  try {
    return await runTransaction(options, build)
  } catch (error) {
    if (options.readOnly && error instanceof DatabaseError && error.code === readOnlyTransaction) {
      throw new ApiError(403, 'This access token is read-only.', {
        code: 'insufficient_scope',
        cause: error,
      })
    }
    throw toApiError(error)
  }
}
