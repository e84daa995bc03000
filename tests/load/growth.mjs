import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { createCallers } from './callers.mjs'
import { median } from './report.mjs'

/**
 * @typedef {{ title: string, send: () => Promise<Response>, count: number }} Measurement
 * @typedef {{ title: string, ms: number | null }} GrowthTime the median time of a request, or null if it was refused
 */

/** How many users one user follows. */
const followedCount = 5000

/**
 * Measures what must not become slower with the number of posts and users, one request after the other.
 *
 * @param {{ connectionFile: string, connection: { apiUrl: string, databaseUrl: string, jobsUrl: string,
 *   publishableKey: string } }} stack a stack that was filled with `fillUsers` and `fillPosts`
 * @param {number} count how often each request is repeated
 * @returns {Promise<GrowthTime[]>}
 */
export async function measureGrowth({ connectionFile, connection }, count) {
  const { jobSecret } = JSON.parse(readFileSync(connectionFile, 'utf8'))
  const { jwtSecret } = JSON.parse(readFileSync(join(dirname(connectionFile), 'secrets.json'), 'utf8'))
  const { apiUrl, jobsUrl, publishableKey } = connection
  const sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const [reader, admin] = await createCallers(sql, jwtSecret, 2)
    if (!reader || !admin) throw new Error('There are no callers.')
    await sql`update public.profiles set is_admin = true where id = ${admin.userId}`
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`
        insert into public.follows (follower_id, followee_id)
        select ${reader.userId}, id from bench.users where n <= ${followedCount} and id <> ${reader.userId}
        on conflict do nothing`
    })
    const [deep] = await sql`
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || id as cursor
      from public.posts order by created_at desc, id desc offset (select count(*) / 2 from public.posts) limit 1`
    const get = (/** @type {string} */ path, caller = reader) =>
      fetch(`${apiUrl}${path}`, {
        headers: { Authorization: `Bearer ${caller.token}`, apikey: publishableKey },
      })
    const runJob = (/** @type {string} */ name) =>
      fetch(`${jobsUrl}/${name}`, { method: 'POST', headers: { Authorization: `Bearer ${jobSecret}` } })
    const setApproval = (/** @type {boolean} */ isOn) =>
      fetch(`${apiUrl}/api/admin/settings`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ requireApproval: isOn }),
      })
    const cursor = encodeURIComponent(deep?.cursor ?? '')
    let isApprovalOn = false
    /** @type {Measurement[]} */
    const measurements = [
      { title: 'home feed', send: () => get('/api/posts'), count },
      {
        title: 'home feed, middle of all posts, by cursor',
        send: () => get(`/api/posts?cursor=${cursor}`),
        count,
      },
      { title: 'home feed, offset 5,000', send: () => get('/api/posts?offset=5000'), count },
      { title: 'feed of followed users', send: () => get('/api/posts?feed=following'), count },
      { title: 'users who are followed, of 5,000', send: () => get('/api/user/following-users'), count },
      {
        title: 'Data API: 10 newest posts',
        send: () => get('/rest/v1/posts?select=id,content&order=created_at.desc&limit=10'),
        count,
      },
      {
        title: 'Data API: a profile with counts',
        send: () =>
          get(`/rest/v1/profiles?select=id,username,profile_counts(followers)&id=eq.${reader.userId}`),
        count,
      },
      { title: 'admin: users', send: () => get('/api/admin/users', admin), count },
      {
        title: 'admin: unapproved users',
        send: () => get('/api/admin/users?filter=unapproved', admin),
        count,
      },
      {
        title: 'admin: search for a user',
        send: () => get('/api/admin/users?search=bench_77', admin),
        count,
      },
      { title: 'admin: cases', send: () => get('/api/admin/cases', admin), count },
      { title: 'admin: statistics', send: () => get('/api/admin/stats', admin), count },
      { title: 'job moderation, nothing to do', send: () => runJob('moderation'), count: Math.min(count, 5) },
      { title: 'job clean-up, nothing to do', send: () => runJob('clean-up'), count: Math.min(count, 5) },
      {
        title: 'switch: new accounts need approval',
        send: () => {
          isApprovalOn = !isApprovalOn
          return setApproval(isApprovalOn)
        },
        count: 2,
      },
    ]
    const results = []
    for (const measurement of measurements) results.push(await measure(measurement))
    return results
  } finally {
    await sql.end()
  }
}

/** @param {Measurement} measurement @returns {Promise<GrowthTime>} */
async function measure({ title, send, count }) {
  const times = []
  // The first requests are not measured, because they prepare statements and fill caches.
  for (let index = -Math.min(3, count); index < count; index++) {
    const startedAt = performance.now()
    const response = await send()
    await response.arrayBuffer()
    const ms = performance.now() - startedAt
    if (response.status === 400) return { title, ms: null }
    // 504 is a query that was too slow: it counts with its time.
    if (!response.ok && response.status !== 504)
      throw new Error(`${title}: the API returned ${response.status}.`)
    if (index >= 0) times.push(ms)
  }
  return { title, ms: median(times) }
}
