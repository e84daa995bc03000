import {
  AnalyticsMonthly,
  AnalyticsOverview,
  addDays,
  BestHours,
  currentDay,
  TopPosts,
} from '@contract/analytics.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ZodType } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

// Today is incomplete, so the comparison in `compared` excludes it. Some weekdays occur more often in a period than
// others, so hours are compared by their average.

let creator: TestUser

beforeEach(async () => {
  ;({ creator } = await createUsers('creator'))
  await makeCreator(creator)
})

const getAnalytics = async <T>(kind: string, period: string, schema: ZodType<T>) =>
  (await apiAs(creator).get(`/api/analytics/${kind}/${creator.id}?period=${period}`, schema)).body

describe('comparison with the previous period', () => {
  it('excludes today and compares each complete day with the same day of the previous period', async () => {
    // Each of the sixty days has the same values, except today, which has just begun.
    await sql`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      select ${creator.id}, (now() at time zone 'UTC')::date - days_ago, case days_ago when 0 then 2 else 100 end,
             case days_ago when 0 then 0 else 4 end, case days_ago when 0 then 0 else 1 end,
             case days_ago when 0 then 0 else 2 end, case days_ago when 0 then 0 else 1 end
      from generate_series(0, 59) days_ago`
    await sql`
      insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
      select ${creator.id}, (now() at time zone 'UTC')::date - days_ago, 'tip', 1000, 100, 1
      from generate_series(1, 59) days_ago`

    const overview = await getAnalytics('overview', '30d', AnalyticsOverview)
    // 29 days each: `now` is the period, `before` is the previous period.
    const completeDays = { totalViews: 2900, totalLikes: 116, totalComments: 29, engagementRate: 5 }
    expect(overview.compared).toEqual({ now: completeDays, before: completeDays })
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

  it('excludes only today and its counterpart in the previous period', async () => {
    await sql`
      insert into public.creator_days (creator_id, day, views)
      select ${creator.id}, (now() at time zone 'UTC')::date - days_ago, views
      from (values (0, 1), (1, 10), (6, 100), (7, 1000), (8, 10000), (13, 100000), (14, 1000000)) d (days_ago, views)`
    const { compared } = await getAnalytics('overview', '7d', AnalyticsOverview)
    expect(compared).toMatchObject({ now: { totalViews: 110 }, before: { totalViews: 110_000 } })
  })
})

describe('from and to', () => {
  const get = async <T>(kind: string, query: string, schema: ZodType<T>) =>
    (await apiAs(creator).get(`/api/analytics/${kind}/${creator.id}?${query}`, schema)).body

  it('select the days of every report and compare them with the same number of days before', async () => {
    await sql`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      select ${creator.id}, day::date, 10, 2, 1, 3, 1
      from generate_series('2024-02-20'::timestamp, '2024-03-10', '1 day') day`
    await sql`
      insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
      select ${creator.id}, day::date, 'tip', 1000, 100, 1
      from generate_series('2024-02-27'::timestamp, '2024-03-10', '1 day') day`
    // The period starts on a leap day and ends on a Saturday (weekday 5).
    const query = 'from=2024-02-29&to=2024-03-02'
    const overview = await get('overview', query, AnalyticsOverview)
    const threeDays = { totalViews: 30, totalLikes: 6, totalComments: 3, engagementRate: 30 }
    // All days are over, so none is left out of the comparison.
    expect(overview).toMatchObject({
      ...threeDays,
      previous: threeDays,
      compared: { now: threeDays, before: threeDays },
    })
    expect(overview.days.map(({ day }) => day)).toEqual(['2024-02-29', '2024-03-01', '2024-03-02'])
    expect(overview.previousDays.map(({ day }) => day)).toEqual(['2024-02-26', '2024-02-27', '2024-02-28'])
    expect(await get('monthly', query, AnalyticsMonthly)).toMatchObject({
      revenue: 27,
      newFollowers: 9,
      previous: { revenue: 18, newFollowers: 9 },
      sources: [{ source: 'tip', amount: 27 }],
    })

    const [before, within] = [await createPost(creator, 'Before'), await createPost(creator, 'Within')]
    await sql`
      insert into public.post_days (post_id, author_id, day, views)
      values (${before.id}, ${creator.id}, '2024-02-28', 9), (${within.id}, ${creator.id}, '2024-03-02', 4),
             (${within.id}, ${creator.id}, '2024-03-03', 5)`
    expect(await get('top-posts', query, TopPosts)).toMatchObject([{ id: within.id, viewCount: 4 }])
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views)
      values (${creator.id}, '2024-02-28', 5, 7), (${creator.id}, '2024-03-02', 5, 8), (${creator.id}, '2024-03-03', 5, 9)`
    expect(await get('hours', query, BestHours)).toEqual([{ weekday: 5, hour: 5, views: 8, average: 8 }])

    const response = await call('GET', `/api/analytics/export/${creator.id}?${query}`, {
      headers: authorizationHeader(creator),
    })
    expect(response.headers.get('content-disposition')).toContain('analytics-2024-02-29-to-2024-03-02.csv')
    expect((await response.text()).trim().split('\r\n')).toHaveLength(4)
  })

  it('may select a period that ends today, and the comparison then excludes today', async () => {
    await sql`
      insert into public.creator_days (creator_id, day, views)
      select ${creator.id}, (now() at time zone 'UTC')::date - days_ago, 10 from generate_series(0, 3) days_ago`
    const { compared } = await get(
      'overview',
      `from=${addDays(currentDay(), -1)}&to=${currentDay()}`,
      AnalyticsOverview,
    )
    expect(compared).toMatchObject({ now: { totalViews: 10 }, before: { totalViews: 10 } })
  })

  it('may cover a whole leap year', async () => {
    expect((await get('overview', 'from=2024-01-01&to=2024-12-31', AnalyticsOverview)).days).toHaveLength(366)
  })

  it.each([
    ['from=2024-01-01', 'to', 'Please choose an end date.'],
    ['to=2024-01-01', 'from', 'Please choose a start date.'],
    ['from=2024-02-30&to=2024-03-01', 'from', 'Please choose a start date.'],
    ['from=2024-03-02&to=2024-03-01', 'to', "Please choose an end date that isn't before the start date."],
    ['from=2024-01-01&to=2025-01-01', 'to', 'Please choose at most one year.'],
    ['from=0000-01-01&to=0000-01-02', 'from', 'Please choose a start date after 1999.'],
    ['from=2999-01-01&to=2999-01-02', 'to', "Please choose an end date that isn't in the future."],
  ])('are rejected with 400 if they are invalid: %s', async (query, field, message) => {
    for (const kind of ['overview', 'monthly', 'top-posts', 'hours', 'export']) {
      const path = `/api/analytics/${kind}/${creator.id}?${query}`
      expect(await apiAs(creator).expectError('GET', path, 400)).toMatchObject({
        code: 'validation_failed',
        errors: { [field]: [message] },
      })
    }
  })
})

describe('GET /api/analytics/hours/:userId', () => {
  it('returns averages over complete days, regardless of how often a weekday occurs', async () => {
    // Nine views a day at 20:00, but eight on yesterday's weekday, and 500 today.
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views)
      select ${creator.id}, (now() at time zone 'UTC')::date - days_ago, 20,
             case when days_ago = 0 then 500 when (days_ago - 1) % 7 = 0 then 8 else 9 end
      from generate_series(0, 30) days_ago`
    const hours = await getAnalytics('hours', '30d', BestHours)
    // 0 is Monday.
    const yesterdayWeekday = (new Date(Date.now() - 86_400_000).getUTCDay() + 6) % 7
    expect(hours.map(({ weekday, average }) => [weekday, average])).toEqual(
      Array.from({ length: 7 }, (_, weekday) => [weekday, weekday === yesterdayWeekday ? 8 : 9]),
    )
    // The totals include today, so yesterday's weekday and today's weekday each occur five times.
    const views = (weekday: number) => hours.find((hour) => hour.weekday === weekday)?.views
    expect(views(yesterdayWeekday)).toBe(40)
    expect(views((yesterdayWeekday + 1) % 7)).toBe(500 + 4 * 9)
    // Seven complete days contain each weekday once. The day with today's weekday is the one a week ago.
    const week = await getAnalytics('hours', '7d', BestHours)
    expect(week.map(({ average }) => average).sort()).toEqual([8, 9, 9, 9, 9, 9, 9])
  })

  it('returns an average of zero for an hour that has views only today', async () => {
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views)
      values (${creator.id}, (now() at time zone 'UTC')::date, 3, 12)`
    expect(await getAnalytics('hours', '7d', BestHours)).toMatchObject([{ hour: 3, views: 12, average: 0 }])
  })
})
