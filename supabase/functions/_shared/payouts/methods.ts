import type { z } from 'zod'
import type { AddPayoutMethodRequest, EditPayoutMethodRequest, PayoutMethod } from '../contract/earnings.ts'
import { type JsonText, type Sql, toJsonArray } from '../db/sql.ts'
import { env } from '../env.ts'
import type { Caller } from '../http/caller.ts'
import { notFound } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { type MethodChange, sendMethodChangeNotice } from './method-mail.ts'
import { encryptDetails, maskDetails } from './payout-details.ts'
import { payoutMethodJson } from './presenter.ts'

/**
 * Returns the caller's payout methods, the default one first.
 *
 * @throws ApiError 403 `creators_only` if the caller is not a creator and has never earned anything
 */
export async function listMethods(caller: Caller): Promise<JsonText<PayoutMethod[]>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    tx<{ item: string }[]>`
      select ${payoutMethodJson} as item from public.payout_methods m where m.user_id = ${caller.userId}::text::uuid
      order by m.is_default desc, m.created_at, m.id`,
  ])
  return toJsonArray(rows)
}

/**
 * Adds a payout method and notifies the caller by email. The method can be used after `limits.payoutMethodHoldDays`
 * days. A repeated call with the same id and fields returns the existing method.
 *
 * @returns the method; `isNew` is true if this call added it
 * @throws ApiError 403 `creators_only`, `account_read_only` or `email_unconfirmed`; 409 if the caller has the maximum
 *   number of methods or the id is taken; 429
 */
export async function addMethod(
  caller: Caller,
  { id = crypto.randomUUID(), name, details, isDefault }: z.output<typeof AddPayoutMethodRequest>,
): Promise<{ item: JsonText<PayoutMethod>; isNew: boolean }> {
  const encrypted = await encryptDetails(env.encryptionKeys, caller.userId, details)
  const [saved] = await asUser(
    caller,
    (tx) => tx<{ isNew: boolean }[]>`
      select private.save_payout_method(null, ${details.type}::text, ${name}::text, ${maskDetails(details)}::text,
        ${encrypted}::text, ${isDefault}::boolean, ${id}::text::uuid) as "isNew"`,
  )
  const isNew = saved?.isNew === true
  return { item: await readAndNotify(caller, id, isNew ? 'added' : null), isNew }
}

/**
 * Changes the given fields of a payout method and notifies the caller by email. New details can be used after
 * `limits.payoutMethodHoldDays` days.
 *
 * @throws ApiError 403 `creators_only`, `account_read_only` or `email_unconfirmed`; 404 if the caller has no such
 *   method; 429
 */
export async function editMethod(
  caller: Caller,
  id: string,
  { name, details, isDefault }: z.output<typeof EditPayoutMethodRequest>,
): Promise<JsonText<PayoutMethod>> {
  const encrypted = details ? await encryptDetails(env.encryptionKeys, caller.userId, details) : null
  await asUser(
    caller,
    (tx) => tx`
      select private.save_payout_method(${id}::text::uuid, ${details?.type ?? null}::text, ${name ?? null}::text,
        ${details ? maskDetails(details) : null}::text, ${encrypted}::text, ${isDefault === true}::boolean)`,
  )
  return await readAndNotify(caller, id, details ? 'details_changed' : 'updated')
}

/**
 * Removes a payout method and notifies the caller by email. If the method was the default, the oldest remaining one
 * becomes the default. Payouts that were already requested still go to the removed method.
 *
 * @throws ApiError 403 `account_read_only`; 404 if the caller has no such method
 */
export async function removeMethod(caller: Caller, id: string): Promise<void> {
  const [[row]] = await asUser(caller, (tx) => [
    selectOwnMethod(tx, caller, id),
    tx`select private.delete_payout_method(${id}::text::uuid)`,
  ])
  if (row) sendMethodChangeNotice(row.email, 'removed', row.label)
}

async function readAndNotify(
  caller: Caller,
  id: string,
  change: MethodChange | null,
): Promise<JsonText<PayoutMethod>> {
  const [row] = await asUser(caller, (tx) => selectOwnMethod(tx, caller, id))
  if (!row) throw notFound('Payout method not found')
  if (change) sendMethodChangeNotice(row.email, change, row.label)
  return row.item
}

type MethodRow = { item: JsonText<PayoutMethod>; email: string; label: string }

const selectOwnMethod = (tx: Sql, caller: Caller, id: string) => tx<MethodRow[]>`
  select ${payoutMethodJson} as item, a.email, m.name || ' ' || m.masked as label
  from public.payout_methods m join public.accounts a on a.user_id = m.user_id
  where m.id = ${id}::text::uuid and m.user_id = ${caller.userId}::text::uuid`
