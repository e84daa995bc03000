import { AnalyticsMonthly, AnalyticsOverview, BestHours } from '@contract/analytics.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ZodType } from 'zod'
import { apiAs } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

/** Today is not over, and weekdays are not equally many: what is compared is alike. */

let creator: TestUser

beforeEach(async () => {
  ;({ creator } = await createUsers('creator'))
  await sql`update public.profiles set is_creator = true where id = ${creator.id}`
})

const read = async <T>(kind: string, period: string, schema: ZodType<T>) =>
  (await apiAs(creator).get(`/api/analytics/${kind}/${creator.id}?period=${period}`, schema)).body

describe('a period is compared', () => {
  it('without today, with the days that lie a period before its whole days', async () => {
    // The same every day for sixty days, but today has just begun.
    await sql`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      select ${creator.id}, (now() at time zone 'UTC')::date - back, case back when 0 then 2 else 100 end,
             case back when 0 then 0 else 4 end, case back when 0 then 0 else 1 end, case back when 0 then 0 else 2 end,
             case back when 0 then 0 else 1 end
      from generate_series(0, 59) back`
    await sql`
      insert into public.earning_days (person_id, day, source, gross_cents, fee_cents, sales)
      select ${creator.id}, (now() at time zone 'UTC')::date - back, 'tip', 1000, 100, 1 from generate_series(1, 59) back`

    const overview = await read('overview', '30d', AnalyticsOverview)
    const whole = { totalViews: 2900, totalLikes: 116, totalComments: 29, engagementRate: 5 }
    expect(overview.compared).toEqual({ now: whole, before: whole })
    // The figures themselves are as they were.
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

    const monthly = await read('monthly', '30d', AnalyticsMonthly)
    const month = { revenue: 261, newFollowers: 58, contentViews: 2900, newSubscriptions: 29 }
    expect(monthly.compared).toEqual({ now: month, before: month })
    expect(monthly).toMatchObject({ revenue: 261, newFollowers: 58, contentViews: 2902 })
    expect(monthly.previous).toMatchObject({ revenue: 270, newFollowers: 60, contentViews: 3000 })
  })

  it('leaving out the day that lies a period before today, and none but that', async () => {
    await sql`
      insert into public.creator_days (creator_id, day, views)
      select ${creator.id}, (now() at time zone 'UTC')::date - back, views
      from (values (0, 1), (1, 10), (6, 100), (7, 1000), (8, 10000), (13, 100000), (14, 1000000)) d (back, views)`
    const { compared } = await read('overview', '7d', AnalyticsOverview)
    expect(compared).toMatchObject({ now: { totalViews: 110 }, before: { totalViews: 110_000 } })
  })
})

describe('hours', () => {
  it('have what they have on average over whole days, however often their weekday comes', async () => {
    // Nine views a day at 20:00, but eight at a weekday that comes five times, and a flood today.
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views)
      select ${creator.id}, (now() at time zone 'UTC')::date - back, 20,
             case when back = 0 then 500 when (back - 1) % 7 = 0 then 8 else 9 end
      from generate_series(0, 30) back`
    const hours = await read('hours', '30d', BestHours)
    const yesterday = (new Date(Date.now() - 86_400_000).getUTCDay() + 6) % 7
    expect(hours.map(({ weekday, average }) => [weekday, average])).toEqual(
      Array.from({ length: 7 }, (_, weekday) => [weekday, weekday === yesterday ? 8 : 9]),
    )
    // Adding up would have named that one, and today's.
    const views = (weekday: number) => hours.find((hour) => hour.weekday === weekday)?.views
    expect(views(yesterday)).toBe(40)
    expect(views((yesterday + 1) % 7)).toBe(500 + 4 * 9)
    // A week has each once, today's from a week ago.
    const week = await read('hours', '7d', BestHours)
    expect(week.map(({ average }) => average).sort()).toEqual([8, 9, 9, 9, 9, 9, 9])
  })

  it('of today alone have nothing on average yet', async () => {
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views)
      values (${creator.id}, (now() at time zone 'UTC')::date, 3, 12)`
    expect(await read('hours', '7d', BestHours)).toMatchObject([{ hour: 3, views: 12, average: 0 }])
  })
})
