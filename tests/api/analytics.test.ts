import {
  AnalyticsAudience,
  AnalyticsMonthly,
  AnalyticsOverview,
  BestHours,
  periodDays,
  TopPosts,
} from '@contract/analytics.ts'
import { Comment } from '@contract/comment.ts'
import { LikeResponse, Post, UnlockResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, call } from '../support/api.ts'
import { runJob } from '../support/run-job.ts'
import { exhaustRateLimit, sql } from '../support/stack.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

let creator: TestUser
let fan: TestUser
let other: TestUser
let foe: TestUser
let plain: TestUser

const makeCreator = (person: TestUser) =>
  sql`update public.profiles set is_creator = true where id = ${person.id}`
const write = async (who: TestUser, content: string, more: Record<string, unknown> = {}) =>
  (await apiAs(who).post('/api/posts', Post, { content, ...more }, 201)).body.id

beforeAll(async () => {
  ;({ creator, fan, other, foe, plain } = await createUsers('creator', 'fan', 'other', 'foe', 'plain'))
  await makeCreator(creator)
  await apiAs(creator).post(`/api/users/${foe.id}/block`, BlockResponse)
})

const see = (who: TestUser | null, postIds: unknown[]) =>
  call('POST', '/api/views', {
    headers: who ? { Authorization: `Bearer ${who.token}` } : {},
    body: { postIds },
  })
const seen = async (who: TestUser, ...postIds: string[]) => expect((await see(who, postIds)).status).toBe(204)

/** Runs the job as the schedule does. */
async function rollUp(): Promise<void> {
  expect(await runJob('roll-up')).toMatchObject({ status: 200 })
}
/** The same as if it had run last at some time, with nothing of another run between the two. */
const rollUpSince = (last: string) =>
  sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('roll-up', 0))`
    await tx`update private.roll_ups set done_at = date_trunc('day', now(), 'UTC') + ${last}::interval where name = 'days'`
    await tx`select private.roll_up_days(1000)`
  })

const overview = async (of = creator, period = '7d') =>
  (await apiAs(of).get(`/api/analytics/overview/${of.id}?period=${period}`, AnalyticsOverview)).body
const monthly = async (of = creator, period = '7d') =>
  (await apiAs(of).get(`/api/analytics/monthly/${of.id}?period=${period}`, AnalyticsMonthly)).body
const topPosts = async (of = creator) =>
  (await apiAs(of).get(`/api/analytics/top-posts/${of.id}?period=7d`, TopPosts)).body
const views = async (post: string) => (await topPosts()).find(({ id }) => id === post)?.viewCount ?? 0

const today = () => new Date().toISOString().slice(0, 10)

describe('views', () => {
  it('count once for each person and hour, and anew in the next', async () => {
    const post = await write(creator, 'Seen by some')
    const before = (await overview()).totalViews
    await Promise.all([seen(fan, post, post), seen(fan, post), seen(other, post)])
    // At once, and again: each is counted by one of them.
    await Promise.all([rollUp(), rollUp(), rollUp()])
    await rollUp()
    expect(await views(post)).toBe(2)
    await seen(fan, post)
    await rollUp()
    expect(await views(post)).toBe(2)
    // What is counted is kept as long as its hour lasts, and forgotten then.
    await sql`update private.view_events set hour = hour - interval '2 hours' where post_id = ${post}`
    await seen(fan, post)
    await rollUp()
    expect(await views(post)).toBe(3)
    expect(await sql`select from private.view_events where post_id = ${post}`).toHaveLength(1)
    expect((await overview()).totalViews).toBe(before + 3)
    const hours = (await apiAs(creator).get(`/api/analytics/hours/${creator.id}?period=7d`, BestHours)).body
    expect(hours.reduce((sum, hour) => sum + hour.views, 0)).toBe(before + 3)
    const [now] = await sql<{ weekday: number; hour: number }[]>`
      select extract(isodow from now() at time zone 'UTC')::int - 1 as weekday,
             extract(hour from now() at time zone 'UTC')::int as hour`
    // Only where an hour has just begun are they the one before.
    const slots = hours.map(({ weekday, hour }) => weekday * 24 + hour)
    const expected = (now?.weekday ?? 0) * 24 + (now?.hour ?? 0)
    expect(slots.some((slot) => (expected - slot + 168) % 168 <= 1)).toBe(true)
  })

  it('are those of other people who may see the post', async () => {
    const [post, gone] = [await write(creator, 'For whom it is'), await write(creator, 'Soon gone')]
    await seen(creator, post)
    await seen(foe, post)
    await sql`update public.profiles set visibility = 'private' where id = ${creator.id}`
    await seen(fan, post)
    await sql`update public.profiles set visibility = 'public' where id = ${creator.id}`
    await seen(other, crypto.randomUUID(), gone)
    const before = (await overview()).totalViews
    await apiAs(creator).expectNoContent('DELETE', `/api/posts/${gone}`)
    await rollUp()
    expect(await views(post)).toBe(0)
    expect((await overview()).totalViews).toBe(before)
    // A post that goes later takes its own figures, not those of the day.
    const later = await write(creator, 'Gone tomorrow')
    await seen(fan, later)
    await rollUp()
    await apiAs(creator).expectNoContent('DELETE', `/api/posts/${later}`)
    expect((await overview()).totalViews).toBe(before + 1)
    expect(await views(later)).toBe(0)
  })

  it('are taken from people who are there, in small numbers and not without end', async () => {
    expect((await see(null, [crypto.randomUUID()])).status).toBe(401)
    const many = Array.from({ length: 51 }, () => crypto.randomUUID())
    for (const ids of [[], many, ['nonsense']]) expect((await see(fan, ids)).status).toBe(400)
    expect((await see(fan, many.slice(1))).status).toBe(204)
    await exhaustRateLimit('views', other.id, 120, '1 minute')
    await apiAs(other).expectError('POST', '/api/views', 429, { body: { postIds: many.slice(1) } })
    await sql`delete from private.rate_limits where subject = ${other.id} and bucket = 'views'`
  })

  it('leave nothing of somebody who is gone, and stop no count for those who stay', async () => {
    const leaver = await createUser()
    const author = await createUser()
    const [mine, theirs] = [await write(creator, 'Stays'), await write(author, 'Goes with them')]
    await seen(leaver, mine, theirs)
    await seen(fan, mine, theirs)
    // Both go while it is counted: it waits for them, they do not wait for it, and what is left is counted.
    const leaving = sql.begin(async (tx) => {
      // As a deletion does: posts are held first, views go last.
      await tx`select private.hold_what_goes(p.id) from public.profiles p where p.id in (${leaver.id}, ${author.id})`
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      const counting = rollUp()
      await expect
        .poll(async () => {
          const waiting = sql`select from pg_stat_activity where ${own?.pid ?? 0} = any(pg_blocking_pids(pid))`
          return (await waiting).count
        })
        .toBeGreaterThan(0)
      await tx`delete from auth.users where id in (${leaver.id}, ${author.id})`
      return { counting }
    })
    await (await leaving).counting
    expect(await views(mine)).toBe(1)
    for (const { id } of [leaver, author]) {
      expect(
        await sql`select place from private.traces_of(${id}) where place like '%view%' or place like '%_days%'`,
      ).toEqual([])
      expect(await sql`select from private.view_events where viewer_id = ${id}`).toHaveLength(0)
    }
  })
})

describe('a count that has to catch up', () => {
  it('goes on, step by step, until all days are counted', async () => {
    const post = await write(creator, 'Liked long ago')
    await apiAs(fan).post(`/api/posts/${post}/like`, LikeResponse)
    await sql`update public.likes set created_at = now() - interval '700 days' where post_id = ${post}`
    await sql`delete from private.roll_ups where name = 'days'`
    await rollUp()
    const [row] = await sql<{ likes: number; done: boolean }[]>`
      select d.likes, r.done_at > now() - interval '1 minute' as done
      from public.creator_days d, private.roll_ups r
      where d.creator_id = ${creator.id} and d.day = ((now() - interval '700 days') at time zone 'UTC')::date
        and r.name = 'days'`
    expect(row).toEqual({ likes: 1, done: true })
  })

  it('takes so many views at a time, those of the oldest hour first', async () => {
    const post = await write(creator, 'Seen by many')
    const undone = new Error('taken back')
    const attempt = sql.begin(async (tx) => {
      // Others count when this is over, and find what there was.
      await tx`select pg_advisory_xact_lock(hashtextextended('roll-up', 0))`
      await tx`update private.view_events set counted = true where not counted`
      await tx`
        insert into private.view_events (viewer_id, post_id, hour)
        select gen_random_uuid(), ${post}, date_trunc('hour', now(), 'UTC') - n * interval '1 day'
        from unnest(array[0, 2, 1, 2, 0]) n`
      const taken: number[] = []
      const left: number[][] = []
      for (let at = 0; at < 4; at++) {
        const [row] = await tx<{ count: number }[]>`select private.roll_up_views(2) as count`
        taken.push(row?.count ?? -1)
        const days = await tx<{ views: number }[]>`
          select views from public.post_days where post_id = ${post} order by day`
        left.push(days.map(({ views }) => views))
      }
      expect(taken).toEqual([2, 2, 1, 0])
      expect(left).toEqual([[2], [2, 1, 1], [2, 1, 2], [2, 1, 2]])
      throw undone
    })
    await expect(attempt).rejects.toBe(undone)
  })

  it('holds no views of somebody who leaves while it waits for them', async () => {
    const leaver = await createUser()
    const post = await write(creator, 'Seen by somebody who leaves')
    await seen(leaver, post)
    await apiAs(fan).post(`/api/users/${leaver.id}/follow`, FollowResponse)
    const counting = await sql.begin(async (tx) => {
      // As a deletion does: the person first, their views last.
      await tx`select from public.profiles where id = ${leaver.id} for update`
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      const job = rollUp()
      await expect
        .poll(() => sql`select from pg_stat_activity where ${own?.pid ?? 0} = any(pg_blocking_pids(pid))`, {
          interval: 20,
        })
        .not.toHaveLength(0)
      await tx`set local lock_timeout = '200ms'`
      await tx`delete from private.view_events where viewer_id = ${leaver.id}`
      return { job }
    })
    await counting.job
    expect(await views(post)).toBe(1)
  })
})

describe('figures', () => {
  it('have every day of the period, and as many before beside it', async () => {
    const author = await createUser()
    await makeCreator(author)
    for (const [period, days] of Object.entries(periodDays)) {
      const found = await overview(author, period)
      expect(found.days).toHaveLength(days)
      expect(found.days.at(-1)).toEqual({ day: today(), views: 0, likes: 0, comments: 0 })
      expect(found).toMatchObject({ totalViews: 0, engagementRate: null, previous: { engagementRate: null } })
      const months = await monthly(author, period)
      expect(months.days.map(({ day }) => day)).toEqual(found.days.map(({ day }) => day))
      expect(months).toMatchObject({ revenue: 0, sources: [], previous: { revenue: 0 } })
    }
    // A month unless one says otherwise; the first day of it, and the last of the month before.
    await sql`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      select ${author.id}, (now() at time zone 'UTC')::date - back, views, 20, 3, 4, 5
      from (values (29, 700), (30, 90), (59, 10), (60, 5000)) d (back, views)`
    const path = `/api/analytics/overview/${author.id.toUpperCase()}`
    const month = (await apiAs(author).get(path, AnalyticsOverview)).body
    expect(month).toMatchObject({ totalViews: 700, totalLikes: 20, totalComments: 3, engagementRate: 3.3 })
    expect(month.previous).toEqual({ totalViews: 100, totalLikes: 40, totalComments: 6, engagementRate: 46 })
    expect(month.days[0]).toMatchObject({ views: 700, likes: 20, comments: 3 })
    expect(month.previousDays).toHaveLength(30)
    expect(month.previousDays[0]).toMatchObject({ views: 10, likes: 20, comments: 3 })
    expect(month.previousDays[29]).toMatchObject({ views: 90 })
    expect(await monthly(author, '30d')).toMatchObject({
      contentViews: 700,
      newFollowers: 4,
      newSubscriptions: 5,
      previous: { contentViews: 100, newFollowers: 8, newSubscriptions: 10 },
    })
  })

  it('come of what others did and still stands, until two hours after the end of its day', async () => {
    const post = await write(creator, 'Liked and said of')
    const before = await overview()
    for (const who of [fan, other, creator]) await apiAs(who).post(`/api/posts/${post}/like`, LikeResponse)
    await apiAs(fan).post(`/api/posts/${post}/comments`, Comment, { content: 'Well said' }, 201)
    await apiAs(creator).post(`/api/posts/${post}/comments`, Comment, { content: 'My own' }, 201)
    await apiAs(fan).post(`/api/users/${creator.id}/follow`, FollowResponse)
    await rollUp()
    const likes = async (back = 0) => (await overview()).days.at(-1 - back)?.likes
    const after = await overview()
    expect(after.totalLikes).toBe(before.totalLikes + 2)
    expect(after.totalComments).toBe(before.totalComments + 1)
    expect((await monthly()).newFollowers).toBe(1)
    const counted = Date.parse(after.countedAt ?? '')
    expect(Math.abs(Date.now() - counted)).toBeLessThan(60_000)

    await apiAs(other).post(`/api/posts/${post}/like`, LikeResponse)
    await apiAs(fan).post(`/api/users/${creator.id}/follow`, FollowResponse)
    await rollUp()
    expect((await overview()).totalLikes).toBe(before.totalLikes + 1)
    expect((await monthly()).newFollowers).toBe(0)

    await sql`update public.likes set created_at = created_at - interval '1 day' where post_id = ${post}`
    // When it last ran two hours after midnight or later, yesterday was done with.
    await rollUpSince('2 hours 1 minute')
    expect(await likes(1)).toBe(0)
    await rollUpSince('1 hour 59 minutes')
    expect(await likes(1)).toBe(1)
    // It stood still for days: all of them are caught up with.
    await sql`update public.likes set created_at = created_at - interval '3 days' where post_id = ${post}`
    await rollUpSince('-5 days')
    expect([await likes(1), await likes(4)]).toEqual([0, 1])
  })

  it('show the best posts with the text of their author, and what was earned after the fee', async () => {
    const author = await createUser()
    await makeCreator(author)
    const secret = 'x'.repeat(150)
    const sold = { isPremium: true, premiumPrice: 20, teaser: 'A teaser' }
    const [paid, free, liked] = await Promise.all([
      write(author, secret, sold),
      write(author, 'Free'),
      write(author, 'Liked'),
    ])
    await apiAs(fan).post(`/api/posts/${paid}/unlock`, UnlockResponse, { amount: 20 })
    await apiAs(fan).post(`/api/posts/${liked}/like`, LikeResponse)
    await seen(fan, paid, free, liked)
    await seen(other, paid)
    await rollUp()
    const best = await topPosts(author)
    expect(best.map(({ id, viewCount }) => [id, viewCount])).toEqual([
      [paid, 2],
      [liked, 1],
      [free, 1],
    ])
    expect(best[0]).toMatchObject({ content: secret.slice(0, 140), isPremium: true, likeCount: 0 })
    const month = await monthly(author)
    expect(month).toMatchObject({ revenue: 18, contentViews: 4, subscriptions: 0 })
    expect(month.days.at(-1)).toMatchObject({ day: today(), revenue: 18 })
    expect(month.sources).toEqual([{ source: 'premium_content', amount: 18, percentage: 100 }])
    // Thirds: whole percents that are 100 together.
    await sql`
      insert into public.earning_days (person_id, day, source, gross_cents, fee_cents, sales)
      select ${author.id}, (now() at time zone 'UTC')::date, s, 2000, 200, 1 from unnest(array['tip', 'subscription']) s`
    const { sources } = await monthly(author)
    expect(sources.map(({ percentage }) => percentage).sort()).toEqual([33, 33, 34])

    const table = await call('GET', `/api/analytics/export/${author.id}?period=7d`, {
      headers: { Authorization: `Bearer ${author.token}` },
    })
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(table.headers.get('content-disposition')).toBe('attachment; filename="ovation-analytics-7d.csv"')
    const bytes = new Uint8Array(await table.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = new TextDecoder().decode(bytes).split('\r\n')
    expect(lines).toHaveLength(9)
    expect(lines[0]).toBe(
      'Day (UTC),Views,Likes,Comments,New followers,New subscribers,"Revenue (USD, after fees)"',
    )
    expect(lines[7]).toBe(`${today()},4,1,0,0,0,54.00`)
  })

  it('tell of an audience only groups of five and more, as shares of those', async () => {
    const author = await createUser()
    await makeCreator(author)
    const path = `/api/analytics/audience/${author.id}`
    const nothing = { ageGroups: [], countries: [], countedAt: null }
    expect((await apiAs(author).get(path, AnalyticsAudience)).body).toEqual(nothing)
    const followers = [
      ...Array.from({ length: 5 }, () => [20, 'DE'] as const),
      ...Array.from({ length: 4 }, () => [30, 'FR'] as const),
      ...Array.from({ length: 6 }, () => [60, null] as const),
      ...Array.from({ length: 6 }, () => [16, 'US'] as const),
    ]
    await follow(author, followers)
    await rollUp()
    const found = (await apiAs(author).get(path, AnalyticsAudience)).body
    expect(found.ageGroups).toEqual([
      { range: '18-24', percentage: 45 },
      { range: '55+', percentage: 55 },
    ])
    expect(found.countries).toEqual([
      { name: 'US', percentage: 55 },
      { name: 'DE', percentage: 45 },
    ])
    // Once a day: nobody learns who the fifth is by looking before and after.
    await follow(author, [[31, 'FR']])
    await rollUp()
    expect((await apiAs(author).get(path, AnalyticsAudience)).body).toEqual(found)
    await sql`update private.creator_audiences set counted_at = now() - interval '25 hours' where creator_id = ${author.id}`
    await rollUp()
    const next = (await apiAs(author).get(path, AnalyticsAudience)).body
    expect(next.ageGroups.map(({ range }) => range)).toEqual(['18-24', '25-34', '55+'])
    expect(next.countries.map(({ name }) => name)).toEqual(['US', 'DE', 'FR'])
    await sql`delete from auth.users where email like ${`%@${author.username}.test`}`
  })

  it('are for a creator alone, whatever is asked for', async () => {
    const [admin] = await sql<{ id: string }[]>`
      update public.profiles set is_admin = true where id = ${other.id} returning id`
    expect(admin).toBeDefined()
    for (const part of ['overview', 'monthly', 'top-posts', 'audience', 'hours', 'export']) {
      const path = (id: string) => `/api/analytics/${part}/${id}`
      await apiAs(null).expectError('GET', path(creator.id), 401)
      for (const id of [creator.id, crypto.randomUUID(), 'nonsense', creator.username]) {
        const { message } = await apiAs(other).expectError('GET', path(id), 403)
        expect(message).toBe('Only a creator sees their own figures.')
      }
      await apiAs(creator).expectError('GET', path(fan.id), 403)
      const { code, message } = await apiAs(plain).expectError('GET', path(plain.id), 403)
      expect({ code, message }).toEqual({
        code: 'creators_only',
        message: 'Analytics is a Creator Pro exclusive feature.',
      })
    }
    await apiAs(creator).expectError('GET', `/api/analytics/overview/${creator.id}?period=2d`, 400)
    await sql`update public.profiles set is_admin = false where id = ${other.id}`
  })
})

/** Makes people who follow an author: an age and a country for each. */
async function follow(author: TestUser, people: (readonly [number, string | null])[]): Promise<void> {
  for (const [age, country] of people) {
    const id = crypto.randomUUID()
    const username = `t_${id.replaceAll('-', '').slice(0, 16)}`
    const meta = {
      username,
      full_name: 'Test Person',
      phone_number: '+1 555 0100 200',
      adult_confirmed: true,
    }
    await sql`insert into auth.users (id, email, raw_user_meta_data)
              values (${id}, ${`${username}@${author.username}.test`}, ${sql.json(meta)})`
    await sql`update public.profile_about set age = ${age}, country = ${country} where user_id = ${id}`
    await sql`insert into public.follows (follower_id, followee_id) values (${id}, ${author.id})`
  }
}
