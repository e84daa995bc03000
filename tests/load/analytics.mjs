import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { signIn } from './callers.mjs'

// How long each card of Analytics takes for a creator with a million views, and what reporting views costs the feed:
// `node tests/load/analytics.mjs <connection.json>` of a running stack whose data may be thrown away.

const [, , connectionFile] = process.argv
if (!connectionFile) throw new Error('Name the connection.json of a running stack.')
const { apiUrl, databaseUrl } = JSON.parse(readFileSync(connectionFile, 'utf8'))
const { jwtSecret } = JSON.parse(readFileSync(join(dirname(connectionFile), 'secrets.json'), 'utf8'))
const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })

const cards = ['overview', 'monthly', 'top-posts', 'audience', 'hours', 'export']

/** Makes somebody with a session; answers who they are, with their token. */
async function makePerson() {
  const [id, name] = [randomUUID(), `b_${randomUUID().replaceAll('-', '').slice(0, 16)}`]
  const meta = { username: name, full_name: 'Bench', phone_number: '+1 555 0100 200', adult_confirmed: true }
  // The address is how `signIn` knows them.
  await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`bench_${name}@example.test`}, ${sql.json(meta)})`
  await sql`insert into auth.sessions (id, user_id) values (gen_random_uuid(), ${id})`
  const found = (await signIn(sql, jwtSecret, 1000)).find(({ userId }) => userId === id)
  if (!found) throw new Error('Nobody was made.')
  return found
}

/** A year of 300 posts with a million views, and what comes with them. @param {string} creator */
async function fillYear(creator) {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update public.profiles set is_creator = true where id = ${creator}`
    await tx`
      insert into public.posts (author_id, content, created_at)
      select ${creator}, 'Post ' || n, now() - (366 - n * 1.2) * interval '1 day' from generate_series(1, 300) n`
    // New posts are seen much, old ones a little every day.
    await tx`
      insert into public.post_days (post_id, author_id, day, views)
      select p.id, p.author_id, d.day::date,
             1 + floor(random() * (9 + 1250 * exp(-extract(epoch from d.day - p.created_at) / 86400 / 3)))
      from public.posts p,
      generate_series(date_trunc('day', p.created_at), date_trunc('day', now()), interval '1 day') d (day)
      where p.author_id = ${creator}`
    await tx`
      insert into public.creator_days (creator_id, day, views, likes, comments, followers, subscribers)
      select d.author_id, d.day, sum(d.views), sum(d.views) / 40, sum(d.views) / 200, 9, 2
      from public.post_days d where d.author_id = ${creator} group by 1, 2`
    await tx`
      insert into public.creator_hours (creator_id, day, hour, views)
      select d.creator_id, d.day, h, d.views / 24 from public.creator_days d, generate_series(0, 23) h
      where d.creator_id = ${creator}`
    await tx`
      insert into public.earning_days (person_id, day, source, gross_cents, fee_cents, sales)
      select d.creator_id, d.day, s, 9990, 1000, 10 from public.creator_days d,
      unnest(array['unlock', 'subscription', 'tip']) s where d.creator_id = ${creator}`
    await tx`
      insert into private.creator_audiences (creator_id, counted_at, age_groups, countries)
      select ${creator}, now(), '[{"range": "18-24", "people": 50}]',
             jsonb_agg(jsonb_build_object('name', 'DE', 'people', n)) from generate_series(1, 100) n`
  })
  await sql`analyze`
  const [row] =
    await sql`select sum(d.views)::int as views from public.creator_days d where d.creator_id = ${creator}`
  return row?.views
}

/**
 * Milliseconds of a call, many times over, one after the other.
 *
 * @param {number} times
 * @param {() => Promise<Response>} ask
 * @param {() => Promise<Response>} [beside] another call that is under way at the same time
 */
async function time(times, ask, beside) {
  /** @type {number[]} */
  const took = []
  for (let n = 0; n < times; n++) {
    const other = beside?.()
    const start = performance.now()
    const answer = await ask()
    await answer.arrayBuffer()
    took.push(performance.now() - start)
    for (const one of [answer, await other]) {
      if (one && !one.ok) throw new Error(`${one.url} answered ${one.status}.`)
    }
  }
  took.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => (took[Math.floor(took.length * share)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

try {
  const creator = await makePerson()
  console.log(`A creator with ${await fillYear(creator.userId)} views:`)
  const headers = { Authorization: `Bearer ${creator.token}` }
  for (const card of cards) {
    const ask = () => fetch(`${apiUrl}/api/analytics/${card}/${creator.userId}?period=1y`, { headers })
    await time(20, ask)
    console.log(`  ${card.padEnd(10)} ${await time(200, ask)}`)
  }

  const viewers = await Promise.all(Array.from({ length: 20 }, makePerson))
  const some = await sql`select p.id from public.posts p order by p.created_at desc limit 500`
  const posts = some.map(({ id }) => id)
  let turn = 0
  const own = () => viewers[turn++ % viewers.length]?.token ?? ''
  const feed = () => fetch(`${apiUrl}/api/posts`, { headers: { Authorization: `Bearer ${own()}` } })
  const report = () =>
    fetch(`${apiUrl}/api/views`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${own()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ postIds: posts.slice((turn * 10) % 490, ((turn * 10) % 490) + 10) }),
    })
  await time(100, feed)
  console.log(`The feed, alone:          ${await time(500, feed)}`)
  console.log(`A report of 10 posts:     ${await time(300, report)}`)
  await sql`delete from private.rate_limits where bucket = 'views'`
  // Far more than pages do: one report with each page of the feed, at the same time.
  console.log(`The feed, with a report:  ${await time(500, feed, report)}`)
  await sql`delete from private.rate_limits where bucket = 'views'`
} finally {
  await sql.end()
}
