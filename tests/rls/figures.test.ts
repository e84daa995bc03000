import { createClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/api.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'
import { webSocketTransport } from '../support/websocket-transport.ts'

/** Everybody who might want to know how a creator is doing. */
const readers = ['visitor', 'stranger', 'follower', 'subscriber', 'blocked', 'admin', 'creator'] as const
type Reader = (typeof readers)[number]

let people: Record<Exclude<Reader, 'visitor'>, TestUser>
let payout: string
/** Texts that stand in nothing but the creator's figures. */
const secrets = ['74123', '741.23', 'Account of nobody else', '•••• 7412']

beforeAll(async () => {
  people = await createUsers('stranger', 'follower', 'subscriber', 'blocked', 'admin', 'creator')
  const { creator, follower, subscriber, blocked, admin } = people
  const [id, day] = [creator.id, '2026-01-02']
  await sql`update public.profiles set is_creator = true where id = ${id}`
  await sql`update public.profiles set is_admin = true where id = ${admin.id}`
  await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${id})`
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${id}, ${blocked.id})`
  await sql`
    insert into public.subscriptions (subscriber_id, creator_id, state, price_cents, periods, started_at, period_end)
    values (${subscriber.id}, ${id}, 'active', 999, 1, now(), now() + interval '1 month')`
  const [post] = await sql<{ id: string }[]>`
    insert into public.posts (author_id, content) values (${id}, 'Seen') returning id`
  await sql`insert into public.creator_days (creator_id, day, views) values (${id}, ${day}, 74123)`
  await sql`insert into public.creator_hours (creator_id, day, hour, views) values (${id}, ${day}, 5, 74123)`
  await sql`insert into public.post_days (post_id, author_id, day, views) values (${post?.id ?? ''}, ${id}, ${day}, 74123)`
  await sql`
    insert into private.creator_audiences (creator_id, counted_at, age_groups)
    values (${id}, now(), '[{"range": "18-24", "people": 74123}]')
    on conflict (creator_id) do update set age_groups = excluded.age_groups`
  await sql`insert into public.creator_goals (user_id, monthly_cents) values (${id}, 74123)`
  await sql`
    insert into public.creator_plans (user_id, state, price_cents, periods, started_at, period_end)
    values (${id}, 'active', 1999, 1, now(), now() + interval '1 month')`
  await sql`
    with paid as (
      insert into public.payments (kind, payer_id, payee_id, amount_cents, fee_cents, provider, state, settled_at)
      values ('tip', ${subscriber.id}, ${id}, 74123, 7412, 'test', 'paid', now()) returning payments)
    select private.book_payment(payments, 1) from paid`
  payout = crypto.randomUUID()
  await sql`
    insert into public.payout_methods (user_id, type, name, masked, is_default)
    values (${id}, 'bank', 'Account of nobody else', '•••• 7412', true)`
  await sql`insert into public.payout_schedules (user_id) values (${id})`
  await sql`select private.take_out(${payout}, ${id}, 'instant', 6000, m) from public.payout_methods m where m.user_id = ${id}`
})

const tokenOf = (reader: Reader) => (reader === 'visitor' ? null : people[reader].token)

/** What somebody reads of a table with a client of their own, of rows in which an id or text of these stands. */
async function read(reader: Reader, table: string, marks: readonly string[]): Promise<number> {
  const token = tokenOf(reader)
  const client = createClient(stack.apiUrl, stack.publishableKey, {
    realtime: { transport: webSocketTransport },
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token ? { accessToken: async () => token } : {}),
  })
  // Of payouts, who settled them is told to nobody.
  const rows = client.from(table).select(table === 'payouts' ? 'id, person_id' : '*')
  // An admin reads everybody's: more than one answer holds.
  const { data } = await (table === 'payouts' ? rows.eq('person_id', people.creator.id) : rows)
  return (data ?? []).filter((row) => marks.some((mark) => JSON.stringify(row).includes(mark))).length
}

describe('a creator’s figures by the Data API', () => {
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
  ])('%s: the creator’s own alone', async (table) => {
    const transactions = await sql<{ id: string }[]>`
      select t.id from public.ledger_transactions t where t.person_id = ${people.creator.id}`
    const marks = [people.creator.id, ...transactions.map(({ id }) => id)]
    const found: Partial<Record<Reader, boolean>> = {}
    for (const reader of readers) found[reader] = (await read(reader, table, marks)) > 0
    const wanted = Object.fromEntries(readers.map((reader) => [reader, reader === 'creator']))
    // An operator settles payouts; where they go is told by a call that is noted.
    expect(found).toEqual({ ...wanted, admin: table === 'payouts' })
  })

  it.each(['creator_audiences', 'view_events', 'payout_details', 'payout_targets', 'roll_ups'])(
    'private.%s is no door',
    async (table) => {
      const answer = await fetch(`${stack.apiUrl}/rest/v1/${table}?select=*`, {
        headers: {
          apikey: stack.publishableKey,
          Authorization: `Bearer ${people.creator.token}`,
          'Accept-Profile': 'private',
        },
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      for (const role of ['anon', 'authenticated'])
        expect(
          await sql`select where has_table_privilege(${role}, ${`private.${table}`}, 'select')`,
        ).toHaveLength(0)
    },
  )

  it('are written by no one', async () => {
    const [row] = await sql<{ doors: string[] | null }[]>`
      select array_agg(r.role || ' ' || p.privilege || ' ' || t.name) as doors
      from unnest(array['anon', 'authenticated', 'service_role']) r (role),
      unnest(array['insert', 'update', 'delete', 'truncate']) p (privilege),
      unnest(array['creator_days', 'post_days', 'creator_hours', 'earning_days', 'creator_balances',
        'ledger_transactions', 'ledger_entries', 'payouts', 'payout_methods', 'creator_goals', 'creator_plans']) t (name)
      where has_table_privilege(r.role, 'public.' || t.name, p.privilege)`
    expect(row?.doors).toBeNull()
  })
})

describe('a creator’s figures by functions, calls and topics', () => {
  it('functions that take somebody’s id, or count, are no one’s to call', async () => {
    const rows = await sql<{ role: string; name: string }[]>`
      select r.role, p.proname as name from pg_proc p, unnest(array['anon', 'authenticated']) r (role)
      where p.pronamespace = 'private'::regnamespace and has_function_privilege(r.role, p.oid, 'execute')
        and p.proname in ('balance_of', 'pending_of', 'book', 'book_payment', 'take_out', 'recount_money', 'hold_creators',
          'roll_up_views', 'roll_up_days', 'roll_up_audiences', 'make_scheduled_payouts', 'audit',
          'settle_payment', 'refund_payment')`
    expect(rows).toEqual([])
    const open = await sql`
      select p.proname from pg_proc p where p.pronamespace = 'private'::regnamespace
        and has_function_privilege('anon', p.oid, 'execute')
        and p.proname in ('own_audience', 'require_own_figures', 'figures_counted_at', 'record_views', 'own_sale')`
    expect(open).toEqual([])
    for (const name of ['own_audience', 'balance_of', 'roll_up_days']) {
      const answer = await fetch(`${stack.apiUrl}/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: {
          apikey: stack.publishableKey,
          Authorization: `Bearer ${people.creator.token}`,
          'Content-Profile': 'private',
        },
      })
      expect(answer.status, name).toBeGreaterThanOrEqual(400)
    }
  })

  it('calls tell nothing of it to anybody else', async () => {
    const { id } = people.creator
    const own = ['overview', 'monthly', 'top-posts', 'audience', 'hours', 'export'].map(
      (part) => `/api/analytics/${part}/${id}?period=1y`,
    )
    const paths = [
      ...own,
      '/api/earnings/overview',
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
          const answer = await call('GET', path, { headers })
          expect(answer.status, `${reader} ${path}`).toBeLessThan(500)
          if (reader !== 'creator' && own.includes(path))
            expect(answer.status, `${reader} ${path}`).toBe(token ? 403 : 401)
          return await answer.text()
        }),
      )
      const told = secrets.filter((secret) => texts.some((text) => text.includes(secret)))
      expect(told, reader).toEqual(reader === 'creator' ? secrets : [])
      const list = await call('GET', '/api/admin/payouts', { headers })
      expect(list.status, reader).toBe(reader === 'admin' ? 200 : token ? 403 : 401)
      const details = await call('POST', `/api/admin/payouts/${payout}/details`, { headers })
      if (reader !== 'admin') expect([401, 403], reader).toContain(details.status)
    }
  })

  it('topics are told nothing of what is counted and booked', async () => {
    const { creator, follower, subscriber } = people
    const before = await sql<{ id: string }[]>`select id from realtime.messages where topic like 'user:%'`
    const known = new Set(before.map(({ id }) => id))
    await sql`select private.roll_up_views(1000)`
    await sql`select private.roll_up_days(1000)`
    await sql`
      select private.refund_payment(p.id) from public.payments p where p.payee_id = ${creator.id} and p.kind = 'tip'`
    const sent = await sql<{ id: string; topic: string; payload: unknown }[]>`
      select id, topic, payload from realtime.messages where topic like 'user:%'`
    const about = sent.filter(
      ({ id, topic, payload }) =>
        !known.has(id) &&
        [creator, follower, subscriber].some((who) => topic === `user:${who.id}`) &&
        JSON.stringify(payload).includes(creator.id),
    )
    expect(about).toEqual([])
  })
})
