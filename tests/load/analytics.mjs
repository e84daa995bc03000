import { randomUUID } from 'node:crypto'
import { createCallers } from './callers.mjs'
import { readSecrets, withSql } from './stack.mjs'

const endpoints = ['overview', 'monthly', 'top-posts', 'audience', 'hours', 'recent', 'sources', 'export']

/**
 * Inserts a user with a session. Returns the caller, with an access token.
 *
 * @param {import('postgres').Sql} sql a superuser's connection
 * @param {string} jwtSecret
 */
async function insertCaller(sql, jwtSecret) {
  const [id, username] = [randomUUID(), `b_${randomUUID().replaceAll('-', '').slice(0, 16)}`]
  const metadata = { username, full_name: 'Bench', phone_number: '+1 555 0100 200', adult_confirmed: true }
  // `createCallers` finds the users whose email address begins with `bench`.
  await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`bench_${username}@example.test`}, ${sql.json(metadata)})`
  await sql`insert into auth.sessions (id, user_id) values (gen_random_uuid(), ${id})`
  const caller = (await createCallers(sql, jwtSecret, 1000)).find(({ userId }) => userId === id)
  if (!caller) throw new Error('createCallers did not return the new user.')
  return caller
}

/**
 * Inserts a year of posts and their statistics. Returns the total number of views, which is about a million for 300
 * posts.
 *
 * @param {import('postgres').Sql} sql
 * @param {string} creatorId
 * @param {number} posts
 */
async function insertYearOfActivity(sql, creatorId, posts) {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update public.profiles set is_creator = true where id = ${creatorId}`
    await tx`
      insert into public.posts (author_id, content, created_at)
      select ${creatorId}, 'Post ' || n, now() - (366 - n * 366.0 / ${posts}) * interval '1 day'
      from generate_series(1, ${posts}::int) n`
    // New posts have many views a day, and old posts few.
    await tx`
      insert into public.post_days (post_id, author_id, day, views)
      select p.id, p.author_id, d.day::date,
             1 + floor(random() * (9 + 1250 * exp(-extract(epoch from d.day - p.created_at) / 86400 / 3)))
      from public.posts p,
      generate_series(date_trunc('day', p.created_at), date_trunc('day', now()), interval '1 day') d (day)
      where p.author_id = ${creatorId}`
    await tx`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      select d.author_id, d.day, sum(d.views), sum(d.views) / 40, sum(d.views) / 200, 9, 2
      from public.post_days d where d.author_id = ${creatorId} group by 1, 2`
    await tx`
      insert into public.creator_hours (creator_id, day, hour, views)
      select d.creator_id, d.day, h, d.views / 24 from public.creator_days d, generate_series(0, 23) h
      where d.creator_id = ${creatorId}`
    await tx`
      insert into private.creator_view_sources (creator_id, day, source, views)
      select d.creator_id, d.day, s, d.views / 3 from public.creator_days d, unnest(array['home', 'search', 'link']) s
      where d.creator_id = ${creatorId}`
    await tx`
      insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
      select d.creator_id, d.day, s, 9990, 1000, 10 from public.creator_days d,
      unnest(array['unlock', 'subscription', 'tip']) s where d.creator_id = ${creatorId}`
    await tx`
      insert into private.creator_audiences (creator_id, counted_at, age_groups, countries)
      select ${creatorId}, now(), '[{"range": "18-24", "people": 50}]',
             jsonb_agg(jsonb_build_object('name', 'DE', 'people', n)) from generate_series(1, 100) n`
  })
  await sql`analyze`
  const [row] =
    await sql`select sum(d.views)::int as views from public.creator_days d where d.creator_id = ${creatorId}`
  return row?.views
}

/**
 * Sends a request repeatedly, in sequence, and returns the response times in milliseconds.
 *
 * @param {number} count
 * @param {() => Promise<Response>} send
 * @param {() => Promise<Response>} [sendConcurrently] sends another request at the same time; that request is not
 *   measured
 */
async function measure(count, send, sendConcurrently) {
  const times = []
  // The first requests are a warm-up.
  for (let n = -Math.ceil(count / 10); n < count; n++) {
    const other = sendConcurrently?.()
    const start = performance.now()
    const response = await send()
    await response.arrayBuffer()
    if (n >= 0) times.push(performance.now() - start)
    for (const received of [response, await other]) {
      if (received && !received.ok) throw new Error(`${received.url} returned ${received.status}.`)
    }
  }
  return times
}

/**
 * Fills a disposable stack, measures each analytics endpoint for a creator with a year of views, and measures how much
 * reporting views slows down the feed.
 *
 * @param {import('./stack.mjs').Stack} stack
 * @param {{ posts: number, requests: number }} options `posts` is how many posts the creator
 *   has, and `requests` is how many times each request is measured
 * @returns {Promise<{ name: string, times: number[] }[]>} the response times of each request, in milliseconds
 */
export async function measureAnalytics(stack, { posts, requests }) {
  const { apiUrl, databaseUrl } = stack.connection
  const { jwtSecret } = readSecrets(stack)
  return await withSql(databaseUrl, async (sql) => {
    const creator = await insertCaller(sql, jwtSecret)
    const views = await insertYearOfActivity(sql, creator.userId, posts)
    const headers = { Authorization: `Bearer ${creator.token}` }
    const results = []
    for (const endpoint of endpoints) {
      const url = `${apiUrl}/api/analytics/${endpoint}/${creator.userId}?period=1y`
      results.push({
        name: `${endpoint}, ${views} views`,
        times: await measure(requests, () => fetch(url, { headers })),
      })
    }

    /** @type {import('./callers.mjs').Caller[]} */
    const viewers = []
    for (let index = 0; index < 20; index++) viewers.push(await insertCaller(sql, jwtSecret))
    const latestPosts = await sql`select p.id from public.posts p order by p.created_at desc limit 500`
    const postIds = latestPosts.map(({ id }) => id)
    let turn = 0
    const nextToken = () => viewers[turn++ % viewers.length]?.token ?? ''
    const readFeed = () =>
      fetch(`${apiUrl}/api/posts`, { headers: { Authorization: `Bearer ${nextToken()}` } })
    const reportViews = () => {
      const first = (turn * 10) % Math.max(1, postIds.length - 10)
      return fetch(`${apiUrl}/api/views`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${nextToken()}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ postIds: postIds.slice(first, first + 10) }),
      })
    }
    results.push({ name: 'the feed, alone', times: await measure(requests, readFeed) })
    results.push({ name: 'a report of views of 10 posts', times: await measure(requests, reportViews) })
    await sql`delete from private.rate_limits where bucket = 'views'`
    // Reports views with every page of the feed, far more often than the web app does.
    results.push({
      name: 'the feed, with a report of views',
      times: await measure(requests, readFeed, reportViews),
    })
    return results
  })
}
