import type { AnalyticsOverview } from '../contract/analytics.ts'
import { asGuardedUser } from '../db/run.ts'
import type { Caller } from '../http/session.ts'
import { apart, comparable, fill, spanOf, sum } from './days.ts'
import { type Asked, type CreatorDay, nothing, requireOwn, selectDays } from './figures.ts'

/**
 * Views, likes and comments of a period, day by day, beside as many days before.
 *
 * @throws ApiError 401, 403
 */
export async function overview(caller: Caller, asked: Asked): Promise<AnalyticsOverview> {
  const span = spanOf(asked.period)
  const [, rows, [counted]] = await asGuardedUser(caller, (tx) => [
    requireOwn(tx, asked.userId),
    selectDays(tx, caller, span.previousFirst),
    tx<{ at: Date | null }[]>`select private.figures_counted_at() as at`,
  ])
  const { now, before } = apart(rows, span)
  const whole = comparable(rows, span)
  return {
    ...totals(now),
    previous: totals(before),
    compared: { now: totals(whole.now), before: totals(whole.before) },
    days: fill(now, span.days, nothing).map(toDay),
    previousDays: fill(before, span.previousDays, nothing).map(toDay),
    countedAt: counted?.at?.toISOString() ?? null,
  }
}

const toDay = ({ day, views, likes, comments }: CreatorDay) => ({ day, views, likes, comments })

function totals(days: readonly CreatorDay[]) {
  const totalViews = sum(days, ({ views }) => views)
  const totalLikes = sum(days, ({ likes }) => likes)
  const totalComments = sum(days, ({ comments }) => comments)
  const engagementRate =
    totalViews === 0 ? null : Math.round(((totalLikes + totalComments) / totalViews) * 1000) / 10
  return { totalViews, totalLikes, totalComments, engagementRate }
}
