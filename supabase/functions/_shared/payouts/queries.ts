import type { z } from 'zod'
import type {
  AdminPayout,
  AdminPayoutsQuery,
  Payout,
  PayoutDestination,
  PayoutRequest,
  PayoutSchedule,
  SettlePayoutRequest,
} from '../contract/earnings.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import { nextPayoutAt, payoutMethodUsableFrom } from '../earnings/queries.ts'
import { env } from '../env.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asUser } from '../http/run-as.ts'
import { isTestMode } from '../payments/test-mode.ts'
import { decryptDetails } from './payout-details.ts'
import { adminPayoutJson, payoutJson } from './presenter.ts'

/**
 * Returns the caller's payouts, newest first.
 *
 * @throws ApiError 403 `creators_only` if the caller is not a creator and has never earned anything
 */
export async function listPayouts(caller: Caller, range: PageRange): Promise<Page<Payout>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    tx<PageRow[]>`
      select ${payoutJson} as item, ${cursorKey(sql`o.created_at`, sql`o.id`)} as key
      from public.payouts o where o.user_id = ${caller.userId}::text::uuid
        ${afterCursor(range, sql`o.created_at`, sql`o.id`)}
      order by o.created_at desc, o.id desc ${limitClause(range)}`,
  ])
  return toPage(rows, range)
}

/**
 * Requests a payout of the given amount, or of the whole available balance, to the given method or to the default one.
 * Sending the same id again returns the same payout.
 *
 * @returns the payout; `isNew` is true if this call created it
 * @throws ApiError 400 `payout_minimum`; 403 `creators_only`, `account_read_only` or `email_unconfirmed`; 409
 *   `balance_too_low`, `payout_method_missing` or `payout_method_waiting`, or if the id is taken; 429
 */
export async function requestPayout(
  caller: Caller,
  { id = crypto.randomUUID(), amount, methodId }: z.output<typeof PayoutRequest>,
): Promise<{ item: JsonText<Payout>; isNew: boolean }> {
  const dollars = amount === undefined ? null : String(amount)
  const [[requested], [row]] = await asUser(caller, (tx) => [
    tx<{ isNew: boolean }[]>`
      select private.request_payout(${id}::text::uuid, ${dollars}::text::numeric, ${methodId ?? null}::text::uuid,
                                    ${isTestMode}::boolean) as "isNew"`,
    tx<{ item: string }[]>`
      select ${payoutJson} as item from public.payouts o
      where o.id = ${id}::text::uuid and o.user_id = ${caller.userId}::text::uuid`,
  ])
  if (!requested || !row) throw notFound('Payout not found')
  return { item: row.item, isNew: requested.isNew }
}

/** The schedule of a user without a stored one: weekly payouts are on and begin once a payout method is added. */
const defaultSchedule: JsonText<PayoutSchedule> = '{"weekly":true,"nextAt":null,"waitsForMethod":false}'

/**
 * Returns whether the caller has weekly payouts, and when the next one is due.
 *
 * @throws ApiError 403 `creators_only` if the caller is not a creator and has never earned anything
 */
export async function readSchedule(caller: Caller): Promise<JsonText<PayoutSchedule>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    selectSchedule(tx, caller),
  ])
  return row?.item ?? defaultSchedule
}

/**
 * Turns weekly payouts on or off. Turning them back on keeps the planned day; if that day has passed, the next payout
 * is due a week after the change.
 *
 * @throws ApiError 403 `creators_only` or `account_read_only`
 */
export async function changeSchedule(caller: Caller, weekly: boolean): Promise<JsonText<PayoutSchedule>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.set_payout_schedule(${weekly}::boolean)`,
    selectSchedule(tx, caller),
  ])
  return row?.item ?? defaultSchedule
}

const selectSchedule = (tx: Sql, { userId }: Caller) => tx<{ item: JsonText<PayoutSchedule> }[]>`
  select json_build_object('weekly', s.weekly, 'nextAt', ${nextPayoutAt}, 'waitsForMethod',
    coalesce(s.weekly and ${payoutMethodUsableFrom} >= s.next_at
             and ${payoutMethodUsableFrom} > clock_timestamp(), false))::text as item
  from public.payout_schedules s left join public.payout_methods m on m.user_id = s.user_id and m.is_default
  where s.user_id = ${userId}::text::uuid`

/**
 * Returns all users' payouts, newest first unless `sort` is 'oldest'.
 *
 * @throws ApiError 403 if the caller is not an admin
 */
export async function listAllPayouts(
  caller: Caller,
  { state, sort }: Pick<AdminPayoutsQuery, 'state' | 'sort'>,
  range: PageRange,
): Promise<Page<AdminPayout>> {
  // 'requested' is a literal so that the planner can use the partial index on requested payouts.
  const stateCondition =
    state === 'requested' ? sql`and o.state = 'requested'` : state ? sql`and o.state = ${state}::text` : sql``
  const order = sort === 'oldest' ? sql`o.created_at, o.id` : sql`o.created_at desc, o.id desc`
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    tx<PageRow[]>`
      select ${adminPayoutJson} as item, ${cursorKey(sql`o.created_at`, sql`o.id`)} as key
      from public.payouts o left join public.profiles u on u.id = o.user_id
      where true ${stateCondition} ${afterCursor(range, sql`o.created_at`, sql`o.id`, sort)}
      order by ${order} ${limitClause(range)}`,
  ])
  return toPage(rows, range)
}

/**
 * Marks a payout as paid or failed. Repeating the same outcome has no effect.
 *
 * @throws ApiError 403 if the caller is not an admin or is the payout's recipient; 404 if there is no such payout; 409
 *   if it was already settled with the other outcome, or `test_money` if a payout of test money is marked as paid
 *   outside test mode
 */
export async function settlePayout(
  caller: Caller,
  id: string,
  settlement: SettlePayoutRequest,
): Promise<JsonText<AdminPayout>> {
  const note = settlement.outcome === 'paid' ? (settlement.reference ?? null) : settlement.reason
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.settle_payout(${id}::text::uuid, ${settlement.outcome}::text, ${note}::text,
                                   ${isTestMode}::boolean)`,
    tx<{ item: string }[]>`
      select ${adminPayoutJson} as item from public.payouts o left join public.profiles u on u.id = o.user_id
      where o.id = ${id}::text::uuid`,
  ])
  if (!row) throw notFound('Payout not found')
  return row.item
}

/**
 * Returns the full payout details of a pending payout. Each call is recorded in the audit log.
 *
 * @throws ApiError 403 if the caller is not an admin; 404 if there is no such payout; 409 if the payout is settled, or
 *   its details were encrypted with another key
 */
export async function revealPayoutDetails(caller: Caller, id: string): Promise<PayoutDestination> {
  const [[details], [payout]] = await asUser(caller, (tx) => [
    tx<{ encrypted: string }[]>`select private.reveal_payout_details(${id}::text::uuid) as encrypted`,
    tx<{ userId: string }[]>`
      select o.user_id as "userId" from public.payouts o where o.id = ${id}::text::uuid`,
  ])
  if (!details || !payout) throw notFound('Payout not found')
  try {
    return { details: await decryptDetails(env.encryptionKeys, payout.userId, details.encrypted) }
  } catch {
    log('error', 'payout_details_unreadable', { payoutId: id })
    throw new ApiError(
      409,
      "Couldn't decrypt these details: they were encrypted with another key. Mark the payout as failed so the creator can enter them again.",
    )
  }
}
