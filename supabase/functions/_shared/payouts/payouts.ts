import type { z } from 'zod'
import type { Payout, PayoutRequest } from '../contract/earnings.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

/** The pairs of a `Payout`, of the row `o`. */
export const payout = sql`
  'id', o.id, 'kind', o.kind, 'amount', o.amount_cents / 100.0, 'methodType', o.method_type,
  'methodName', o.method_name, 'methodDetails', o.method_masked, 'state', o.state, 'createdAt', o.created_at,
  'settledAt', o.settled_at, 'reference', o.reference, 'failure', o.failure`

/** The items behind `after`. */
export const behind = (after: Range['after']) =>
  after ? sql`and (o.created_at, o.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``

/**
 * The caller's payouts, the newest first.
 *
 * @throws ApiError 403 `creators_only` for who is no creator and never earned anything
 */
export async function listPayouts(caller: Caller, range: Range): Promise<Page<Payout>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    tx<PageRow[]>`
      select json_build_object(${payout})::text as item, ${keyOf(sql`o.created_at`, sql`o.id`)} as key
      from public.payouts o where o.person_id = ${caller.userId}::text::uuid ${behind(range.after)}
      order by o.created_at desc, o.id desc ${window(range)}`,
  ])
  return toPage(rows, range)
}

/**
 * Asks for a payout of the caller's money, of all that is available without an amount, to their default method without
 * one. An id that is sent again is the same payout.
 *
 * @returns `isNew`: this call took the money out
 * @throws ApiError 400 `payout_minimum`, 403 as for reading, or `account_read_only`, 409 `balance_too_low`,
 *   `payout_method_missing`, `payout_method_waiting`, or for an id of something else, 429
 */
export async function requestPayout(
  caller: Caller,
  { id = crypto.randomUUID(), amount, methodId }: z.output<typeof PayoutRequest>,
): Promise<{ item: JsonText<Payout>; isNew: boolean }> {
  const dollars = amount === undefined ? null : String(amount)
  const [[done], [row]] = await asUser(caller, (tx) => [
    tx<{ isNew: boolean }[]>`
      select private.request_payout(${id}::text::uuid, ${dollars}::text::numeric, ${methodId ?? null}::text::uuid)
             as "isNew"`,
    tx<{ item: string }[]>`
      select json_build_object(${payout})::text as item from public.payouts o
      where o.id = ${id}::text::uuid and o.person_id = ${caller.userId}::text::uuid`,
  ])
  if (!done || !row) throw notFound('Payout not found')
  return { item: row.item, isNew: done.isNew }
}
