import { z } from 'zod'
import { EarningSource, type EarningsOverview } from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import { sql } from '../db/page.ts'
import { asUser, type Sql } from '../db/run.ts'
import type { Caller } from '../http/session.ts'
import { shares } from './shares.ts'
import { sourceOf } from './words.ts'

/** What the statement below makes, in US dollars. */
const Figures = z.object({
  available: z.number(),
  pending: z.number(),
  feePercent: z.number(),
  nextPayoutAt: z.string().nullable(),
  thisMonth: z.number(),
  previousMonth: z.number(),
  last30Days: z.number(),
  sources: z.array(z.object({ source: EarningSource, amount: z.number() })),
  months: z.array(z.object({ month: z.string(), amount: z.number() })),
})

/** From when money may go to the payout method `m`. */
export const usableFrom = sql`m.changed_at + make_interval(days => ${limits.payoutWaitDays}::int)`

/**
 * When somebody's next payout is made by itself, of their row `s` of payout_schedules and their default method `m`, for
 * which it waits; null where none is.
 */
export const nextPayout = sql`case when s.weekly and m.id is not null then greatest(s.next_at, ${usableFrom}) end`

/**
 * The cards, sources and months of somebody's earnings. Read from their balance, the transactions of the last week and
 * a row for each day, however much they sold.
 *
 * @throws ApiError 403 `creators_only` for who is no creator and never earned anything
 */
export async function readOverview(caller: Caller): Promise<EarningsOverview> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    selectFigures(tx, caller.userId),
  ])
  const figures = Figures.parse(JSON.parse(row?.item ?? 'null'))
  const percentages = shares(figures.sources.map(({ amount }) => amount))
  return {
    ...figures,
    sources: figures.sources.map((source, at) => ({ ...source, percentage: percentages[at] ?? 0 })),
    yearlyProjection: projection(figures.last30Days),
  }
}

/** What a year like the last 30 days makes, as the specification counts it. Whole cents. */
export const projection = (last30Days: number) => Math.round(last30Days * 100 * 12) / 100

/** Days of `d` that a card counts, at the time `t` (`times`). */
export const inThisMonth = sql`d.day >= t.month`
export const inLast30Days = sql`d.day > t.today - 30`

/** `today` and the first of this `month`, in UTC. */
export const times = sql`
  select day.today, date_trunc('month', day.today)::date as month
  from (select (clock_timestamp() at time zone 'UTC')::date as today) day`

const selectFigures = (tx: Sql, userId: string) => tx<{ item: string }[]>`
  with t as (${times}),
  d as (
    select e.day, e.source, e.gross_cents - e.fee_cents as net from public.earning_days e, t
    where e.person_id = ${userId}::text::uuid and e.day >= (t.month - interval '11 months')::date),
  b as (
    select coalesce((select c.total_cents from public.creator_balances c
                     where c.person_id = ${userId}::text::uuid), 0) as total,
           coalesce((select sum(l.net_cents) from public.ledger_transactions l
                     where l.person_id = ${userId}::text::uuid
                       and l.clears_at > (select clock_timestamp())), 0) as pending)
  select json_build_object(
    'available', (b.total - b.pending) / 100.0, 'pending', b.pending / 100.0,
    'feePercent', private.fee_percent(),
    'nextPayoutAt', (
      select ${nextPayout} from public.payout_schedules s
      join public.payout_methods m on m.user_id = s.user_id and m.is_default
      where s.user_id = ${userId}::text::uuid),
    'thisMonth', (select coalesce(sum(d.net) filter (where ${inThisMonth}), 0) / 100.0 from d),
    'previousMonth', (
      select coalesce(sum(d.net), 0) / 100.0 from d
      where d.day between t.month - interval '1 month'
        and least(t.month - 1, (t.month - interval '1 month')::date + (t.today - t.month))),
    'last30Days', (select coalesce(sum(d.net) filter (where ${inLast30Days}), 0) / 100.0 from d),
    'sources', (
      select coalesce(json_agg(json_build_object('source', s.source, 'amount', s.net / 100.0)
                               order by s.net desc, s.source), '[]')
      from (select ${sourceOf(sql`d.source`)} as source, sum(d.net) as net from d group by 1) s),
    'months', (
      select json_agg(json_build_object('month', m.first::date, 'amount', (
        select coalesce(sum(d.net), 0) / 100.0 from d
        where d.day >= m.first::date and d.day < (m.first + interval '1 month')::date)) order by m.first)
      from generate_series(t.month::timestamp - interval '11 months', t.month::timestamp, '1 month') m (first)))::text
    as item
  from b, t`
