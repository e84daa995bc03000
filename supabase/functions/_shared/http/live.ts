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
