import type { z } from 'zod'
import type { AddPayoutMethodRequest, EditPayoutMethodRequest, PayoutMethod } from '../contract/earnings.ts'
import { sql } from '../db/page.ts'
import { asUser, type Sql } from '../db/run.ts'
import { usableFrom } from '../earnings/overview.ts'
import { env } from '../env.ts'
import type { JsonText } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { maskDetails, sealDetails } from './details.ts'
import { type MethodChange, tellOfMethod } from './method-mail.ts'

/** A `PayoutMethod` as JSON text, of the row `m`. */
const item = sql`json_build_object(
  'id', m.id, 'type', m.type, 'name', m.name, 'details', m.masked, 'isDefault', m.is_default,
  'usableFrom', ${usableFrom})::text`

type Row = { item: JsonText<PayoutMethod> }
type Told = Row & { email: string; shown: string }

/**
 * The caller's payout methods, the default one first.
 *
 * @throws ApiError 403 `creators_only` for who is no creator and never earned anything
 */
export async function listMethods(caller: Caller): Promise<JsonText<PayoutMethod[]>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    tx<Row[]>`
      select ${item} as item from public.payout_methods m where m.user_id = ${caller.userId}::text::uuid
      order by m.is_default desc, m.created_at, m.id`,
  ])
  return `[${rows.map((row) => row.item).join(',')}]`
}

/**
 * Adds a payout method, which can be used in five days. Its person gets a mail. An id that is sent again is the same
 * method.
 *
 * @returns `isNew`: this call added it
 * @throws ApiError 403 as for reading, or `account_read_only`, 409 for a sixth, or for an id of something else, 429
 */
export async function addMethod(
  caller: Caller,
  { id = crypto.randomUUID(), name, details, isDefault }: z.output<typeof AddPayoutMethodRequest>,
): Promise<{ item: JsonText<PayoutMethod>; isNew: boolean }> {
  const sealed = await sealDetails(env.encryptionKey, caller.userId, details)
  const [done] = await asUser(
    caller,
    (tx) => tx<{ isNew: boolean }[]>`
      select private.save_payout_method(null, ${details.type}::text, ${name}::text, ${maskDetails(details)}::text,
        ${sealed}::text, ${isDefault}::boolean, ${id}::text::uuid) as "isNew"`,
  )
  const isNew = done?.isNew === true
  return { item: await readAndTell(caller, id, isNew ? 'added' : null), isNew }
}

/**
 * Changes a payout method; what is left out stays. With other details it can be used in five days. Its person gets a
 * mail.
 *
 * @throws ApiError 403 as for adding, 404 for what is not the caller's, 429
 */
export async function editMethod(
  caller: Caller,
  id: string,
  { name, details, isDefault }: z.output<typeof EditPayoutMethodRequest>,
): Promise<JsonText<PayoutMethod>> {
  const sealed = details ? await sealDetails(env.encryptionKey, caller.userId, details) : null
  await asUser(
    caller,
    (tx) => tx`
      select private.save_payout_method(${id}::text::uuid, ${details?.type ?? null}::text, ${name ?? null}::text,
        ${details ? maskDetails(details) : null}::text, ${sealed}::text, ${isDefault === true}::boolean)`,
  )
  return await readAndTell(caller, id, details ? 'changed' : 'edited')
}

/**
 * Removes a payout method; another one becomes the default. What was asked to be paid out there goes there. Its person
 * gets a mail.
 *
 * @throws ApiError 403 `account_read_only`, 404 for what is not the caller's
 */
export async function removeMethod(caller: Caller, id: string): Promise<void> {
  const [[row]] = await asUser(caller, (tx) => [
    selectOwn(tx, caller, id),
    tx`select private.delete_payout_method(${id}::text::uuid)`,
  ])
  if (row) tellOfMethod(row.email, 'removed', row.shown)
}

async function readAndTell(
  caller: Caller,
  id: string,
  change: MethodChange | null,
): Promise<JsonText<PayoutMethod>> {
  const [row] = await asUser(caller, (tx) => selectOwn(tx, caller, id))
  if (!row) throw notFound('Payout method not found')
  if (change) tellOfMethod(row.email, change, row.shown)
  return row.item
}

const selectOwn = (tx: Sql, caller: Caller, id: string) => tx<Told[]>`
  select ${item} as item, a.email, m.name || ' ' || m.masked as shown
  from public.payout_methods m join public.accounts a on a.user_id = m.user_id
  where m.id = ${id}::text::uuid and m.user_id = ${caller.userId}::text::uuid`
