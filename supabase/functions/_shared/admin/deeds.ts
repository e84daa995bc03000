import type { AdminUser, RemoveUserRequest, SuspendUserRequest } from '../contract/admin.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { tellRemoved } from '../moderation/removed-mail.ts'
import { selectAdminUser } from './columns.ts'
import { onlyPerson } from './people.ts'

/** As long as the database may take to remove somebody with all that they made; see `account/delete.ts`. */
const patience = '2min'

/**
 * Vouches for an account. Done again, it changes nothing.
 *
 * @throws ApiError 401, 403 for who is no admin, and `target_is_admin`, 404
 */
export async function approve(caller: Caller, id: string): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.approve_account(${id}::text::uuid)`,
    selectAdminUser(tx, id),
  ])
  return onlyPerson(rows)
}

/**
 * Makes somebody a creator, or takes that from them.
 *
 * @param wanted what they are to be: said twice, it changes it once. Without it they become what they are not
 * @throws ApiError 401, 403 for who is no admin, and `target_is_admin`, 404
 */
export async function setCreator(
  caller: Caller,
  id: string,
  wanted: boolean | undefined,
): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.set_creator_of(${id}::text::uuid, ${wanted ?? null}::boolean)`,
    selectAdminUser(tx, id),
  ])
  return onlyPerson(rows)
}

/**
 * Keeps somebody from changing anything, for a time or until it is lifted. It is a decision like any other: they are
 * told why, and may appeal.
 *
 * @throws ApiError 401, 403 for who is no admin, and `target_is_admin`, 404
 */
export async function suspend(
  caller: Caller,
  id: string,
  { reason, days }: SuspendUserRequest,
): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.suspend_person(${id}::text::uuid, ${reason}::text, ${days}::integer)`,
    selectAdminUser(tx, id),
  ])
  return onlyPerson(rows)
}

/**
 * Ends a suspension before its time. Where there is none, nothing happens.
 *
 * @throws ApiError 401, 403 for who is no admin, and `target_is_admin`, 404
 */
export async function unsuspend(caller: Caller, id: string): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.lift_suspension(${id}::text::uuid)`,
    selectAdminUser(tx, id),
  ])
  return onlyPerson(rows)
}

/**
 * Removes an account with all that is in it, and writes to whoever had it.
 *
 * @throws ApiError 401, 403 for who is no admin, and `target_is_admin`, 404, 409 `balance_left` while money is owed that
 *   was not given up
 */
export async function remove(
  caller: Caller,
  id: string,
  { reason, giveUpBalance = false }: Partial<RemoveUserRequest>,
): Promise<void> {
  const [, [removed]] = await sayingWhose(() =>
    asUser(caller, (tx) => [
      tx`select set_config('statement_timeout', ${patience}, true)`,
      tx<{ address: string | null }[]>`
        select private.remove_person(${id}::text::uuid, ${reason ?? null}::text, ${giveUpBalance}::boolean) as address`,
    ]),
  )
  if (removed?.address) tellRemoved(removed.address, reason ?? null)
}

/** What somebody who leaves is told of their balance, for an admin. */
export async function sayingWhose<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'balance_left') throw error
    const [sum = 'a balance'] = /\$[\d.]+/.exec(error.message) ?? []
    const message = `This person has ${sum} left. Remove them only after it was paid out, or give it up for them.`
    throw new ApiError(409, message, { code: error.code, cause: error })
  }
}
