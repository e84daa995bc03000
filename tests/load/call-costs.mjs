import { createCallers } from './callers.mjs'
import { fillWithActivity, heavyUsers } from './fill-activity.mjs'
import { addHeading, addLine, formatInteger, formatMilliseconds, quantile } from './report.mjs'
import { readSecrets, withSql } from './stack.mjs'

/**
 * @typedef {import('./stack.mjs').Stack} Stack
 * @typedef {{ name: string, medianMs: number, p95Ms: number, pages: number }} Measurement the time that the statements
 *   of one call take in the database, and the 8 kB pages that they read from the buffer cache or the disk. The number
 *   of pages does not depend on the load on the machine.
 * @typedef {{ query: string, calls: number, meanMs: number, maxMs: number }} SlowStatement
 */

/** The value of `bench.users.n` for a user with a typical number of rows. */
const ordinaryUser = 100

/** A call meets its target if its median time is at most this, or at most 1.5 times its median time with `small`. */
const targetMs = 20
const small = { posts: 1000, users: 100 }
const repeats = 30

/**
 * Measures the calls that `listCalls` returns, with 1,000 posts and with a larger number of posts, and adds the results
 * to the report.
 *
 * @param {() => Promise<Stack & { stop: () => Promise<void> }>} startStack
 * @param {number} posts the larger number; there is one user for every ten posts, and at least 100 users
 */
export async function benchGrowth(startStack, posts) {
  const results = []
  for (const size of [small, { posts, users: Math.max(small.users, Math.round(posts / 10)) }]) {
    const stack = await startStack()
    try {
      await fillWithActivity(stack, size)
      results.push(await measureCalls(stack, { repeats }))
    } finally {
      await stack.stop()
    }
  }
  const [few, many] = results
  if (!few || !many) throw new Error('The stacks did not start.')
  addHeading(
    `Time in the database with ${formatInteger(posts)} posts (median, p95; median with ${formatInteger(small.posts)} posts; pages read)`,
  )
  for (const [index, { name, medianMs, p95Ms, pages }] of many.measurements.entries()) {
    const before = few.measurements[index]
    if (!before) continue
    addLine(
      name,
      `${formatMilliseconds(medianMs)}, ${formatMilliseconds(p95Ms)}; ${formatMilliseconds(before.medianMs)}; ${formatInteger(before.pages)} → ${formatInteger(pages)}`,
      { target: `≤ ${targetMs} ms or flat`, met: medianMs <= Math.max(targetMs, before.medianMs * 1.5) },
    )
  }
  for (const failure of many.failures) addLine('failed', failure)
  addHeading(`Statements that take longer than ${targetMs} ms on average`)
  for (const { query, calls, meanMs, maxMs } of many.slow)
    addLine(query, `${formatMilliseconds(meanMs)}, at most ${formatMilliseconds(maxMs)}, ${calls} calls`)
}

/**
 * Measures calls to the API and the Data API by a visitor, an ordinary user and the users who are most expensive to
 * serve. Also measures calls to the jobs and the metrics endpoint. Only one call runs at a time.
 *
 * @param {Stack} stack a stack that `fillWithActivity` has filled
 * @param {{ repeats: number, only?: RegExp }} options
 * @returns {Promise<{ measurements: Measurement[], slow: SlowStatement[], failures: string[] }>} `slow` lists the
 *   statements, including those inside functions, that take longer than 20 ms on average; `failures` lists the calls
 *   that failed
 */
export async function measureCalls(stack, { repeats, only = /./ }) {
  const { jwtSecret } = readSecrets(stack)
  return await withSql(stack.connection.databaseUrl, async (sql) => {
    await sql`alter system set pg_stat_statements.track = 'all'`
    await sql`select pg_reload_conf()`
    const calls = await listCalls(sql, stack.connection, jwtSecret)
    const measurements = []
    /** @type {string[]} */
    const failures = []
    await sql`select extensions.pg_stat_statements_reset()`
    for (const { name, send } of calls.filter((call) => only.test(call.name))) {
      /** @type {number[]} */
      const times = []
      /** @type {number[]} */
      const pages = []
      try {
        for (let warmUp = 0; warmUp < 2; warmUp++) await send()
        let before = await readTotals(sql)
        for (let repeat = 0; repeat < repeats; repeat++) {
          await send()
          const after = await readTotals(sql)
          times.push(after.ms - before.ms)
          pages.push(after.pages - before.pages)
          before = after
        }
      } catch (error) {
        // A failed call, for example one that timed out, counts as infinitely slow.
        failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        times.push(Number.POSITIVE_INFINITY)
        pages.push(Number.POSITIVE_INFINITY)
      }
      measurements.push({
        name,
        medianMs: quantile(times, 0.5),
        p95Ms: quantile(times, 0.95),
        pages: quantile(pages, 0.5),
      })
    }
    /** @type {SlowStatement[]} */
    const slow = await sql`
      select left(regexp_replace(query, '\\s+', ' ', 'g'), 160) as query, calls::int, mean_exec_time as "meanMs",
             max_exec_time as "maxMs"
      from extensions.pg_stat_statements
      where mean_exec_time > 20 and query !~* 'pg_stat_statements' order by mean_exec_time desc limit 40`
    return { measurements, slow, failures }
  })
}

/**
 * Returns the total time of all statements so far and the number of pages that they have read.
 *
 * @param {import('postgres').Sql} sql
 */
async function readTotals(sql) {
  const [row] = await sql`
    select coalesce(sum(total_exec_time + total_plan_time), 0) as ms,
           coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as pages
    from extensions.pg_stat_statements where toplevel and query !~* 'pg_stat_statements'`
  return { ms: Number(row?.ms), pages: Number(row?.pages) }
}

/**
 * @param {import('postgres').Sql} sql
 * @param {Stack['connection']} connection
 * @param {string} jwtSecret
 * @returns {Promise<{ name: string, send: () => Promise<void> }[]>}
 */
async function listCalls(sql, { apiUrl, jobsUrl, jobSecret, metricsUrl, publishableKey }, jwtSecret) {
  const names = { ...heavyUsers, user: ordinaryUser }
  const users = await sql`select n, id from bench.users where n = any(${Object.values(names)}::int[])`
  const idOf = (/** @type {keyof typeof names} */ name) => users.find(({ n }) => n === names[name])?.id ?? ''
  const callers = await createCallers(
    sql,
    jwtSecret,
    users.length,
    users.map(({ id }) => id),
  )
  const tokenOf = (/** @type {keyof typeof names} */ name) =>
    callers.find(({ userId }) => userId === idOf(name))?.token
  const [found] = await sql`
    select (select id from bench.posts where n = 20) as post,
           (select id from public.moderation_cases order by moved_at desc limit 1) as "case",
           (select id from public.messages where sender_id = ${idOf('writer')} and receiver_id = ${idOf('reader')}
            order by seq offset 1 limit 1) as message`
  const since = new Date(Date.now() - 86_400_000).toISOString()
  const creator = idOf('creator')

  /** @type {Record<string, Record<string, string>>} */
  const api = {
    visitor: {
      'home feed of a visitor': '/posts',
      'profile of a visitor': `/users/${creator}`,
      'posts of the creator, visitor': `/users/${creator}/posts`,
    },
    user: {
      'home feed': '/posts',
      'home feed, offset 1000': '/posts?offset=1000',
      'new posts': `/posts/new-count?feed=for-you&since=${since}`,
      'own profile': '/auth/user',
      'profile of the creator': `/users/${creator}`,
      'counts of the creator': `/users/${creator}/stats`,
      'posts of the creator': `/users/${creator}/posts`,
      'followers of the creator': `/users/${creator}/followers`,
      'followers of the creator, offset 1000': `/users/${creator}/followers?offset=1000`,
      'user directory': '/users',
      'search users: person': '/users/search?q=person',
      'search users: bench_777': '/users/search?q=bench_777',
      'search users: son 99': '/users/search?q=son%2099',
      'discover posts': '/discover/posts',
      'trending topics': '/discover/trending-hashtags',
      'featured creators': '/discover/featured-creators',
      'search posts: average': '/posts/search?q=average',
      'search posts: lighthouse': '/posts/search?q=lighthouse',
      'search posts: average lighthouse': '/posts/search?q=average%20lighthouse',
      'search posts: nothing': '/posts/search?q=zebra',
      'search topics': '/topics/search?q=topic1',
      'posts of a topic': '/topics/topic1/posts',
      'people of a topic': '/topics/topic1/people',
      'a post': `/posts/${found?.post}`,
      'comments of a post': `/posts/${found?.post}/comments`,
      'saved posts': '/user/saved-posts',
      'liked posts': '/user/liked-posts',
    },
    follower: {
      'feed of 5,000 followed users': '/posts?feed=following',
      'feed of 5,000 followed users, offset 1000': '/posts?feed=following&offset=1000',
      'new posts of 5,000 followed users': `/posts/new-count?feed=following&since=${since}`,
      'list of 5,000 followed users': `/users/${idOf('follower')}/following`,
    },
    reader: {
      conversations: '/messages/conversations',
      'thread of 5,000 messages': `/messages/${idOf('writer')}`,
      'thread of 5,000 messages, oldest messages': `/messages/${idOf('writer')}?before=${found?.message}`,
      'search messages: average': '/messages/search?q=average',
      'search messages: nothing': '/messages/search?q=zebra',
      'unread messages': '/messages/unread-count',
      'own reports': '/user/reports',
    },
    creator: {
      'notifications of the creator': '/notifications',
      'unread notifications of the creator': '/notifications/unread-count',
      'analytics: overview': `/analytics/overview/${creator}?period=1y`,
      'analytics: monthly': `/analytics/monthly/${creator}?period=1y`,
      'analytics: top posts': `/analytics/top-posts/${creator}?period=1y`,
      'analytics: audience': `/analytics/audience/${creator}?period=1y`,
      'analytics: hours': `/analytics/hours/${creator}?period=1y`,
      'earnings: overview': '/earnings/overview',
      'earnings: transactions': '/earnings/transactions',
      'earnings: transactions, offset 1000': '/earnings/transactions?offset=1000',
      'earnings: goals': '/earnings/goals',
      'storage used': '/account/storage',
    },
    admin: {
      'admin: users': '/admin/users',
      'admin: users, offset 90000': '/admin/users?offset=90000',
      'admin: search an': '/admin/users?search=an',
      'admin: search bench777': '/admin/users?search=bench777',
      'admin: search bench': '/admin/users?search=bench',
      'admin: creators': '/admin/users?filter=creators',
      'admin: suspended': '/admin/users?filter=suspended',
      'admin: unapproved': '/admin/users?filter=unapproved',
      'admin: auto-posting': '/admin/users?filter=auto_posting',
      'admin: statistics': '/admin/stats',
      'admin: system': '/admin/system',
      'admin: jobs': '/admin/jobs',
      'admin: cases': '/admin/cases',
      'admin: open cases': '/admin/cases?state=open',
      'admin: cases of a kind': '/admin/cases?kind=user',
      'admin: cases of a kind and state': '/admin/cases?kind=user&state=open',
      'admin: cases of a user': `/admin/cases?personId=${creator}`,
      'admin: one case': `/admin/cases/${found?.case}`,
      'admin: payouts': '/admin/payouts',
      'admin: audit log': '/admin/audit',
      'admin: audit log, action': '/admin/audit?action=case.warn',
      'admin: audit log, actor and target': `/admin/audit?actor=${idOf('admin')}&target=${creator}`,
      'admin: audit log, old days': '/admin/audit?from=2020-01-01&to=2020-01-31',
      'admin: audit log, action and days': '/admin/audit?action=none&from=2020-01-01&to=2030-01-31',
      'admin: auto-posting today': '/admin/auto-posting/today',
    },
  }
  /** @type {Record<string, Record<string, string>>} */
  const dataApi = {
    visitor: {
      'Data API: 10 newest posts, visitor': '/posts?select=*&order=created_at.desc,id.desc&limit=10',
      'Data API: a profile with counts, visitor': `/profiles?select=id,username,profile_counts(*)&id=eq.${creator}`,
    },
    user: {
      'Data API: 10 newest posts': '/posts?select=*&order=created_at.desc,id.desc&limit=10',
      'Data API: 10 newest posts with authors':
        '/posts?select=id,content,profiles!posts_author_id_fkey(username)&order=created_at.desc,id.desc&limit=10',
      'Data API: a profile with counts': `/profiles?select=id,username,profile_counts(*)&id=eq.${creator}`,
      'Data API: comments of a post': `/comments?post_id=eq.${found?.post}&order=created_at.desc&limit=10`,
    },
    reader: {
      'Data API: own conversations': '/conversation_members?select=*&order=last_message_at.desc&limit=20',
      'Data API: own conversations without an order': '/conversations?select=*&limit=20',
      'Data API: own messages': '/messages?select=*&order=created_at.desc&limit=20',
      'Data API: own follows': '/follows?select=*&limit=20',
    },
    creator: {
      'Data API: own notifications': '/notifications?select=*&order=created_at.desc&limit=20',
      'Data API: own ledger': '/ledger_transactions?select=*&order=created_at.desc&limit=20',
    },
  }
  const jobNames =
    'auto-posts clean-up mails mass-messages media moderation new-posts payments payouts renewals roll-up scheduled-posts trending'
  const jobHeaders = { Authorization: `Bearer ${jobSecret}` }
  const toCalls = (
    /** @type {typeof api} */ paths,
    /** @type {string} */ base,
    /** @type {object} */ headers,
  ) =>
    Object.entries(paths).flatMap(([caller, list]) => {
      const token = caller === 'visitor' ? undefined : tokenOf(/** @type {keyof typeof names} */ (caller))
      const all = { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) }
      return Object.entries(list).map(([name, path]) => ({
        name,
        send: () => call(`${base}${path}`, { headers: all }),
      }))
    })
  return [
    ...toCalls(api, `${apiUrl}/api`, {}),
    ...toCalls(dataApi, `${apiUrl}/rest/v1`, { apikey: publishableKey }),
    ...jobNames.split(' ').map((job) => ({
      name: `job with nothing to do: ${job}`,
      send: () => call(`${jobsUrl}/${job}`, { method: 'POST', headers: jobHeaders }),
    })),
    { name: 'metrics', send: () => call(metricsUrl, { headers: jobHeaders }) },
  ]
}

/** Sends a request and reads the response. @param {string} url @param {RequestInit} init */
async function call(url, init) {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok)
    throw new Error(`${new URL(url).pathname} returned ${response.status}: ${text.slice(0, 200)}`)
}
