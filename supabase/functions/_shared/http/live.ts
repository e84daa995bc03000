import { asUser } from '../db/run.ts'
import type { Caller } from './session.ts'

/**
 * A caller whose session was ended hears 401 rather than what is wrong with their body. Asked only when a call is
 * refused anyway, or touches no table of its caller: the others ask in their own transaction.
 *
 * @throws ApiError 401
 */
export async function confirmSession(user: Caller | undefined) {
  if (user) await asUser(user, (tx) => tx`select 1`)
}

/**
 * The same for a read-only account, which hears that it may change nothing before it hears what is wrong with its body.
 *
 * @throws ApiError 401, 403 `account_read_only`
 */
export async function confirmWrite(user: Caller): Promise<void> {
  await asUser(user, (tx) => tx`select private.require_write()`)
}
