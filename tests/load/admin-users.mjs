import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { signIn } from './callers.mjs'

// How long the admins' list of people takes among 100,000 of them:
// `node tests/load/admin-users.mjs <connection.json> [people]` of a running stack whose data may be thrown away.

const [, , connectionFile, given = '100000'] = process.argv
if (!connectionFile) throw new Error('Name the connection.json of a running stack.')
const people = Number(given)
const { apiUrl, databaseUrl } = JSON.parse(readFileSync(connectionFile, 'utf8'))
const { jwtSecret } = JSON.parse(readFileSync(join(dirname(connectionFile), 'secrets.json'), 'utf8'))
const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })

const firstNames = [
  'Anna',
  'Ben',
  'Carla',
  'Dan',
  'Eva',
  'Finn',
  'Hanna',
  'Ivan',
  'José',
  'Zoë',
  'Li',
  'Manuela',
]
const lastNames = ['Smith', 'Lang', 'Okafor', 'Tanaka', 'García', 'Novak', 'Berg', 'Rossi', 'Khan', 'Jansen']

/** Accounts of two years, made by sets and without triggers: every tenth a creator, some unapproved or suspended. */
async function fill() {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      create temp table made on commit drop as
      select i::int as n, gen_random_uuid() as id, random() as luck,
             (${firstNames}::text[])[1 + floor(random() * ${firstNames.length})::int] as first_name,
             (${lastNames}::text[])[1 + floor(random() * ${lastNames.length})::int] as last_name
      from generate_series(1, ${people}::int) i`
    await tx`update made set first_name = 'Xanthippe' where n % 20000 = 7`
    await tx`
      insert into auth.users (id, email)
      select id, 'bench' || n || '@' || (array['example.test', 'mail.test', 'post.test'])[1 + n % 3] from made`
    await tx`insert into auth.sessions (id, user_id) select gen_random_uuid(), id from made where n <= 10`
    await tx`
      insert into public.profiles (id, username, full_name, is_creator, is_admin, created_at)
      select id, lower(left(md5(n::text), 8)) || '_' || n, first_name || ' ' || last_name, luck < 0.1, n = 1,
             now() - interval '2 years' * luck
      from made`
    await tx`insert into public.profile_details (user_id, bio) select id, 'One of many.' from made`
    await tx`insert into public.profile_about (user_id, age) select id, 20 + n % 50 from made`
    await tx`insert into public.profile_counts (user_id) select id from made`
    await tx`insert into public.user_counters (user_id) select id from made`
    await tx`insert into public.person_settings (user_id) select id from made`
    await tx`
      insert into public.accounts (user_id, email, phone_number, adult_confirmed_at, approved_at, suspended_at,
                                   suspension_reason)
      select id, u.email, '0123456789', now(), case when n % 50 <> 0 then now() end,
             case when n % 500 = 0 then now() end, case when n % 500 = 0 then 'Spam' end
      from made join auth.users u using (id)`
    await tx`insert into private.account_search select s.* from private.searched_accounts s join made on s.user_id = id`
    await tx`insert into private.auto_posting (user_id, enabled) select id, true from made where luck < 0.01`
  })
  await sql`vacuum analyze`
}

/**
 * Milliseconds of a call, many times over, one after the other.
 *
 * @param {string} path
 * @param {string} token
 */
async function time(path, token) {
  /** @type {number[]} */
  const took = []
  let total = ''
  for (let n = 0; n < 120; n++) {
    const start = performance.now()
    const answer = await fetch(`${apiUrl}${path}`, { headers: { Authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    // The first ones warm up.
    if (n >= 20) took.push(performance.now() - start)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
    total = answer.headers.get('X-Total-Count') ?? ''
  }
  took.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => (took[Math.floor(took.length * share)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${total} in all`
}

/** The cursor behind a page that begins far down. @param {string} token */
async function deepCursor(token) {
  const answer = await fetch(`${apiUrl}/api/admin/users?offset=${people - 1000}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return answer.headers.get('X-Next-Cursor') ?? ''
}

try {
  await sql.unsafe('set statement_timeout = 0')
  await fill()
  const callers = await signIn(sql, jwtSecret, 1000)
  const [admin] = await sql`select id from public.profiles where is_admin and username like '%\\_1'`
  const token = callers.find(({ userId }) => userId === admin?.id)?.token ?? ''
  const pages = {
    'first page': '',
    'deep page, by cursor': `?cursor=${encodeURIComponent(await deepCursor(token))}`,
    'deep page, by offset': `?offset=${people - 1000}`,
    "search 'an'": '?search=an',
    "search 'anna'": '?search=anna',
    "search 'jose', first name with an accent": '?search=jose',
    'search for a rare name': '?search=xanthippe',
    'search for a part of an email': '?search=bench777',
    'search for what is in every email': '?search=bench',
    'search for nobody': '?search=nobodyatall',
    creators: '?filter=creators',
    "creators with 'an'": '?filter=creators&search=an',
    admins: '?filter=admins',
    suspended: '?filter=suspended',
    unapproved: '?filter=unapproved',
    'auto-posting': '?filter=auto_posting',
  }
  for (const [name, query] of Object.entries(pages)) {
    console.log(`${name.padEnd(42)} ${await time(`/api/admin/users${query}`, token)}`)
  }
  console.log(`${'numbers at the head'.padEnd(42)} ${await time('/api/admin/stats', token)}`)
} finally {
  await sql.end()
}
