import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationHeader, call } from '../support/api.ts'
import { sql, stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

/** The kinds of users who might try to read a creator's analytics and earnings. */
const readers = ['visitor', 'stranger', 'follower', 'subscriber', 'blocked', 'admin', 'creator'] as const
type Reader = (typeof readers)[number]

let users: Record<Exclude<Reader, 'visitor'>, TestUser>
let payoutId: string
/** Values that appear only in the creator's analytics, earnings and payout methods. */
const secrets = ['74123', '741.23', 'Private savings account', '•••• 7412']

beforeAll(async () => {
  users = await createUsers('stranger', 'follower', 'subscriber', 'blocked', 'admin', 'creator')
  const { creator, follower, subscriber, blocked, admin } = users
  const [id, day] = [creator.id, '2026-01-02']
  await makeCreator(creator)
  await makeAdmin(admin)
  await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${id})`
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${id}, ${blocked.id})`
  await sql`
    insert into public.subscriptions (subscriber_id, creator_id, state, price_cents, periods, started_at, period_end)
    values (${subscriber.id}, ${id}, 'active', 999, 1, now(), now() + interval '1 month')`
  const [post] = await sql<{ id: string }[]>`
    insert into public.posts (author_id, content) values (${id}, 'Seen') returning id`
  await sql`insert into public.creator_days (creator_id, day, views) values (${id}, ${day}, 74123)`
  await sql`insert into public.creator_hours (creator_id, day, hour, views) values (${id}, ${day}, 5, 74123)`
  await sql`
    insert into private.creator_view_sources (creator_id, day, source, views) values (${id}, ${day}, 'home', 74123)`
  await sql`insert into public.post_days (post_id, author_id, day, views) values (${post?.id ?? ''}, ${id}, ${day}, 74123)`
  await sql`
    insert into private.creator_audiences (creator_id, counted_at, age_groups)
    values (${id}, now(), '[{"range": "18-24", "people": 74123}]')
    on conflict (creator_id) do update set counted_at = excluded.counted_at, age_groups = excluded.age_groups`
  await sql`insert into public.creator_goals (user_id, monthly_cents) values (${id}, 74123)`
  await sql`
    insert into public.creator_plans (user_id, state, price_cents, periods, started_at, period_end)
    values (${id}, 'active', 1999, 1, now(), now() + interval '1 month')`
  await sql`
    with paid as (
      insert into public.payments (kind, payer_id, payee_id, amount_cents, fee_cents, provider, state, settled_at)
      values ('tip', ${subscriber.id}, ${id}, 74123, 7412, 'test', 'paid', now()) returning payments)
    select private.book_payment(payments, 1) from paid`
  payoutId = crypto.randomUUID()
  await sql`
    insert into public.payout_methods (user_id, type, name, masked, is_default)
    values (${id}, 'bank', 'Private savings account', '•••• 7412', true)`
  await sql`insert into public.payout_schedules (user_id) values (${id})`
  await sql`select private.create_payout(${payoutId}, ${id}, 'instant', 6000, m, true) from public.payout_methods m where m.user_id = ${id}`
})

const tokenOf = (reader: Reader) => (reader === 'visitor' ? null : users[reader].token)

/** Reads a table through the Data API as `reader`, and returns how many of the rows contain one of `values`. */
async function countRowsContaining(
  reader: Reader,
  table: string,
  values: readonly string[],
): Promise<number> {
  const client = createTestClient(stack, tokenOf(reader))
  // Clients may not read who settled a payout, so the Data API rejects `*`.
  const rows = client.from(table).select(table === 'payouts' ? 'id, user_id' : '*')
  // An admin can read the payouts of all users, which would not fit in one response.
  const { data } = await (table === 'payouts' ? rows.eq('user_id', users.creator.id) : rows)
  return (data ?? []).filter((row) => values.some((value) => JSON.stringify(row).includes(value))).length
}

describe('the Data API', () => {
  it.each([
    'creator_days',
    'post_days',
    'creator_hours',
    'earning_days',
    'creator_balances',
    'ledger_transactions',
    'ledger_entries',
    'payouts',
    'payout_methods',
    'payout_schedules',
    'creator_goals',
    'creator_plans',
  ])('returns a creator’s rows of %s only to that creator, and payouts also to admins', async (table) => {
    const transactions = await sql<{ id: string }[]>`
      select t.id from public.ledger_transactions t where t.user_id = ${users.creator.id}`
    const ids = [users.creator.id, ...transactions.map(({ id }) => id)]
    const access: Partial<Record<Reader, boolean>> = {}
    for (const reader of readers) access[reader] = (await countRowsContaining(reader, table, ids)) > 0
    const expected = Object.fromEntries(readers.map((reader) => [reader, reader === 'creator']))
    // Admins can read payouts because they settle them. They see a payout's destination only through a call that
    // writes an audit entry.
    expect(access).toEqual({ ...expected, admin: table === 'payouts' })
  })

  it.each([
    'creator_audiences',
    'creator_view_sources',
    'post_views',
    'payout_method_details',
    'payout_destinations',
    'rollups',
  ])('does not expose private.%s', async (table) => {
    const response = await fetch(`${stack.apiUrl}/rest/v1/${table}?select=*`, {
      headers: {
        apikey: stack.publishableKey,
        ...authorizationHeader(users.creator),
        'Accept-Profile': 'private',
      },
    })
    expect(response.status).toBeGreaterThanOrEqual(400)
    for (const role of ['anon', 'authenticated'])
      expect(
        await sql`select where has_table_privilege(${role}, ${`private.${table}`}, 'select')`,
      ).toHaveLength(0)
  })

  it('does not let any API role write to the tables for analytics and money', async () => {
    const [row] = await sql<{ grants: string[] | null }[]>`
      select array_agg(r.role || ' ' || p.privilege || ' ' || t.name) as grants
      from unnest(array['anon', 'authenticated', 'service_role']) r (role),
      unnest(array['insert', 'update', 'delete', 'truncate']) p (privilege),
      unnest(array['creator_days', 'post_days', 'creator_hours', 'earning_days', 'creator_balances',
        'ledger_transactions', 'ledger_entries', 'payouts', 'payout_methods', 'creator_goals', 'creator_plans']) t (name)
      where has_table_privilege(r.role, 'public.' || t.name, p.privilege)`
    expect(row?.grants).toBeNull()
  })
})

describe('analytics and earnings', () => {
  it('have internal functions that no client can call, and other functions that visitors cannot call', async () => {
    // The cast to regproc fails if a function does not exist.
    const callable = (roles: string[], functions: string[]) => sql<{ role: string; name: string }[]>`
      select r.role, f.name from unnest(${roles}::text[]) r (role), unnest(${functions}::text[]) f (name)
      where has_function_privilege(r.role, f.name::regproc, 'execute')`
    const internalFunctions = [
      'private.balance_cents',
      'private.pending_balance_cents',
      'private.book_transaction',
      'private.book_payment',
      'private.create_payout',
      'private.rebuild_balances',
      'private.lock_creators',
      'private.roll_up_views',
      'private.roll_up_days',
      'private.roll_up_audiences',
      'private.create_scheduled_payouts',
      'private.write_audit_entry',
      'private.settle_payment',
      'private.refund_payment',
    ]
    expect(await callable(['anon', 'authenticated'], internalFunctions)).toEqual([])
    const userFunctions = [
      'private.own_audience',
      'private.own_view_sources',
      'private.own_view_sources_since',
      'private.require_analytics_owner',
      'private.analytics_updated_at',
      'private.record_views',
      'private.own_sale',
      'private.own_sale_amounts',
    ]
    expect(await callable(['anon'], userFunctions)).toEqual([])
    for (const name of ['own_audience', 'balance_cents', 'roll_up_days']) {
      const response = await fetch(`${stack.apiUrl}/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: {
          apikey: stack.publishableKey,
          ...authorizationHeader(users.creator),
          'Content-Profile': 'private',
        },
      })
      expect(response.status, name).toBeGreaterThanOrEqual(400)
    }
  })

  it('are returned by the API only to the creator concerned, and the list of all payouts only to admins', async () => {
    const { id } = users.creator
    const analyticsPaths = [
      'overview',
      'monthly',
      'top-posts',
      'audience',
      'hours',
      'recent',
      'sources',
      'export',
    ].map((report) => `/api/analytics/${report}/${id}?period=1y`)
    const paths = [
      ...analyticsPaths,
      '/api/earnings/overview',
      '/api/earnings/days?from=2026-01-01&to=2026-01-31',
      '/api/earnings/transactions',
      '/api/earnings/transactions/export',
      '/api/earnings/goals',
      '/api/payouts',
      '/api/payouts/methods',
      '/api/payouts/schedule',
      '/api/creator-pro',
      `/api/users/${id}`,
      `/api/users/${id}/stats`,
    ]
    for (const reader of readers) {
      const token = tokenOf(reader)
      const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
      const texts = await Promise.all(
        paths.map(async (path) => {
          const response = await call('GET', path, { headers })
          expect(response.status, `${reader} ${path}`).toBeLessThan(500)
          if (reader !== 'creator' && analyticsPaths.includes(path))
            expect(response.status, `${reader} ${path}`).toBe(token ? 403 : 401)
          return await response.text()
        }),
      )
      const leaked = secrets.filter((secret) => texts.some((text) => text.includes(secret)))
      expect(leaked, reader).toEqual(reader === 'creator' ? secrets : [])
      const list = await call('GET', '/api/admin/payouts', { headers })
      expect(list.status, reader).toBe(reader === 'admin' ? 200 : token ? 403 : 401)
      const details = await call('POST', `/api/admin/payouts/${payoutId}/details`, { headers })
      if (reader !== 'admin') expect([401, 403], reader).toContain(details.status)
    }
  })

  it('cause no broadcast when totals are computed or a tip is refunded', async () => {
    const { creator, follower } = users
    const [post] = await sql<{ id: string }[]>`select id from public.posts where author_id = ${creator.id}`
    const postId = post?.id ?? ''
    await sql`
      insert into private.post_views (viewer_id, post_id, hour) values (${follower.id}, ${postId}, '2026-01-02T05:00Z')`
    await sql`insert into public.likes (user_id, post_id) values (${follower.id}, ${postId})`
    const ids = [postId, ...Object.values(users).map(({ id }) => id)]
    const readBroadcasts = () => sql`
      select m.topic, m.event, m.payload from realtime.messages m
      where (m.topic || m.payload::text) like any (select '%' || id || '%' from unnest(${ids}::text[]) id) order by m.id`
    const before = await readBroadcasts()
    // The follow and the like were broadcast.
    expect(before).not.toHaveLength(0)
    await sql`select private.roll_up_views(1000)`
    await sql`select private.roll_up_days(1000)`
    const refunds = await sql`
      select private.refund_payment(p.id) as done from public.payments p
      where p.payee_id = ${creator.id} and p.kind = 'tip'`
    expect(refunds).toEqual([{ done: true }])
    const [totals] = await sql`
      select sum(d.views)::int as views, sum(d.likes)::int as likes from public.creator_days d
      where d.creator_id = ${creator.id}`
    expect(totals).toEqual({ views: 74_124, likes: 1 })
    expect(await readBroadcasts()).toEqual(before)
  })
})
