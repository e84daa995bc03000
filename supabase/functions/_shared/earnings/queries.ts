import { z } from 'zod'
import { periodRange } from '../analytics/period.ts'
import type { DayRange } from '../contract/analytics.ts'
import {
  EarningSource,
  type EarningsByDay,
  type EarningsOverview,
  type GoalsRequest,
  type GoalsResponse,
  type Transaction,
  type TransactionsCard,
  type TransactionType,
} from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type Sql, type SqlFragment, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { unauthorized } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { isTestMode } from '../payments/test-mode.ts'
import { wholePercentages } from './percentages.ts'
import { apiTransactionType, currentTime, ledgerKinds, transactionJson } from './presenter.ts'

/**
 * Checks that the caller is a creator, or has earned something before, and that their account is not read-only.
 *
 * @throws ApiError 401; 403 `account_read_only` or `creators_only`
 */
export async function requireEarnerCanWrite(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_write(), private.require_earner()`)
}

/** SQL for the time from which the payout method `m` may be used. */
export const payoutMethodUsableFrom = sql`m.changed_at + make_interval(days => ${limits.payoutMethodHoldDays}::int)`

/**
 * SQL for the time of the next scheduled payout, from the payout schedule `s` and the default payout method `m`. The
 * payout waits until the method may be used. Null if no payout is scheduled, or if the `payouts` job skips the account
 * because it is read-only or its email address is not confirmed.
 */
export const nextPayoutAt = sql`case when s.weekly and m.id is not null
    and (select a.read_only_reason is null and a.email_confirmed_at is not null
         from public.accounts a where a.user_id = s.user_id)
  then greatest(s.next_at, ${payoutMethodUsableFrom}) end`

/**
 * SQL for the subquery `t`, which returns one row with two dates in UTC: `today`, and `month`, the first day of this
 * month.
 */
const currentDates = sql`
  select day.today, date_trunc('month', day.today)::date as month
  from (select (clock_timestamp() at time zone 'UTC')::date as today) day`

/**
 * Conditions that test whether the earning day `d` falls in a period of the overview. `t` comes from `currentDates`.
 */
const isInThisMonth = sql`d.day >= t.month`
const isInLast30Days = sql`d.day > t.today - 30`

/** Returns the yearly projection in US dollars: 12 times the earnings of the last 30 days. */
const projectYear = (last30Days: number) => Math.round(last30Days * 100 * 12) / 100

/** The JSON that `selectOverview` returns. Amounts are in US dollars. */
const OverviewRow = z.object({
  available: z.number(),
  pending: z.number(),
  testBalance: z.number(),
  feePercent: z.number(),
  nextPayoutAt: z.string().nullable(),
  nextPayoutAmount: z.number().nullable(),
  thisMonth: z.number(),
  previousMonth: z.number(),
  last30Days: z.number(),
  sources: z.array(z.object({ source: EarningSource, amount: z.number() })),
  months: z.array(z.object({ month: z.string(), amount: z.number(), previousYear: z.number() })),
  days: z.array(z.object({ day: z.string(), amount: z.number() })),
})

/**
 * Returns the caller's earnings overview: the cards, and the earnings by source, month and day. Reads the balance, the
 * uncleared transactions and one row per day and source, so the cost does not depend on the number of cleared sales.
 *
 * @throws ApiError 403 `creators_only` if the caller is not a creator and has never earned anything
 */
export async function readEarningsOverview(caller: Caller): Promise<EarningsOverview> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    selectOverview(tx, caller.userId),
  ])
  const overview = OverviewRow.parse(JSON.parse(row?.item ?? 'null'))
  const percentages = wholePercentages(overview.sources.map(({ amount }) => amount))
  return {
    ...overview,
    sources: overview.sources.map((source, index) => ({ ...source, percentage: percentages[index] ?? 0 })),
    yearlyProjection: projectYear(overview.last30Days),
  }
}

/**
 * Returns the caller's earnings for each day in a range, and for the same number of days before it. Reads at most one
 * row per day and source.
 *
 * @throws ApiError 403 `creators_only` if the caller is not a creator and has never earned anything
 */
export async function readEarningsByDay(caller: Caller, { from, to }: DayRange): Promise<EarningsByDay> {
  const { days, previousDays, previousFirstDay } = periodRange({ period: '30d', from, to })
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    tx<{ day: string; cents: number }[]>`
      select e.day::text as day, sum(e.gross_cents - e.fee_cents)::float8 as cents from public.earning_days e
      where e.user_id = ${caller.userId}::text::uuid
        and e.day between ${previousFirstDay}::text::date and ${to}::text::date
      group by e.day`,
  ])
  const centsByDay = new Map(rows.map(({ day, cents }) => [day, cents]))
  const toDays = (list: readonly string[]) =>
    list.map((day) => ({ day, amount: (centsByDay.get(day) ?? 0) / 100 }))
  const sumDays = (list: readonly string[]) =>
    list.reduce((sum, day) => sum + (centsByDay.get(day) ?? 0), 0) / 100
  return {
    total: sumDays(days),
    previousTotal: sumDays(previousDays),
    days: toDays(days),
    previousDays: toDays(previousDays),
  }
}

const selectOverview = (tx: Sql, userId: string) => tx<{ item: string }[]>`
  with t as (${currentDates}),
  d as (
    select e.day, e.source, e.gross_cents - e.fee_cents as net from public.earning_days e, t
    where e.user_id = ${userId}::text::uuid and e.day >= (t.month - interval '11 months')::date),
  b as (
    select coalesce((select case when ${isTestMode}::boolean then c.test_cents else c.total_cents - c.test_cents end
                     from public.creator_balances c where c.user_id = ${userId}::text::uuid), 0) as total,
           coalesce((select c.test_cents from public.creator_balances c
                     where c.user_id = ${userId}::text::uuid), 0) as test,
           coalesce((select sum(l.net_cents) from public.ledger_transactions l
                     where l.user_id = ${userId}::text::uuid and l.is_test = ${isTestMode}::boolean
                       and l.clears_at > ${currentTime}), 0) as pending),
  n as (
    select ${nextPayoutAt} as at from public.payout_schedules s
    join public.payout_methods m on m.user_id = s.user_id and m.is_default
    where s.user_id = ${userId}::text::uuid)
  select json_build_object(
    'available', (b.total - b.pending) / 100.0, 'pending', b.pending / 100.0, 'testBalance', b.test / 100.0,
    'feePercent', private.platform_fee_percent(),
    'nextPayoutAt', (select n.at from n),
    'nextPayoutAmount', (
      select (b.total - coalesce((
        select sum(l.net_cents) from public.ledger_transactions l
        where l.user_id = ${userId}::text::uuid and l.is_test = ${isTestMode}::boolean
          and l.clears_at > greatest(n.at, ${currentTime})), 0)) / 100.0
      from n where n.at is not null),
    'thisMonth', (select coalesce(sum(d.net) filter (where ${isInThisMonth}), 0) / 100.0 from d),
    -- The same days of the previous month.
    'previousMonth', (
      select coalesce(sum(d.net), 0) / 100.0 from d
      where d.day between t.month - interval '1 month'
        and least(t.month - 1, (t.month - interval '1 month')::date + (t.today - t.month))),
    'last30Days', (select coalesce(sum(d.net) filter (where ${isInLast30Days}), 0) / 100.0 from d),
    'sources', (
      select coalesce(json_agg(json_build_object('source', s.source, 'amount', s.net / 100.0)
                               order by s.net desc, s.source), '[]')
      from (select ${apiTransactionType(sql`d.source`)} as source, sum(d.net) as net from d group by 1) s),
    'months', (
      select json_agg(json_build_object('month', m.first::date, 'amount', (
        select coalesce(sum(d.net), 0) / 100.0 from d
        where d.day >= m.first::date and d.day < (m.first + interval '1 month')::date), 'previousYear', (
        select coalesce(sum(e.gross_cents - e.fee_cents), 0) / 100.0 from public.earning_days e
        where e.user_id = ${userId}::text::uuid and e.day >= (m.first - interval '1 year')::date
          and e.day < (m.first - interval '11 months')::date)) order by m.first)
      from generate_series(t.month::timestamp - interval '11 months', t.month::timestamp, '1 month') m (first)),
    'days', (
      select json_agg(json_build_object('day', t.today - s.age, 'amount', (
        select coalesce(sum(d.net), 0) / 100.0 from d where d.day = t.today - s.age)) order by s.age desc)
      from generate_series(0, 29) s (age)))::text
    as item
  from b, t`

/** Selects transactions by type, by a card of the earnings overview, and by days in UTC. */
export type TransactionFilter = {
  type?: TransactionType | undefined
  of?: TransactionsCard | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * SQL for the start of this month, and for the start of the 30 days that end today, in UTC. Both can bound an index
 * scan.
 */
const monthStart = sql`(select date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC')`
const last30DaysStart = sql`(
  select (date_trunc('day', clock_timestamp() at time zone 'UTC') - interval '29 days') at time zone 'UTC')`

/**
 * Conditions that test whether the transaction `t` belongs to a card of the overview. The transactions of a card add up
 * to its amount. `available` contains the transactions of the current kind of money (real or test) that have cleared,
 * `pending` those that have not. The others contain sales and refunds, of a period or of all time. A pending
 * transaction is never older than the clearing time, so the condition on `created_at` only bounds the index scan.
 */
const cardConditions: Record<TransactionsCard, SqlFragment> = {
  available: sql`and t.is_test = ${isTestMode}::boolean and t.clears_at <= ${currentTime}`,
  pending: sql`and t.is_test = ${isTestMode}::boolean and t.clears_at > ${currentTime}
    and t.created_at > (select clock_timestamp() - make_interval(days => ${limits.clearingDays}::int))`,
  this_month: sql`and t.source is not null and t.created_at >= ${monthStart}`,
  last_30_days: sql`and t.source is not null and t.created_at >= ${last30DaysStart}`,
  earnings: sql`and t.source is not null`,
}

/**
 * Returns the `from` and `order by` clauses for a user's transactions `t`, newest first, each with its sale `s`, payer
 * `u`, post `p`, paid content `c` and payout `o`. The limit applies before these joins.
 */
export const fromTransactions = (
  userId: string,
  { type, of, from, to }: TransactionFilter,
  range: PageRange,
  limit: SqlFragment,
) => sql`
  from (select t.* from public.ledger_transactions t
   where t.user_id = ${userId}::text::uuid
   ${type ? sql`and t.kind = ${ledgerKinds[type]}::text` : sql``} ${of ? cardConditions[of] : sql``}
   ${from ? sql`and t.created_at >= (${from}::text::date)::timestamp at time zone 'UTC'` : sql``}
   ${to ? sql`and t.created_at < (${to}::text::date + 1)::timestamp at time zone 'UTC'` : sql``}
   ${afterCursor(range, sql`t.created_at`, sql`t.id`)}
   order by t.created_at desc, t.id desc ${limit}) t
  left join lateral private.own_sale(t.payment_id) s on t.payment_id is not null
  left join public.profiles u on u.id = s.payer_id
  left join public.posts p on p.id = s.post_id
  left join public.premium_contents c on c.post_id = p.id
  left join public.payouts o on o.id = t.payout_id
  order by t.created_at desc, t.id desc`

/**
 * Lists the caller's transactions, newest first.
 *
 * @throws ApiError 403 `creators_only` if the caller is not a creator and has never earned anything
 */
export async function listTransactions(
  caller: Caller,
  filter: TransactionFilter,
  range: PageRange,
): Promise<Page<Transaction>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    tx<PageRow[]>`
      select ${transactionJson} as item, ${cursorKey(sql`t.created_at`, sql`t.id`)} as key
      ${fromTransactions(caller.userId, filter, range, limitClause(range))}`,
  ])
  return toPage(rows, range)
}

/**
 * Returns the caller's goals and the current values.
 *
 * @throws ApiError 403 `creators_only` if the caller is not a creator and has never earned anything
 */
export async function readGoals(caller: Caller): Promise<GoalsResponse> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    selectGoals(tx, caller.userId),
  ])
  return toGoals(rows)
}

/**
 * Updates the caller's goals and returns them with the current values. Omitted goals keep their value.
 *
 * @throws ApiError 403 `creators_only`, `account_read_only`
 */
export async function updateGoals(caller: Caller, goals: GoalsRequest): Promise<GoalsResponse> {
  const { monthlyRevenue, yearlyRevenue, subscribers } = goals
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.set_creator_goals(${toText(monthlyRevenue)}::text::numeric, ${toText(yearlyRevenue)}::text::numeric,
                                ${subscribers ?? null}::int)`,
    selectGoals(tx, caller.userId),
  ])
  return toGoals(rows)
}

const toText = (amount: number | undefined) => (amount === undefined ? null : String(amount))

/** Amounts are in US dollars. A goal that was never set is null. */
type GoalsRow = {
  monthlyGoal: number | null
  yearlyGoal: number | null
  subscribersGoal: number | null
  thisMonth: number
  last30Days: number
  subscribers: number
}

const selectGoals = (tx: Sql, userId: string) => tx<GoalsRow[]>`
  with t as (${currentDates}),
  d as (
    select e.day, e.gross_cents - e.fee_cents as net from public.earning_days e, t
    where e.user_id = ${userId}::text::uuid and e.day >= least(t.month, t.today - 30))
  select g.monthly_cents::float8 / 100 as "monthlyGoal", g.yearly_cents::float8 / 100 as "yearlyGoal",
         g.subscribers as "subscribersGoal",
         (select coalesce(sum(d.net) filter (where ${isInThisMonth}), 0)::float8 / 100 from d) as "thisMonth",
         (select coalesce(sum(d.net) filter (where ${isInLast30Days}), 0)::float8 / 100 from d) as "last30Days",
         c.subscribers
  from t join public.profile_counts c on c.user_id = ${userId}::text::uuid
  left join public.creator_goals g on g.user_id = c.user_id`

function toGoals([row]: GoalsRow[]): GoalsResponse {
  if (!row) throw unauthorized()
  return {
    goals: {
      monthlyRevenue: row.monthlyGoal ?? limits.goals.monthlyRevenue,
      yearlyRevenue: row.yearlyGoal ?? limits.goals.yearlyRevenue,
      subscribers: row.subscribersGoal ?? limits.goals.subscribers,
    },
    now: {
      monthlyRevenue: row.thisMonth,
      yearlyRevenue: projectYear(row.last30Days),
      subscribers: row.subscribers,
    },
  }
}
