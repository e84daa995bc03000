import { createCallers } from './callers.mjs'
import { readSecrets, withSql } from './stack.mjs'

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
 * With triggers disabled, inserts accounts registered within the last two years. About one in ten is a creator,
 * and some are unapproved or suspended.
 *
 * @param {import('postgres').Sql} sql a superuser's connection
 * @param {number} userCount
 */
async function fillAccounts(sql, userCount) {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      create temp table new_users on commit drop as
      select i::int as n, gen_random_uuid() as id, random() as random_value,
             (${firstNames}::text[])[1 + floor(random() * ${firstNames.length})::int] as first_name,
             (${lastNames}::text[])[1 + floor(random() * ${lastNames.length})::int] as last_name
      from generate_series(1, ${userCount}::int) i`
    await tx`update new_users set first_name = 'Xanthippe' where n % 20000 = 7`
    await tx`
      insert into auth.users (id, email)
      select id, 'bench' || n || 'a@' || (array['example.test', 'mail.test', 'post.test'])[1 + n % 3] from new_users`
    await tx`insert into auth.sessions (id, user_id) select gen_random_uuid(), id from new_users where n <= 10`
    await tx`
      insert into public.profiles (id, username, full_name, is_creator, is_admin, created_at)
      select id, lower(left(md5(n::text), 8)) || '_' || n, first_name || ' ' || last_name, random_value < 0.1,
             n = 1, now() - interval '2 years' * random_value
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
    await tx`insert into private.auto_posting_settings (user_id, enabled) select id, true from new_users where random_value < 0.01`
  })
  await sql`vacuum analyze`
}

/**
 * Fills a disposable stack with users, and measures requests for the admin user list and the admin statistics.
 *
 * @param {import('./stack.mjs').Stack} stack
 * @param {{ users: number, requests: number }} options `requests` is how many times each request is measured
 * @returns {Promise<{ name: string, times: number[], total: string }[]>} for each request, the times in milliseconds
 *   and the total number of results
 */
export async function measureAdminUsers(stack, { users, requests }) {
  const { jwtSecret } = readSecrets(stack)
  return await withSql(stack.connection.databaseUrl, async (sql) => {
    await sql.unsafe('set statement_timeout = 0')
    await fillAccounts(sql, users)
    const callers = await createCallers(sql, jwtSecret, 1000)
    const [admin] = await sql`select id from public.profiles where is_admin and username like '%\\_1'`
    const token = callers.find(({ userId }) => userId === admin?.id)?.token ?? ''
    const send = (/** @type {string} */ path) =>
      fetch(`${stack.connection.apiUrl}${path}`, { headers: { Authorization: `Bearer ${token}` } })
    // Near the end of the list.
    const deepOffset = users - Math.ceil(users / 100)
    const cursor = (await send(`/api/admin/users?offset=${deepOffset}`)).headers.get('X-Next-Cursor') ?? ''
    const pages = {
      'first page': '',
      'deep page, by cursor': `?cursor=${encodeURIComponent(cursor)}`,
      'deep page, by offset': `?offset=${deepOffset}`,
      "search 'an'": '?search=an',
      "search 'anna'": '?search=anna',
      "search 'jose', first name with an accent": '?search=jose',
      'search for a rare name': '?search=xanthippe',
      'search for part of an email': '?search=bench777',
      'search for a part of every email': '?search=bench',
      'search without results': '?search=nobodyatall',
      'sorted by name': '?sort=name',
      "'anna', sorted by name": '?search=anna&sort=name',
      creators: '?filter=creators',
      'creators, sorted by name': '?filter=creators&sort=name',
      "creators with 'an'": '?filter=creators&search=an',
      admins: '?filter=admins',
      suspended: '?filter=suspended',
      unapproved: '?filter=unapproved',
      'auto-posting': '?filter=auto_posting',
    }
    const paths = Object.entries(pages).map(([name, query]) => ({ name, path: `/api/admin/users${query}` }))
    const results = []
    for (const { name, path } of [...paths, { name: 'statistics', path: '/api/admin/stats' }]) {
      const times = []
      let total = ''
      // The first requests are a warm-up.
      for (let n = -Math.ceil(requests / 5); n < requests; n++) {
        const start = performance.now()
        const response = await send(path)
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`${path} returned ${response.status}.`)
        if (n >= 0) times.push(performance.now() - start)
        total = response.headers.get('X-Total-Count') ?? ''
      }
      results.push({ name, times, total })
    }
    return results
  })
}
