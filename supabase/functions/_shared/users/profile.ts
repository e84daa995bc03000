import type { ProfileRequest } from '../contract/settings.ts'
import type { OwnUser } from '../contract/user.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { selectOwnUser } from './queries.ts'

/** The names of fields as the database has them. */
const toColumn = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What is to change, as `private.write_profile` takes it: by column, with what is left out left out. */
export function toColumns(fields: Record<string, unknown>): string {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  return JSON.stringify(Object.fromEntries(named.map(([field, value]) => [toColumn(field), value])))
}

/**
 * Changes what is named of the caller's profile, leaves the rest, and answers the record after it.
 *
 * @throws ApiError 400 for a name that is not given away, 403 for a read-only account, or where the Creator Account is
 *   to be paid for, 409 for a username or address that somebody has, 429
 */
export async function changeProfile(caller: Caller, fields: ProfileRequest): Promise<JsonText<OwnUser>> {
  const { email: _email, ...profile } = fields
  const changes = toColumns(profile)
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.edit_profile(${changes}::text::jsonb) where ${changes}::text <> '{}'`,
    selectOwnUser(tx, caller.userId),
  ])
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}
