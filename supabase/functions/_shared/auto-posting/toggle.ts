import { selectAdminUser } from '../admin/columns.ts'
import { onlyPerson } from '../admin/people.ts'
import type { AdminUser } from '../contract/admin.ts'
import type { ToggleAutoPostingRequest } from '../contract/auto-posting.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'

/**
 * Switches auto-posting on or off for a creator. One who has not agreed is asked to; until they do, nothing is posted.
 * The same again changes nothing.
 *
 * @throws ApiError 403 for who is no admin, for an admin's account, for who is no creator; 404
 */
export async function toggleAutoPosting(
  caller: Caller,
  id: string,
  { enabled, frequency }: ToggleAutoPostingRequest,
): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    // A frequency that is not named stays.
    tx`select private.set_auto_posting(${id}::text::uuid, ${enabled}::boolean, coalesce(
      ${frequency ?? null}::text, private.auto_posting_of(${id}::text::uuid) ->> 'frequency', 'moderate'))`,
    selectAdminUser(tx, id),
  ])
  return onlyPerson(rows)
}
