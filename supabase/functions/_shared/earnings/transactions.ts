import type { Transaction, TransactionsOf, TransactionType } from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import { keyOf, type PageRow, type Piece, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { card } from '../users/card.ts'
import { description, kindOf, sourceOf } from './words.ts'

/** Which transactions are asked for: of a type, and of a card of the overview. Both where both are given. */
export type TransactionFilter = {
  type?: TransactionType | undefined
  of?: TransactionsOf | undefined
}

const now = sql`(select clock_timestamp())`
/** The first moment of this month, and of the first of the last 30 days, in UTC: an index is walked to there. */
const monthStart = sql`(select date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC')`
const daysStart = sql`(
  select (date_trunc('day', clock_timestamp() at time zone 'UTC') - interval '29 days') at time zone 'UTC')`

/**
 * Whether a transaction `t` belongs to a card. The rows of a card make its amount: `available` is all that is cleared,
 * `pending` all that is not (and so is younger than clearing takes), the other two are sales and what was given back of
 * them on the days that the card counts.
 */
const belongsTo: Record<TransactionsOf, Piece> = {
  available: sql`and t.clears_at <= ${now}`,
  pending: sql`and t.clears_at > ${now}
    and t.created_at > (select clock_timestamp() - make_interval(days => ${limits.clearingDays}::int))`,
  this_month: sql`and t.source is not null and t.created_at >= ${monthStart}`,
  last_30_days: sql`and t.source is not null and t.created_at >= ${daysStart}`,
}

/**
 * Somebody's transactions `t` from behind `after`, the newest first, with what is behind each: its sale `s`, payer `u`,
 * post `p` with its paid words `c`, and payout `o`. The page is cut before those are looked up.
 */
export const transactionsOf = (
  userId: string,
  { type, of }: TransactionFilter,
  after: Range['after'],
  cut: Piece,
) => sql`
  (select t.* from public.ledger_transactions t
   where t.person_id = ${userId}::text::uuid
   ${type ? sql`and t.kind = ${kindOf[type]}::text` : sql``} ${of ? belongsTo[of] : sql``}
   ${after ? sql`and (t.created_at, t.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``}
   order by t.created_at desc, t.id desc ${cut}) t
  left join lateral private.own_sale(t.payment_id) s on t.payment_id is not null
  left join public.profiles u on u.id = s.payer_id
  left join public.posts p on p.id = s.post_id
  left join public.premium_contents c on c.post_id = p.id
  left join public.payouts o on o.id = t.payout_id
  order by t.created_at desc, t.id desc`

export const statusOf = sql`case when t.clears_at > ${now} then 'pending' else 'completed' end`

/** A `Transaction` as JSON text. */
const item = sql`json_build_object(
  'id', t.id, 'type', ${sourceOf(sql`t.kind`)},
  'source', case when t.kind = 'refund' then ${sourceOf(sql`t.source`)} end,
  'amount', t.net_cents / 100.0, 'gross', t.gross_cents / 100.0, 'fee', t.fee_cents / 100.0,
  'date', t.created_at, 'description', ${description}, 'status', ${statusOf}, 'clearsAt', t.clears_at,
  'person', case when u.id is not null then json_build_object(${card}) end)::text`

/**
 * The caller's transactions, the newest first.
 *
 * @throws ApiError 403 `creators_only` for who is no creator and never earned anything
 */
export async function listTransactions(
  caller: Caller,
  filter: TransactionFilter,
  range: Range,
): Promise<Page<Transaction>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    tx<PageRow[]>`
      select ${item} as item, ${keyOf(sql`t.created_at`, sql`t.id`)} as key
      from ${transactionsOf(caller.userId, filter, range.after, window(range))}`,
  ])
  return toPage(rows, range)
}
