import type { AnalyticsMonthly } from '../contract/analytics.ts'
import { asGuardedUser } from '../db/run.ts'
import { shares } from '../earnings/shares.ts'
import type { Caller } from '../http/session.ts'
import { apart, comparable, fill, spanOf, sum } from './days.ts'
import {
  type Asked,
  type CreatorDay,
  type EarningDay,
  nothing,
  requireOwn,
  type Source,
  selectDays,
  selectEarnings,
} from './figures.ts'

/**
 * Revenue, new followers and new subscriptions of a period, day by day, beside as many days before.
 *
 * @throws ApiError 401, 403
 */
export async function monthly(caller: Caller, asked: Asked): Promise<AnalyticsMonthly> {
  const span = spanOf(asked.period)
  const [, days, earnings, [counts]] = await asGuardedUser(caller, (tx) => [
    requireOwn(tx, asked.userId),
    selectDays(tx, caller, span.previousFirst),
    selectEarnings(tx, caller, span.previousFirst),
    tx<{ subscribers: number }[]>`
      select c.subscribers from public.profile_counts c where c.user_id = ${caller.userId}::text::uuid`,
  ])
  const got = apart(days, span)
  const earned = apart(earnings, span)
  const [gotWhole, earnedWhole] = [comparable(days, span), comparable(earnings, span)]
  const cents = centsByDay(earnings)
  const toDay = ({ day, followers, subscribers }: CreatorDay) => ({
    day,
    revenue: (cents.get(day) ?? 0) / 100,
    newFollowers: followers,
    newSubscriptions: subscribers,
  })
  return {
    ...totals(got.now, earned.now),
    subscriptions: counts?.subscribers ?? 0,
    previous: totals(got.before, earned.before),
    compared: {
      now: totals(gotWhole.now, earnedWhole.now),
      before: totals(gotWhole.before, earnedWhole.before),
    },
    days: fill(got.now, span.days, nothing).map(toDay),
    previousDays: fill(got.before, span.previousDays, nothing).map(toDay),
    sources: sources(earned.now),
  }
}

const totals = (days: readonly CreatorDay[], earnings: readonly EarningDay[]) => ({
  revenue: sum(earnings, ({ cents }) => cents) / 100,
  newFollowers: sum(days, ({ followers }) => followers),
  contentViews: sum(days, ({ views }) => views),
  newSubscriptions: sum(days, ({ subscribers }) => subscribers),
})

/** Cents by day, over all sources. */
export function centsByDay(earnings: readonly EarningDay[]): Map<string, number> {
  const byDay = new Map<string, number>()
  for (const { day, cents } of earnings) byDay.set(day, (byDay.get(day) ?? 0) + cents)
  return byDay
}

const names = {
  subscription: 'subscription',
  tip: 'tip',
  unlock: 'premium_content',
} as const satisfies Record<Source, string>

/** What it came of, the largest first; what nothing came of is left out. */
function sources(earnings: readonly EarningDay[]): AnalyticsMonthly['sources'] {
  const bySource = new Map<Source, number>()
  for (const { source, cents } of earnings) bySource.set(source, (bySource.get(source) ?? 0) + cents)
  const found = [...bySource].filter(([, cents]) => cents !== 0).sort(([, a], [, b]) => b - a)
  const percentages = shares(found.map(([, cents]) => cents))
  return found.map(([source, cents], at) => ({
    source: names[source],
    amount: cents / 100,
    percentage: percentages[at] ?? 0,
  }))
}
