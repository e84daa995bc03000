import type { GoalsAnswer, GoalsRequest } from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import { asUser, type Sql } from '../db/run.ts'
import { unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { inLast30Days, inThisMonth, projection, times } from './overview.ts'

/** In US dollars. */
type Row = {
  monthly: number | null
  yearly: number | null
  people: number | null
  month: number
  last30Days: number
  subscribers: number
}

/**
 * What the caller aims at, and how far they are.
 *
 * @throws ApiError 403 `creators_only` for who is no creator and never earned anything
 */
export async function readGoals(caller: Caller): Promise<GoalsAnswer> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_earner()`,
    selectGoals(tx, caller.userId),
  ])
  return toGoals(rows)
}

/**
 * Changes what the caller aims at; what is left out stays.
 *
 * @throws ApiError 403 as for reading, or `account_read_only`
 */
export async function changeGoals(caller: Caller, goals: GoalsRequest): Promise<GoalsAnswer> {
  const { monthlyRevenue, yearlyRevenue, subscribers } = goals
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.set_goals(${toText(monthlyRevenue)}::text::numeric, ${toText(yearlyRevenue)}::text::numeric,
                                ${subscribers ?? null}::int)`,
    selectGoals(tx, caller.userId),
  ])
  return toGoals(rows)
}

const toText = (amount: number | undefined) => (amount === undefined ? null : String(amount))

const selectGoals = (tx: Sql, userId: string) => tx<Row[]>`
  with t as (${times}),
  d as (
    select e.day, e.gross_cents - e.fee_cents as net from public.earning_days e, t
    where e.person_id = ${userId}::text::uuid and e.day >= least(t.month, t.today - 30))
  select g.monthly_cents::float8 / 100 as monthly, g.yearly_cents::float8 / 100 as yearly, g.subscribers as people,
         (select coalesce(sum(d.net) filter (where ${inThisMonth}), 0)::float8 / 100 from d) as month,
         (select coalesce(sum(d.net) filter (where ${inLast30Days}), 0)::float8 / 100 from d) as "last30Days",
         c.subscribers
  from t join public.profile_counts c on c.user_id = ${userId}::text::uuid
  left join public.creator_goals g on g.user_id = c.user_id`

function toGoals([row]: Row[]): GoalsAnswer {
  if (!row) throw unauthorized()
  return {
    goals: {
      monthlyRevenue: row.monthly ?? limits.goals.monthlyRevenue,
      yearlyRevenue: row.yearly ?? limits.goals.yearlyRevenue,
      subscribers: row.people ?? limits.goals.subscribers,
    },
    now: {
      monthlyRevenue: row.month,
      yearlyRevenue: projection(row.last30Days),
      subscribers: row.subscribers,
    },
  }
}
