import type { PayoutSchedule } from '../contract/earnings.ts'
import { asUser, type Sql } from '../db/run.ts'
import { nextPayout, usableFrom } from '../earnings/overview.ts'
import type { JsonText } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'

type Row = { item: JsonText<PayoutSchedule> }

/** Who has said nothing yet wants their money every week, and gets it from the first payout method on. */
const unsaid: JsonText<PayoutSchedule> = '{"weekly":true,"nextAt":null,"waitsForMethod":false}'

/**
 * Whether the caller is paid by the week, and when next.
 *
 * @throws ApiError 403 `creators_only` for who is no creator and never earned anything
 */
export async function readSchedule(caller: Caller): Promise<JsonText<PayoutSchedule>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    selectSchedule(tx, caller),
  ])
  return row?.item ?? unsaid
}

/**
 * Switches the weekly payouts on or off. Switched on again, the day that was set stays; where it
 * is over, the first one is a week from now.
 *
 * @throws ApiError 403 as for reading, or `account_read_only`
 */
export async function changeSchedule(caller: Caller, weekly: boolean): Promise<JsonText<PayoutSchedule>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.set_payout_schedule(${weekly}::boolean)`,
    selectSchedule(tx, caller),
  ])
  return row?.item ?? unsaid
}

const selectSchedule = (tx: Sql, { userId }: Caller) => tx<Row[]>`
  select json_build_object('weekly', s.weekly, 'nextAt', ${nextPayout}, 'waitsForMethod',
    coalesce(s.weekly and ${usableFrom} >= s.next_at and ${usableFrom} > clock_timestamp(), false))::text as item
  from public.payout_schedules s left join public.payout_methods m on m.user_id = s.user_id and m.is_default
  where s.user_id = ${userId}::text::uuid`
