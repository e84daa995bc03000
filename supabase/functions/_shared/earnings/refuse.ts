import { asUser } from '../db/run.ts'
import type { Caller } from '../http/session.ts'

/**
 * Who is no creator, and never earned anything, hears so before what is wrong with their body; and so does a read-only
 * account.
 *
 * @throws ApiError 401, 403 `account_read_only`, `creators_only`
 */
export async function confirmEarner(user: Caller): Promise<void> {
  await asUser(user, (tx) => tx`select private.require_write(), private.require_earner()`)
}
