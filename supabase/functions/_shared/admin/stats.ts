import type { AdminStats } from '../contract/admin.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { unavailable } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

/**
 * How many of what there is.
 *
 * @throws ApiError 401, 403
 */
export async function readStats(caller: Caller): Promise<JsonText<AdminStats>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`select private.count_platform()::text as item`,
  )
  if (!row) throw unavailable()
  return row.item
}
