import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { createCallers } from './callers.mjs'
import { formatTimes } from './report.mjs'

// Measures the admin user list with 100,000 users. Fills the database of a running stack, so use a disposable stack:
// `node tests/load/admin-users.mjs <connection.json> [users]`

const [, , connectionFile, userCountArgument = '100000'] = process.argv
if (!connectionFile) throw new Error('Usage: pass the path of a running stack’s connection.json.')
const userCount = Number(userCountArgument)
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

/**
 * Inserts accounts that were registered in the last two years, with triggers off. One in ten is a creator, and some are
 * unapproved or suspended.
 */
async function fillAccounts() {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      create temp table new_users on commit drop as
      select i::int as n, gen_random_uuid() as id, random() as luck,
             (${firstNames}::text[])[1 + floor(random() * ${firstNames.length})::int] as first_name,
             (${lastNames}::text[])[1 + floor(random() * ${lastNames.length})::int] as last_name
      from generate_series(1, ${userCount}::int) i`
    await tx`update new_users set first_name = 'Xanthippe' where n % 20000 = 7`
    await tx`
      insert into auth.users (id, email)
      select id, 'bench' || n || '@' || (array['example.test', 'mail.test', 'post.test'])[1 + n % 3] from new_users`
    await tx`insert into auth.sessions (id, user_id) select gen_random_uuid(), id from new_users where n <= 10`
    await tx`
      insert into public.profiles (id, username, full_name, is_creator, is_admin, created_at)
      select id, lower(left(md5(n::text), 8)) || '_' || n, first_name || ' ' || last_name, luck < 0.1, n = 1,
             now() - interval '2 years' * luck
      from new_users`
    await tx`insert into public.profile_details (user_id, bio) select id, 'One of many.' from new_users`
    await tx`insert into public.profile_about (user_id, age) select id, 20 + n % 50 from new_users`
    await tx`insert into public.profile_counts (user_id) select id from new_users`
    await tx`insert into public.user_counters (user_id) select id from new_users`
    await tx`insert into public.user_settings (user_id) select id from new_users`
    await tx`
      insert into public.accounts (user_id, email, phone_number, adult_confirmed_at, approved_at, suspended_at,
                                   suspension_reason)
      select id, u.email, '0123456789', now(), case when n % 50 <> 0 then now() end,
             case when n % 500 = 0 then now() end, case when n % 500 = 0 then 'Spam' end
      from new_users join auth.users u using (id)`
    await tx`insert into private.account_search select s.* from private.account_search_source s join new_users on s.user_id = id`
    await tx`insert into private.auto_posting_settings (user_id, enabled) select id, true from new_users where luck < 0.01`
  })
  await sql`vacuum analyze`
}

/**
 * Sends a request 120 times in sequence and returns the formatted response times and the number of results.
 *
 * @param {string} path
 * @param {string} token
 */
async function measure(path, token) {
  /** @type {number[]} */
  const times = []
  let total = ''
  for (let n = 0; n < 120; n++) {
    const start = performance.now()
    const response = await fetch(`${apiUrl}${path}`, { headers: { Authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    // The first 20 requests are a warm-up.
    if (n >= 20) times.push(performance.now() - start)
    if (!response.ok) throw new Error(`${path} returned ${response.status}.`)
    total = response.headers.get('X-Total-Count') ?? ''
  }
  return `${formatTimes(times)}, ${total} in total`
}

/** Returns the cursor of a page near the end of the list. @param {string} token */
async function getDeepCursor(token) {
  const response = await fetch(`${apiUrl}/api/admin/users?offset=${userCount - 1000}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return response.headers.get('X-Next-Cursor') ?? ''
}

try {
  await sql.unsafe('set statement_timeout = 0')
  await fillAccounts()
  const callers = await createCallers(sql, jwtSecret, 1000)
  const [admin] = await sql`select id from public.profiles where is_admin and username like '%\\_1'`
  const token = callers.find(({ userId }) => userId === admin?.id)?.token ?? ''
  const pages = {
    'first page': '',
    'deep page, by cursor': `?cursor=${encodeURIComponent(await getDeepCursor(token))}`,
    'deep page, by offset': `?offset=${userCount - 1000}`,
    "search 'an'": '?search=an',
    "search 'anna'": '?search=anna',
    "search 'jose', first name with an accent": '?search=jose',
    'search for a rare name': '?search=xanthippe',
    'search for part of an email': '?search=bench777',
    'search for a part of every email': '?search=bench',
    'search without results': '?search=nobodyatall',
    creators: '?filter=creators',
    "creators with 'an'": '?filter=creators&search=an',
    admins: '?filter=admins',
    suspended: '?filter=suspended',
    unapproved: '?filter=unapproved',
    'auto-posting': '?filter=auto_posting',
  }
  for (const [name, query] of Object.entries(pages)) {
    console.log(`${name.padEnd(42)} ${await measure(`/api/admin/users${query}`, token)}`)
  }
  console.log(`${'statistics'.padEnd(42)} ${await measure('/api/admin/stats', token)}`)
} finally {
  await sql.end()
}
