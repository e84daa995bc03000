import {
  AnalyticsAudience,
  AnalyticsMonthly,
  AnalyticsOverview,
  AnalyticsSources,
  BestHours,
  periodDays,
  RecentViews,
  TopPosts,
} from '@contract/analytics.ts'
import { LikeResponse, Post, UnlockResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse, UserStats } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createComment, createPost } from '../support/content-api.ts'
import { retryDeadlocks } from '../support/deadlocks.ts'
import { runJob } from '../support/run-job.ts'
import { exhaustRateLimit, sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

let creator: TestUser
let fan: TestUser
let other: TestUser
let blockedUser: TestUser
let nonCreator: TestUser

beforeAll(async () => {
  ;({ creator, fan, other, blockedUser, nonCreator } = await createUsers(
    'creator',
    'fan',
    'other',
    'blockedUser',
    'nonCreator',
  ))
  await makeCreator(creator)
  await apiAs(creator).post(`/api/users/${blockedUser.id}/block`, BlockResponse)
})

const postViews = (user: TestUser | null, postIds: unknown[], source?: string) =>
  call('POST', '/api/views', {
    headers: authorizationHeader(user),
    body: { postIds, source },
  })
const viewPosts = async (user: TestUser, ...postIds: string[]) =>
  expect((await postViews(user, postIds)).status).toBe(204)

async function runRollUpJob(): Promise<void> {
  expect(await runJob('roll-up')).toMatchObject({ status: 200 })
}
/**
 * Runs the roll-up as if the previous run had finished at the given offset from the start of the current UTC day. Holds
 * the job's lock, so that no other run can start in between.
 */
const rollUpAfterRunAt = (offset: string) =>
  sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('roll-up', 0))`
    await tx`update private.rollups set done_at = date_trunc('day', now(), 'UTC') + ${offset}::interval where name = 'days'`
    await tx`select private.roll_up_days(1000)`
  })

const overview = async (user = creator, period = '7d') =>
  (await apiAs(user).get(`/api/analytics/overview/${user.id}?period=${period}`, AnalyticsOverview)).body
const monthly = async (user = creator, period = '7d') =>
  (await apiAs(user).get(`/api/analytics/monthly/${user.id}?period=${period}`, AnalyticsMonthly)).body
const topPosts = async (user = creator) =>
  (await apiAs(user).get(`/api/analytics/top-posts/${user.id}?period=7d`, TopPosts)).body
const viewCountOf = async (post: string) => (await topPosts()).find(({ id }) => id === post)?.viewCount ?? 0

const reports = ['overview', 'monthly', 'top-posts', 'audience', 'hours', 'recent', 'sources', 'export']

const today = () => new Date().toISOString().slice(0, 10)

describe('POST /api/views', () => {
  it('counts one view per viewer, post and hour, across concurrent roll-ups', async () => {
    const { id: post } = await createPost(creator, 'Seen by some')
    const before = (await overview()).totalViews
    await Promise.all([viewPosts(fan, post, post), viewPosts(fan, post), viewPosts(other, post)])
    // Concurrent and repeated runs count each view once.
    await Promise.all([runRollUpJob(), runRollUpJob(), runRollUpJob()])
    await runRollUpJob()
    expect(await viewCountOf(post)).toBe(2)
    await viewPosts(fan, post)
    await runRollUpJob()
    expect(await viewCountOf(post)).toBe(2)
    // A counted view is kept until its hour is over, then deleted.
    await sql`update private.post_views set hour = hour - interval '2 hours' where post_id = ${post}`
    await viewPosts(fan, post)
    await runRollUpJob()
    expect(await viewCountOf(post)).toBe(3)
    expect(await sql`select from private.post_views where post_id = ${post}`).toHaveLength(1)
    expect((await overview()).totalViews).toBe(before + 3)
    // Only the author sees the view count of the post, and the total for all their posts in the last seven days.
    for (const [user, views, viewsThisWeek] of [
      [creator, 3, before + 3],
      [fan, null, null],
    ] as const) {
      expect((await apiAs(user).get(`/api/posts/${post}`, Post)).body.viewsCount).toBe(views)
      const { body } = await apiAs(user).get(`/api/users/${creator.id}/stats`, UserStats)
      expect(body.viewsThisWeek).toBe(viewsThisWeek)
    }
    const hours = (await apiAs(creator).get(`/api/analytics/hours/${creator.id}?period=7d`, BestHours)).body
    expect(hours.reduce((sum, hour) => sum + hour.views, 0)).toBe(before + 3)
    const [now] = await sql<{ weekday: number; hour: number }[]>`
      select extract(isodow from now() at time zone 'UTC')::int - 1 as weekday,
             extract(hour from now() at time zone 'UTC')::int as hour`
    // The test may start just before a new hour begins, so the previous hour is accepted too.
    const slots = hours.map(({ weekday, hour }) => weekday * 24 + hour)
    const expected = (now?.weekday ?? 0) * 24 + (now?.hour ?? 0)
    expect(slots.some((slot) => (expected - slot + 168) % 168 <= 1)).toBe(true)
  })

  it('ignores views by the author and by users who cannot see the post, and views of deleted posts', async () => {
    const [post, deletedPost] = [
      (await createPost(creator, 'Limited audience')).id,
      (await createPost(creator, 'Deleted soon')).id,
    ]
    await viewPosts(creator, post)
    await viewPosts(blockedUser, post)
    await sql`update public.profiles set visibility = 'private' where id = ${creator.id}`
    await viewPosts(fan, post)
    await sql`update public.profiles set visibility = 'public' where id = ${creator.id}`
    await viewPosts(other, crypto.randomUUID(), deletedPost)
    const before = (await overview()).totalViews
    await apiAs(creator).expectNoContent('DELETE', `/api/posts/${deletedPost}`)
    await runRollUpJob()
    expect(await viewCountOf(post)).toBe(0)
    expect((await overview()).totalViews).toBe(before)
    // Deleting a post whose views were counted deletes the post's own counts, but keeps the creator's daily totals.
    const { id: countedPost } = await createPost(creator, 'Deleted later')
    await viewPosts(fan, countedPost)
    await runRollUpJob()
    await apiAs(creator).expectNoContent('DELETE', `/api/posts/${countedPost}`)
    expect((await overview()).totalViews).toBe(before + 1)
    expect(await viewCountOf(countedPost)).toBe(0)
  })

  it('requires a session, accepts at most 50 posts and is rate limited', async () => {
    expect((await postViews(null, [crypto.randomUUID()])).status).toBe(401)
    const many = Array.from({ length: 51 }, () => crypto.randomUUID())
    for (const ids of [[], many, ['nonsense']]) expect((await postViews(fan, ids)).status).toBe(400)
    expect((await postViews(fan, many.slice(1))).status).toBe(204)
    await exhaustRateLimit('views', other.id, 120, '1 minute')
    await apiAs(other).expectError('POST', '/api/views', 429, { body: { postIds: many.slice(1) } })
    await sql`delete from private.rate_limits where subject = ${other.id} and bucket = 'views'`
  })
})

describe('the sources of views', () => {
  const sources = async (user: TestUser) =>
    (await apiAs(user).get(`/api/analytics/sources/${user.id}?period=7d`, AnalyticsSources)).body

  it('are recorded once per viewer, post and hour, and counted as "other" on days when they have fewer than five views', async () => {
    const author = await createUser()
    await makeCreator(author)
    expect(await sources(author)).toEqual({ sources: [], recordedSince: null })
    const posts: string[] = []
    for (let count = 0; count < 6; count++) posts.push((await createPost(author, `Post ${count}`)).id)
    const [first = ''] = posts
    expect((await postViews(fan, [first], 'billboard')).status).toBe(400)
    expect((await postViews(fan, posts, 'home')).status).toBe(204)
    // The same posts again, from other sources.
    expect((await postViews(fan, posts, 'message')).status).toBe(204)
    await viewPosts(fan, ...posts)
    expect((await postViews(other, posts.slice(0, 4), 'message')).status).toBe(204)
    await runRollUpJob()
    // Today is not included, because further views may be counted.
    expect(await sources(author)).toEqual({ sources: [], recordedSince: today() })
    await sql`update private.creator_view_sources set day = day - 2 where creator_id = ${author.id}`
    const home = { source: 'home', views: 6, percentage: 60 }
    expect((await sources(author)).sources).toEqual([home, { source: 'other', views: 4, percentage: 40 }])
    // The fifth view of a day makes the source visible. Views sent without a source count as other.
    await sql`
      insert into private.creator_view_sources (creator_id, day, source, views)
      select ${author.id}, (now() at time zone 'UTC')::date - 3, t.source, t.views
      from (values ('home', 4), ('message', 5)) t (source, views)`
    await viewPosts(other, posts[5] ?? '')
    await runRollUpJob()
    await sql`
      update private.creator_view_sources set day = day - 4 where creator_id = ${author.id} and source = 'other'`
    expect((await sources(author)).sources.map(({ source, views }) => [source, views])).toEqual([
      ['home', 6],
      ['message', 5],
      ['other', 9],
    ])
    await sql`update private.creator_view_sources set day = day - 30 where creator_id = ${author.id}`
    expect((await sources(author)).sources).toEqual([])
  })
})

describe('the views of the last 48 hours', () => {
  it('are listed by hour, including the current one', async () => {
    const author = await createUser()
    await makeCreator(author)
    const recent = async () =>
      (await apiAs(author).get(`/api/analytics/recent/${author.id}`, RecentViews)).body
    const { id: post } = await createPost(author, 'New')
    await viewPosts(fan, post)
    await runRollUpJob()
    await sql`
      insert into public.creator_hours (creator_id, day, hour, views)
      select ${author.id}, (t.hour at time zone 'UTC')::date, extract(hour from t.hour at time zone 'UTC'), t.views
      from (select now() - make_interval(hours => back) as hour, views
            from (values (47, 30), (48, 500)) d (back, views)) t`
    const { totalViews, hours } = await recent()
    // The test may start just before a new hour begins, so the oldest hour may be gone.
    expect([31, 1]).toContain(totalViews)
    expect(hours).toHaveLength(48)
    expect(hours.slice(-2).reduce((sum, { views }) => sum + views, 0)).toBe(1)
    const times = hours.map(({ hour }) => Date.parse(hour))
    expect(new Set(times.map((time, index) => time - index * 3_600_000)).size).toBe(1)
    expect(Date.now() - (times.at(-1) ?? 0)).toBeLessThan(3_660_000)
  })
})

describe('the roll-up job', () => {
  it('catches up on all missed days', async () => {
    const { id: post } = await createPost(creator, 'Liked long ago')
    await apiAs(fan).post(`/api/posts/${post}/like`, LikeResponse)
    await sql`update public.likes set created_at = now() - interval '700 days' where post_id = ${post}`
    await sql`delete from private.rollups where name = 'days'`
    await runRollUpJob()
    const [row] = await sql<{ likes: number; done: boolean }[]>`
      select d.likes, r.done_at > now() - interval '1 minute' as done
      from public.creator_days d, private.rollups r
      where d.creator_id = ${creator.id} and d.day = ((now() - interval '700 days') at time zone 'UTC')::date
        and r.name = 'days'`
    expect(row).toEqual({ likes: 1, done: true })
  })

  it('counts a limited number of views per batch, oldest hour first', async () => {
    const { id: post } = await createPost(creator, 'Seen by many')
    const rollback = new Error('rolled back')
    const attempt = sql.begin(async (tx) => {
      // Other runs wait for this transaction and do not see its changes, because it is rolled back.
      await tx`select pg_advisory_xact_lock(hashtextextended('roll-up', 0))`
      await tx`update private.post_views set counted = true where not counted`
      await tx`
        insert into private.post_views (viewer_id, post_id, hour)
        select gen_random_uuid(), ${post}, date_trunc('hour', now(), 'UTC') - n * interval '1 day'
        from unnest(array[0, 2, 1, 2, 0]) n`
      const batchSizes: number[] = []
      const dailyViews: number[][] = []
      for (let at = 0; at < 4; at++) {
        const [row] = await tx<{ count: number }[]>`select private.roll_up_views(2) as count`
        batchSizes.push(row?.count ?? -1)
        const days = await tx<{ views: number }[]>`
          select views from public.post_days where post_id = ${post} order by day`
        dailyViews.push(days.map(({ views }) => views))
      }
      expect(batchSizes).toEqual([2, 2, 1, 0])
      expect(dailyViews).toEqual([[2], [2, 1, 1], [2, 1, 2], [2, 1, 2]])
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })

  it('waits for concurrent account deletions and then counts the views of the other users', async () => {
    const deletedUser = await createUser()
    const author = await createUser()
    const [keptPost, deletedPost] = [
      (await createPost(creator, 'Stays')).id,
      (await createPost(author, 'Deleted with its author')).id,
    ]
    await viewPosts(deletedUser, keptPost, deletedPost)
    await viewPosts(fan, keptPost, deletedPost)
    // Both accounts are deleted during the roll-up. The roll-up waits for the deletion, and then counts the remaining
    // views. The deletion never waits for the roll-up.
    const deletion = sql.begin(async (tx) => {
      // Account deletion locks posts before it deletes views.
      await tx`select private.lock_account_dependents(p.id) from public.profiles p where p.id in (${deletedUser.id}, ${author.id})`
      const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      const counting = runRollUpJob()
      await expect
        .poll(async () => {
          const waiting = sql`select from pg_stat_activity where ${backend?.pid ?? 0} = any(pg_blocking_pids(pid))`
          return (await waiting).count
        })
        .toBeGreaterThan(0)
      await tx`delete from auth.users where id in (${deletedUser.id}, ${author.id})`
      return { counting }
    })
    await (await deletion).counting
    expect(await viewCountOf(keptPost)).toBe(1)
    for (const { id } of [deletedUser, author]) {
      expect(
        await sql`select place from private.find_user_references(${id}) where place like '%view%' or place like '%_days%'`,
      ).toEqual([])
      expect(await sql`select from private.post_views where viewer_id = ${id}`).toHaveLength(0)
    }
  })

  it('holds no lock on the views of an account while it waits for the account to be deleted', async () => {
    const deletedUser = await createUser()
    const { id: post } = await createPost(creator, 'Viewed before the account deletion')
    await viewPosts(deletedUser, post)
    await apiAs(fan).post(`/api/users/${deletedUser.id}/follow`, FollowResponse)
    const counting = await sql.begin(async (tx) => {
      // Account deletion locks the profile before deleting the account's views.
      await tx`select from public.profiles where id = ${deletedUser.id} for update`
      const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      const job = runRollUpJob()
      await expect
        .poll(
          () => sql`select from pg_stat_activity where ${backend?.pid ?? 0} = any(pg_blocking_pids(pid))`,
          {
            interval: 20,
          },
        )
        .not.toHaveLength(0)
      await tx`set local lock_timeout = '200ms'`
      await tx`delete from private.post_views where viewer_id = ${deletedUser.id}`
      return { job }
    })
    await counting.job
    expect(await viewCountOf(post)).toBe(1)
  })
})

describe('GET /api/analytics/:report/:userId', () => {
  it('returns every day of the period and the same number of days before it', async () => {
    const author = await createUser()
    await makeCreator(author)
    for (const [period, days] of Object.entries(periodDays)) {
      const overviewBody = await overview(author, period)
      expect(overviewBody.days).toHaveLength(days)
      expect(overviewBody.days.at(-1)).toEqual({ day: today(), views: 0, likes: 0, comments: 0 })
      expect(overviewBody).toMatchObject({
        totalViews: 0,
        engagementRate: null,
        previous: { engagementRate: null },
        publishedPosts: [],
      })
      const monthlyBody = await monthly(author, period)
      expect(monthlyBody.days.map(({ day }) => day)).toEqual(overviewBody.days.map(({ day }) => day))
      expect(monthlyBody).toMatchObject({ revenue: 0, sources: [], previous: { revenue: 0 } })
    }
    // The default period is 30 days. The rows are for the first day of this period, the last and the first day of the
    // previous period, and the day before the previous period.
    await sql`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      select ${author.id}, (now() at time zone 'UTC')::date - back, views, 20, 3, 4, 5
      from (values (29, 700), (30, 90), (59, 10), (60, 5000)) d (back, views)`
    // Two posts today, one on the first day of the period, and one on the day before the period.
    await sql`
      insert into public.posts (author_id, content, created_at)
      select ${author.id}, name, now() - make_interval(days => back, secs => 0.001 * age)
      from (values ('Newest', 0, 0), ('Second', 0, 1), ('Oldest', 29, 0), ('Before', 30, 0)) p (name, back, age)`
    const path = `/api/analytics/overview/${author.id.toUpperCase()}`
    const month = (await apiAs(author).get(path, AnalyticsOverview)).body
    expect(month).toMatchObject({ totalViews: 700, totalLikes: 20, totalComments: 3, engagementRate: 3.3 })
    expect(month.previous).toEqual({ totalViews: 100, totalLikes: 40, totalComments: 6, engagementRate: 46 })
    expect(month.publishedPosts.map(({ day, content, placeholder }) => [day, content, placeholder])).toEqual([
      [month.days[0]?.day, 'Oldest', null],
      [today(), 'Newest', null],
    ])
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

  it('counts interactions by others unless they were undone, and recounts a day until 02:00 UTC on the next day', async () => {
    const { id: post } = await createPost(creator, 'Liked and commented on')
    const before = await overview()
    for (const user of [fan, other, creator]) await apiAs(user).post(`/api/posts/${post}/like`, LikeResponse)
    await createComment(fan, post, 'Well said')
    await createComment(creator, post, 'My own')
    await apiAs(fan).post(`/api/users/${creator.id}/follow`, FollowResponse)
    await runRollUpJob()
    const likes = async (daysAgo = 0) => (await overview()).days.at(-1 - daysAgo)?.likes
    const after = await overview()
    expect(after.totalLikes).toBe(before.totalLikes + 2)
    expect(after.totalComments).toBe(before.totalComments + 1)
    expect((await monthly()).newFollowers).toBe(1)
    const countedAt = Date.parse(after.countedAt ?? '')
    expect(Math.abs(Date.now() - countedAt)).toBeLessThan(60_000)

    await apiAs(other).post(`/api/posts/${post}/like`, LikeResponse)
    await apiAs(fan).post(`/api/users/${creator.id}/follow`, FollowResponse)
    await runRollUpJob()
    expect((await overview()).totalLikes).toBe(before.totalLikes + 1)
    expect((await monthly()).newFollowers).toBe(0)

    await sql`update public.likes set created_at = created_at - interval '1 day' where post_id = ${post}`
    // If the previous run finished at 02:00 UTC or later, yesterday is complete and is not counted again.
    await rollUpAfterRunAt('2 hours 1 minute')
    expect(await likes(1)).toBe(0)
    await rollUpAfterRunAt('1 hour 59 minutes')
    expect(await likes(1)).toBe(1)
    // After an outage of several days, all missed days are counted again.
    await sql`update public.likes set created_at = created_at - interval '3 days' where post_id = ${post}`
    await rollUpAfterRunAt('-5 days')
    expect([await likes(1), await likes(4)]).toEqual([0, 1])
  })

  it('returns the top posts with pictures and truncated text, revenue after fees, and the same values as CSV', async () => {
    const author = await createUser()
    await makeCreator(author)
    const secret = 'x'.repeat(150)
    const premiumFields = { isPremium: true, premiumPrice: 20, teaser: 'A teaser' }
    const paidImage = await uploadImage(author)
    const freeImage = await uploadImage(author)
    const [paid, free, liked] = [
      (await createPost(author, { content: secret, ...premiumFields, imageUrl: paidImage.imageUrl })).id,
      (await createPost(author, { content: 'Free', imageUrl: freeImage.imageUrl })).id,
      (await createPost(author, 'Liked')).id,
    ]
    await apiAs(fan).post(`/api/posts/${paid}/unlock`, UnlockResponse, { amount: 20 })
    await apiAs(fan).post(`/api/posts/${liked}/like`, LikeResponse)
    await viewPosts(fan, paid, free, liked)
    await viewPosts(other, paid)
    await runRollUpJob()
    const best = await topPosts(author)
    expect(best.map(({ id, viewCount }) => [id, viewCount])).toEqual([
      [paid, 2],
      [liked, 1],
      [free, 1],
    ])
    expect(best[0]).toMatchObject({ content: secret.slice(0, 140), isPremium: true, likeCount: 0 })
    expect(
      best.map(({ mediaType, imageUrl, placeholder }) => [mediaType, imageUrl, placeholder !== null]),
    ).toEqual([
      ['image', paidImage.imageUrl, true],
      [null, null, false],
      ['image', freeImage.imageUrl, true],
    ])
    // The newest post of the day, which is the last one unless a new day (UTC) began while the posts were created.
    const [newest] = (await overview(author)).publishedPosts
    const texts = { [paid]: secret.slice(0, 140), [free]: 'Free', [liked]: 'Liked' }
    expect(newest?.content).toBe(texts[newest?.id ?? ''])
    const monthlyBody = await monthly(author)
    expect(monthlyBody).toMatchObject({ revenue: 18, contentViews: 4, subscriptions: 0 })
    expect(monthlyBody.days.at(-1)).toMatchObject({ day: today(), revenue: 18 })
    expect(monthlyBody.sources).toEqual([{ source: 'premium_content', amount: 18, percentage: 100 }])
    // Three equal sources: the rounded percentages still add up to 100.
    await sql`
      insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
      select ${author.id}, (now() at time zone 'UTC')::date, s, 2000, 200, 1 from unnest(array['tip', 'subscription']) s`
    const { sources } = await monthly(author)
    expect(sources.map(({ percentage }) => percentage).sort()).toEqual([33, 33, 34])

    const csvResponse = await call('GET', `/api/analytics/export/${author.id}?period=7d`, {
      headers: authorizationHeader(author),
    })
    expect(csvResponse.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csvResponse.headers.get('content-disposition')).toBe(
      'attachment; filename="ovation-analytics-7d.csv"',
    )
    const bytes = new Uint8Array(await csvResponse.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = new TextDecoder().decode(bytes).split('\r\n')
    expect(lines).toHaveLength(9)
    expect(lines[0]).toBe(
      'Day (UTC),Views,Likes,Comments,New followers,New subscribers,"Revenue (USD, after fees)"',
    )
    expect(lines[7]).toBe(`${today()},4,1,0,0,0,54.00`)
  })

  it('reports only audience groups of five or more followers, as percentages of all followers in these groups', async () => {
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
    await insertFollowers(author, followers)
    await runRollUpJob()
    const audience = (await apiAs(author).get(path, AnalyticsAudience)).body
    expect(audience.ageGroups).toEqual([
      { range: '18-24', percentage: 45 },
      { range: '55+', percentage: 55 },
    ])
    expect(audience.countries).toEqual([
      { name: 'US', percentage: 55 },
      { name: 'DE', percentage: 45 },
    ])
    // The audience is counted once a day, so that comparing two responses does not reveal a single follower's data.
    await insertFollowers(author, [[31, 'FR']])
    await runRollUpJob()
    expect((await apiAs(author).get(path, AnalyticsAudience)).body).toEqual(audience)
    await sql`update private.creator_audiences set counted_at = now() - interval '25 hours' where creator_id = ${author.id}`
    await runRollUpJob()
    const next = (await apiAs(author).get(path, AnalyticsAudience)).body
    expect(next.ageGroups.map(({ range }) => range)).toEqual(['18-24', '25-34', '55+'])
    expect(next.countries.map(({ name }) => name)).toEqual(['US', 'DE', 'FR'])
    await retryDeadlocks(() => sql`delete from auth.users where email like ${`%@${author.username}.test`}`)
  })

  it("returns a creator's analytics only to that creator, and not to an admin", async () => {
    const [admin] = await sql<{ id: string }[]>`
      update public.profiles set is_admin = true where id = ${other.id} returning id`
    expect(admin).toBeDefined()
    for (const report of reports) {
      const path = (id: string) => `/api/analytics/${report}/${id}`
      await apiAs(null).expectError('GET', path(creator.id), 401)
      for (const id of [creator.id, crypto.randomUUID(), 'nonsense', creator.username]) {
        const { message } = await apiAs(other).expectError('GET', path(id), 403)
        expect(message).toBe('You can only view your own analytics.')
      }
      await apiAs(creator).expectError('GET', path(fan.id), 403)
      const { code, message } = await apiAs(nonCreator).expectError('GET', path(nonCreator.id), 403)
      expect({ code, message }).toEqual({
        code: 'creators_only',
        message: 'Analytics is a Creator Pro exclusive feature.',
      })
    }
    await apiAs(creator).expectError('GET', `/api/analytics/overview/${creator.id}?period=2d`, 400)
    await sql`update public.profiles set is_admin = false where id = ${other.id}`
  })
})

/** Creates followers of an author, each with an age and a country. */
async function insertFollowers(
  author: TestUser,
  profiles: (readonly [number, string | null])[],
): Promise<void> {
  for (const [age, country] of profiles) {
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
