import { AnalyticsMonthly, AnalyticsOverview, BestHours } from '@contract/analytics.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ZodType } from 'zod'
import { apiAs } from '../support/api.ts'
import { makeCreator } from '../support/creators.ts'
import { sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

// Today is incomplete, so comparisons leave it out. A period contains some weekdays more often than others, so hours
// are compared by their average.

let creator: TestUser

beforeEach(async () => {
  ;({ creator } = await createUsers('creator'))
  await makeCreator(creator)
})

const getAnalytics = async <T>(kind: string, period: string, schema: ZodType<T>) =>
  (await apiAs(creator).get(`/api/analytics/${kind}/${creator.id}?period=${period}`, schema)).body

describe('the comparison of periods', () => {
  it('leaves out today and compares whole days with the days one period earlier', async () => {
    // The same values every day for sixty days, except for today, which has just begun.
    await sql`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      select ${creator.id}, (now() at time zone 'UTC')::date - back, case back when 0 then 2 else 100 end,
             case back when 0 then 0 else 4 end, case back when 0 then 0 else 1 end, case back when 0 then 0 else 2 end,
             case back when 0 then 0 else 1 end
      from generate_series(0, 59) back`
    await sql`
      insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
      select ${creator.id}, (now() at time zone 'UTC')::date - back, 'tip', 1000, 100, 1 from generate_series(1, 59) back`

    const overview = await getAnalytics('overview', '30d', AnalyticsOverview)
    const wholeDays = { totalViews: 2900, totalLikes: 116, totalComments: 29, engagementRate: 5 }
    expect(overview.compared).toEqual({ now: wholeDays, before: wholeDays })
    // The totals include today.
    expect(overview).toMatchObject({
      totalViews: 2902,
      totalLikes: 116,
      totalComments: 29,
      engagementRate: 5,
    })
    expect(overview.previous).toEqual({
      totalViews: 3000,
      totalLikes: 120,
      totalComments: 30,
      engagementRate: 5,
    })

    const monthly = await getAnalytics('monthly', '30d', AnalyticsMonthly)
    const month = { revenue: 261, newFollowers: 58, contentViews: 2900, newSubscriptions: 29 }
    expect(monthly.compared).toEqual({ now: month, before: month })
    expect(monthly).toMatchObject({ revenue: 261, newFollowers: 58, contentViews: 2902 })
    expect(monthly.previous).toMatchObject({ revenue: 270, newFollowers: 60, contentViews: 3000 })
  })

  it('leaves out only today and the day one period before today', async () => {
    await sql`
      insert into public.creator_days (creator_id, day, views)
      select ${creator.id}, (now() at time zone 'UTC')::date - back, views
      from (values (0, 1), (1, 10), (6, 100), (7, 1000), (8, 10000), (13, 100000), (14, 1000000)) d (back, views)`
    const { compared } = await getAnalytics('overview', '7d', AnalyticsOverview)
    expect(compared).toMatchObject({ now: { totalViews: 110 }, before: { totalViews: 110_000 } })
  })
})

describe('GET /api/analytics/hours/:userId', () => {
  it('returns averages over whole days, regardless of how often a weekday occurs', async () => {
    // Nine views a day at 20:00, but eight on the weekday that occurs five times, and many today.
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views)
      select ${creator.id}, (now() at time zone 'UTC')::date - back, 20,
             case when back = 0 then 500 when (back - 1) % 7 = 0 then 8 else 9 end
      from generate_series(0, 30) back`
    const hours = await getAnalytics('hours', '30d', BestHours)
    const yesterday = (new Date(Date.now() - 86_400_000).getUTCDay() + 6) % 7
    expect(hours.map(({ weekday, average }) => [weekday, average])).toEqual(
      Array.from({ length: 7 }, (_, weekday) => [weekday, weekday === yesterday ? 8 : 9]),
    )
    // Sums would favor yesterday's weekday and today's weekday.
    const views = (weekday: number) => hours.find((hour) => hour.weekday === weekday)?.views
    expect(views(yesterday)).toBe(40)
    expect(views((yesterday + 1) % 7)).toBe(500 + 4 * 9)
    // Seven complete days contain each weekday once. For today's weekday, that is the day a week ago.
    const week = await getAnalytics('hours', '7d', BestHours)
    expect(week.map(({ average }) => average).sort()).toEqual([8, 9, 9, 9, 9, 9, 9])
  })

  it('returns an average of zero for hours with views from today only', async () => {
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views)
      values (${creator.id}, (now() at time zone 'UTC')::date, 3, 12)`
    expect(await getAnalytics('hours', '7d', BestHours)).toMatchObject([{ hour: 3, views: 12, average: 0 }])
  })
})
