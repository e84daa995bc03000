import type { AdminPayout, PayoutState, PayoutTarget, SettlePayoutRequest } from '../contract/earnings.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import { env } from '../env.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { Caller } from '../http/session.ts'
import { card } from '../users/card.ts'
import { openDetails } from './details.ts'
import { behind, payout } from './payouts.ts'

/** An `AdminPayout` as JSON text, of the row `o` and its person's profile `u`. */
const item = sql`json_build_object(${payout}, 'personId', o.person_id,
  'person', case when u.id is not null then json_build_object(${card}) end)::text`

/**
 * Everybody's payouts, the newest first.
 *
 * @throws ApiError 403 for who is no admin
 */
export async function listAllPayouts(
  caller: Caller,
  state: PayoutState | undefined,
  range: Range,
): Promise<Page<AdminPayout>> {
  // Written out, so that the index of those that wait is used.
  const inState =
    state === 'requested' ? sql`and o.state = 'requested'` : state ? sql`and o.state = ${state}::text` : sql``
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    tx<PageRow[]>`
      select ${item} as item, ${keyOf(sql`o.created_at`, sql`o.id`)} as key
      from public.payouts o left join public.profiles u on u.id = o.person_id
      where true ${inState} ${behind(range.after)}
      order by o.created_at desc, o.id desc ${window(range)}`,
  ])
  return toPage(rows, range)
}

/**
 * Says what became of a payout. The same said again changes nothing.
 *
 * @throws ApiError 403 for who is no admin, or is paid by it, 404, 409 when it was settled otherwise
 */
export async function settlePayout(
  caller: Caller,
  id: string,
  settled: SettlePayoutRequest,
): Promise<JsonText<AdminPayout>> {
  const said = settled.outcome === 'paid' ? (settled.reference ?? null) : settled.reason
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.settle_payout(${id}::text::uuid, ${settled.outcome}::text, ${said}::text)`,
    tx<{ item: string }[]>`
      select ${item} as item from public.payouts o left join public.profiles u on u.id = o.person_id
      where o.id = ${id}::text::uuid`,
  ])
  if (!row) throw notFound('Payout not found')
  return row.item
}

/**
 * Where a payout is to go, in full. That it was asked for stands in the audit log.
 *
 * @throws ApiError 403 for who is no admin, 404, 409 for one that was settled, or whose details were encrypted with a
 *   key that is no longer the instance's
 */
export async function revealTarget(caller: Caller, id: string): Promise<PayoutTarget> {
  const [[held], [of]] = await asUser(caller, (tx) => [
    tx<{ sealed: string }[]>`select private.reveal_payout(${id}::text::uuid) as sealed`,
    tx<{ personId: string }[]>`
      select o.person_id as "personId" from public.payouts o where o.id = ${id}::text::uuid`,
  ])
  if (!held || !of) throw notFound('Payout not found')
  try {
    return { details: await openDetails(env.encryptionKey, of.personId, held.sealed) }
  } catch {
    log('error', 'payout_details_unreadable', { payoutId: id })
    throw new ApiError(
      409,
      'These details cannot be read: they were encrypted with another key. Settle the payout as failed, and its creator can enter them again.',
    )
  }
}
