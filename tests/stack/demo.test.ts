import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '../../scripts/lib/paths.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { seedDemo } from '../../stack/demo/seed.ts'
import { LoginResponse } from '../../supabase/functions/_shared/contract/auth.ts'
import { AutoDraft } from '../../supabase/functions/_shared/contract/auto-posting.ts'
import { AdminCase, Decision, Report } from '../../supabase/functions/_shared/contract/moderation.ts'
import type { Connection } from '../support/connection.ts'
import {
  createTempDir,
  discardStack,
  eventually,
  killStack,
  type StackProcess,
  startStack,
  waitForStartupFailure,
} from '../support/stack-process.ts'
import { sendRawRequest } from './raw-request.ts'

const dataDir = createTempDir()
let stack: StackProcess | undefined
let connection: Connection
let sql: postgres.Sql

beforeAll(async () => {
  const demo = { DEMO_DATA: 'on', CAPTCHA_PROVIDER: 'none' }
  // The first stack is killed while it creates the demo data, so the tests see what the second stack created.
  const interrupted = startStack(dataDir, await freePort(), demo)
  await eventually(async () => expect(interrupted.output()).toContain('Creating the demo data'))
  await sleep(500)
  await killStack(interrupted)
  expect(interrupted.output()).not.toContain('Demo data:')
  stack = startStack(dataDir, interrupted.port, demo)
  connection = await stack.ready()
  expect(stack.output()).toMatch(/Creating the demo data[\s\S]*Demo data:/)
  sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => undefined })
})

afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await discardStack(stack, dataDir)
})

async function countRows() {
  const [row] = await sql<Record<string, number>[]>`
    select
      (select count(*) from auth.users)::int as accounts,
      (select count(*) from public.profiles)::int as people,
      (select count(*) from public.profiles where is_creator)::int as creators,
      (select count(*) from public.profiles where is_admin)::int as admins,
      (select count(distinct content) from public.posts)::int as texts,
      (select count(*) from public.likes)::int as likes,
      (select count(*) from public.follows)::int as follows,
      (select count(*) from public.follow_requests)::int as requests,
      (select count(*) from public.blocks)::int as blocks,
      (select count(*) from public.conversations)::int as conversations,
      (select count(*) from public.messages)::int as messages,
      (select count(*) from public.notifications)::int as notifications,
      (select count(*) from public.media)::int as pictures,
      (select count(*) from public.posts where is_premium)::int as premium,
      (select count(*) from public.unlocks)::int as unlocks,
      (select count(*) from public.comments)::int as comments,
      (select count(*) from public.comment_likes)::int as "commentLikes",
      (select count(*) from public.subscriptions)::int as subscriptions,
      (select count(*) from public.gallery_items)::int as gallery,
      (select count(*) from public.profile_about where country is not null)::int as "peopleWithCountry",
      (select count(*) from public.moderation_cases where state = 'open')::int as cases,
      (select count(*) from public.moderation_cases where state = 'appealed')::int as appeals,
      (select count(*) from public.moderation_cases where decision is not null)::int as decided,
      (select count(*) from public.accounts where suspended_at is not null)::int as suspended,
      (select count(*) from public.accounts where approved_at is not null)::int as approved,
      (select count(*) from private.auto_posting_settings where enabled)::int as "autoPosters",
      (select count(*) from public.posts where made_by = 'ai')::int as "aiPosts",
      (select count(*) from public.auto_post_drafts where state = 'waiting')::int as drafts,
      (select count(*) from private.ai_key)::int as keys,
      (select count(*) from private.trending_tags where people > 1)::int as topics,
      (select count(*) from realtime.messages)::int as broadcasts`
  if (!row) throw new Error('There are no counts.')
  return row
}

const signIn = (email: string, password: string) =>
  fetch(`${connection.apiUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: connection.apiUrl },
    body: JSON.stringify({ email, password, recaptcha: 'none' }),
  })

/** Signs in as a demo user and returns a function that reads from the API as that user. */
async function readAs(email: string): Promise<(path: string) => Promise<unknown>> {
  const { session } = LoginResponse.parse(await (await signIn(email, 'ovation-demo')).json())
  const headers = { authorization: `Bearer ${session.access_token}` }
  return async (path) => {
    const response = await fetch(`${connection.apiUrl}${path}`, { headers })
    expect(response.status, path).toBe(200)
    return await response.json()
  }
}

describe('demo data', () => {
  test('has enough rows of every kind, and no broadcasts', async () => {
    const counts = await countRows()
    expect(counts).toMatchObject({ creators: 12, admins: 1 })
    for (const [kind, minimum] of [
      ['people', 40],
      ['texts', 300],
      ['conversations', 25],
      ['pictures', 140],
      ['premium', 12],
      ['unlocks', 60],
      ['comments', 300],
      ['commentLikes', 300],
      ['subscriptions', 30],
      ['gallery', 15],
      ['peopleWithCountry', 50],
      ['topics', 10],
    ] as const) {
      expect(counts[kind], kind).toBeGreaterThanOrEqual(minimum)
    }
    for (const kind of ['likes', 'follows', 'requests', 'blocks', 'messages', 'notifications'] as const) {
      expect(counts[kind], kind).toBeGreaterThan(0)
    }
    expect(counts).toMatchObject({ cases: 8, appeals: 2, decided: 17, suspended: 2 })
    // Everyone is approved except the admin and the seven newest users.
    expect(counts.approved).toBe((counts.people ?? 0) - 8)
    expect(counts).toMatchObject({ autoPosters: 3, aiPosts: 11, drafts: 2, keys: 0 })
    expect(counts.broadcasts).toBe(0)
  })

  test.each<Record<string, string>>([
    { host: 'demo.example' },
    { host: 'demo.example:3000' },
    { host: '127.0.0.1.demo.example' },
    { host: 'localhost', 'x-forwarded-host': 'demo.example' },
  ])('is not served at other host names, such as that of a tunnel: %o', async (headers) => {
    const socket = `/realtime/v1/websocket?vsn=1.0.0&apikey=${connection.publishableKey}`
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const key = { 'sec-websocket-key': randomBytes(16).toString('base64') }
    const { port } = new URL(connection.apiUrl)
    const send = (path: string, more = {}) => sendRawRequest(Number(port), path, { ...headers, ...more })
    const responses = await Promise.all([
      ...['/', '/assets/x.js', '/api/config', '/api/health', '/rest/v1/profiles', '/auth/v1/user'].map(
        (path) => send(path),
      ),
      send('/storage/v1/object/public/avatars/x'),
      send(socket, { ...upgrade, ...key }),
    ])
    for (const { status, body } of responses) {
      expect(status).toBe(403)
      expect(JSON.parse(body)).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining(`served only at ${connection.apiUrl}. To share it, set PUBLIC_URL`),
      })
    }
    const local = { host: `localhost:${port}`, 'x-forwarded-host': '[::1]:8080' }
    expect((await sendRawRequest(Number(port), '/api/config', local)).status).toBe(200)
  })

  test('is not served at other host names by the services behind the gateway either', async () => {
    const ports: Record<string, number> = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8'))
    for (const name of ['lite', 'dataApi', 'mailbox', 'studio']) {
      const path = {
        mailbox: new URL(connection.mailUrl).pathname,
        studio: new URL(connection.studioUrl).pathname,
      }[name]
      const response = await sendRawRequest(ports[name] ?? 0, path ?? '/', { host: 'demo.example' })
      expect(response.status, name).toBe(403)
    }
  })

  test.each(['creator@demo.test', 'fan@demo.test', 'admin@demo.test'])('lets %s sign in', async (email) => {
    const response = await signIn(email, 'ovation-demo')
    expect(response.status).toBe(200)
    expect(((await response.json()) as { user: { email: string } }).user.email).toBe(email)
    expect((await signIn(email, 'ovation-demo ')).status).toBe(401)
  })

  test('has no password for the other accounts', async () => {
    const rows = await sql<{ email: string; encrypted_password: string }[]>`
      select email, encrypted_password from auth.users
      where email not in ('creator@demo.test', 'fan@demo.test', 'admin@demo.test')`
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.filter((row) => row.encrypted_password !== '')).toEqual([])
    expect((await signIn(rows[0]?.email ?? '', 'ovation-demo')).status).toBe(401)
  })

  test('has correct counters', async () => {
    const mismatches = await sql`
      select p.username from public.profiles p
      join public.profile_counts c on c.user_id = p.id
      join public.user_counters u on u.user_id = p.id
      where c.posts <> (select count(*) from public.posts x where x.author_id = p.id and x.hidden is null)
         or c.followers <> (select count(*) from public.follows x where x.followee_id = p.id)
         or c.following <> (select count(*) from public.follows x where x.follower_id = p.id)
         or u.unread_messages <> (
              select count(*) from public.messages x
              join public.conversation_members m on m.conversation_id = x.conversation_id and m.user_id = p.id
              where x.receiver_id = p.id and x.seq > m.last_read_seq)
         or u.unread_notifications <> (
              select count(*) from public.notifications x
              where x.user_id = p.id and x.read_at is null and x.is_head)`
    expect(mismatches).toEqual([])
    const postMismatches = await sql`
      select p.id from public.posts p
      where p.likes_count <> (select count(*) from public.likes l where l.post_id = p.id)`
    expect(postMismatches).toEqual([])
    const commentMismatches = await sql`
      select c.id from public.comments c
      where c.likes_count <> (select count(*) from public.comment_likes l where l.comment_id = c.id)`
    expect(commentMismatches).toEqual([])
  })

  test('has unread messages and notifications for the fan and the creator', async () => {
    const rows = await sql<{ unread_messages: number; unread_notifications: number }[]>`
      select c.unread_messages, c.unread_notifications from public.user_counters c
      join public.accounts a on a.user_id = c.user_id
      where a.email in ('creator@demo.test', 'fan@demo.test')`
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      expect(row.unread_messages).toBeGreaterThan(0)
      expect(row.unread_notifications).toBeGreaterThan(0)
    }
  })

  test('has a creator with long-standing subscribers, and a ledger that agrees with the payments', async () => {
    const [creator] = await sql`
      select c.subscribers, count(*) filter (where s.state = 'active')::int as active, count(*)::int as total,
             min(s.started_at) < now() - interval '8 months' as long_ago,
             bool_or(f.username = 'marisolq' and s.state = 'active') as fan
      from public.profiles p join public.profile_counts c on c.user_id = p.id
      join public.subscriptions s on s.creator_id = p.id join public.profiles f on f.id = s.subscriber_id
      where p.username = 'noormakes' group by 1`
    expect(creator).toMatchObject({ subscribers: creator?.active, long_ago: true, fan: true })
    expect(creator?.active).toBeGreaterThanOrEqual(8)
    expect(creator?.total).toBeGreaterThan(creator?.active)
    const mismatches = await sql`
      select s.id from public.subscriptions s
      where s.periods <> (select count(*) from public.payments y join public.ledger_transactions t on t.payment_id = y.id
                          where y.subscription_id = s.id and y.state = 'paid' and t.kind = 'subscription')
         or (s.state = 'active') <> (s.period_end > now())`
    expect(mismatches).toEqual([])
    const [ledger] = await sql`select sum(amount_cents)::int as sum from public.ledger_entries`
    expect(ledger?.sum).toBe(0)
  })

  test('shows cases to the admin, reports to the fan, and decisions and drafts to the creator', async () => {
    const { admin, fan, creator } = {
      admin: await readAs('admin@demo.test'),
      fan: await readAs('fan@demo.test'),
      creator: await readAs('creator@demo.test'),
    }
    const open = z.array(AdminCase).parse(await admin('/api/admin/cases?state=open&limit=50'))
    expect(new Set(open.map(({ kind }) => kind))).toEqual(new Set(['post', 'comment', 'message', 'user']))
    expect(open.map(({ since }) => since).filter((since) => since !== 'same')).toEqual(['changed'])
    expect(Math.max(...open.map(({ reports }) => reports))).toBe(5)
    expect(await admin('/api/admin/audit/status')).toMatchObject({ brokenAt: null })
    const reports = z.array(Report).parse(await fan('/api/user/reports'))
    expect(reports.map(({ outcome }) => outcome).sort()).toEqual(['acted', 'dismissed', null])
    const decisions = z.array(Decision).parse(await creator('/api/user/decisions'))
    expect(decisions.map(({ appealOutcome }) => appealOutcome)).toEqual(['overturned'])
    expect(await creator('/api/auto-posts')).toMatchObject({ enabled: true, agreed: true, approves: true })
    const drafts = z.array(AutoDraft).parse(await creator('/api/auto-posts/drafts'))
    expect(drafts.filter(({ state }) => state === 'waiting')).toHaveLength(2)
  })

  test('stores avatars, covers and the images of posts', async () => {
    const rows = await sql<{ path: string }[]>`
      select profile_image_url as path from public.profiles where profile_image_url is not null
      union all select background_image_url from public.profile_details where background_image_url is not null
      union all (select '/api/media/' || p.media_id from public.posts p join public.profiles a on a.id = p.author_id
                 where p.media_id is not null and a.visibility = 'public' limit 20)`
    expect(rows.length).toBeGreaterThan(70)
    for (const { path } of rows) {
      const response = await fetch(connection.apiUrl + path)
      expect(response.status, path).toBe(200)
      expect(response.headers.get('content-type')).toBe('image/webp')
      const maxBytes = path.startsWith('/api/media/') ? 185_000 : 42_000
      expect((await response.arrayBuffer()).byteLength, path).toBeLessThanOrEqual(maxBytes)
    }
  })

  test('has only test money, which is removed by npm run void-test-money', async () => {
    const readAccounts = () => sql<{ account: string; cents: number }[]>`
      select e.account, sum(e.amount_cents)::int as cents from public.ledger_transactions t
      join public.ledger_entries e on e.transaction_id = t.id
      where t.is_test group by 1 having sum(e.amount_cents) <> 0`
    const voidTestMoney = (...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'scripts', 'void-test-money.mjs'), ...args], {
        env: { ...process.env, DATA_DIR: dataDir },
        encoding: 'utf8',
      })
    const before = await readAccounts()
    expect(before.map(({ account }) => account).sort()).toEqual([
      'creator',
      'payouts',
      'platform',
      'processor',
    ])
    expect(await sql`select from public.ledger_transactions where not is_test`).toHaveLength(0)

    // Starting with payments off warns about the remaining test money.
    stack?.process.kill('SIGTERM')
    await stack?.ended
    await sql.end({ timeout: 1 })
    stack = startStack(dataDir, stack?.port ?? 0, { DEMO_DATA: 'on', PAYMENTS_PROVIDER: 'off' })
    connection = await stack.ready()
    sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => undefined })
    await eventually(async () => expect(stack?.output()).toContain(' is ready at '))
    expect(stack.output()).toMatch(
      /There is still test money: \$[1-9]\d*\.\d\d \(creators: \d+, unsettled payouts: 1\)\. .* run npm run void-test-money\./,
    )

    const unconfirmed = voidTestMoney()
    expect([unconfirmed.status, unconfirmed.stdout, unconfirmed.stderr]).toEqual([
      1,
      expect.stringMatching(/^Test money: \$\d+\.\d\d \(creators: \d+, unsettled payouts: 1\)\. /),
      expect.stringContaining('npm run void-test-money -- --yes'),
    ])
    expect(await readAccounts()).toEqual(before)

    const confirmed = voidTestMoney('--yes')
    expect([confirmed.status, confirmed.stderr]).toEqual([0, ''])
    const announced = /^Test money: (.*?)\. /.exec(unconfirmed.stdout)?.[1] ?? 'none'
    expect(confirmed.stdout).toContain(`Removed test money: ${announced}.\n`)
    expect(await readAccounts()).toEqual([])
    expect(
      await sql`select from public.creator_balances where total_cents <> 0 or test_cents <> 0`,
    ).toHaveLength(0)
    expect(await sql`select from public.payouts where state = 'requested'`).toHaveLength(0)
    const readState = () => sql`
      select private.verify_audit_chain() is null as intact,
             (select count(*)::int from public.ledger_transactions) as transactions,
             (select count(*)::int from public.audit_entries where action = 'test_money.void') as voided`
    const state = await readState()
    expect(state[0]).toMatchObject({ intact: true, voided: 1 })

    const repeated = voidTestMoney('--yes')
    expect([repeated.status, repeated.stdout]).toEqual([0, 'No creator has test money.\n'])
    expect(await readState()).toEqual(state)

    // Two concurrent calls remove the platform's test money only once.
    await sql`
      select private.book_transaction('given_up', null, null, null, array[
        ('processor', null, 'payment', -500)::private.ledger_line,
        ('platform', null, 'given_up', 500)::private.ledger_line], test_money => true)`
    const other = postgres(connection.databaseUrl, { max: 1, onnotice: () => undefined })
    try {
      let second: Promise<unknown> = Promise.resolve()
      await sql.begin(async (tx) => {
        await tx`select private.void_test_money()`
        second = other`select private.void_test_money()`.execute()
        await eventually(async () => {
          const waiting = await tx`select from pg_locks where not granted`
          expect(waiting).toHaveLength(1)
        })
      })
      await second
    } finally {
      await other.end()
    }
    expect(await readAccounts()).toEqual([])
  })

  test('is created once, in one transaction', async () => {
    const before = await countRows()
    // The paths are only recorded, because the files are already stored and their paths are the same each time.
    const paths = new Set<string>()
    const seed = () =>
      seedDemo({
        databaseUrl: connection.databaseUrl,
        encryptionKeys: [randomBytes(32).toString('hex')],
        log: () => undefined,
        storage: async (bucket, path) => void paths.add(`${bucket}/${path}`),
      })
    await seed()
    expect(await countRows()).toEqual(before)

    // Triggers prevent truncating the ledger.
    await sql`set session_replication_role = replica`
    await sql`truncate auth.users, public.conversations, public.payments, public.subscriptions, public.payouts,
      public.audit_entries, public.moderation_cases cascade`
    await sql`set session_replication_role = origin`
    await sql`alter table public.notifications add constraint full_disk check (kind <> 'message')`
    await expect(seed()).rejects.toThrow('full_disk')
    expect((await countRows()).accounts).toBe(0)

    await sql`alter table public.notifications drop constraint full_disk`
    await seed()
    // Likes and notifications depend on the current time.
    const { people, texts, follows, requests, blocks, messages, gallery, peopleWithCountry } = before
    const same = { people, texts, follows, requests, blocks, messages, gallery, peopleWithCountry }
    expect(await countRows()).toMatchObject(same)
    const stored = await sql<
      { path: string }[]
    >`select o.bucket_id || '/' || o.name as path from storage.objects o`
    expect([...paths].sort()).toEqual(stored.map(({ path }) => path).sort())
  })

  test('is refused on a public server', async () => {
    stack?.process.kill('SIGTERM')
    await stack?.ended
    const exposed = startStack(dataDir, await freePort(), { PUBLIC_URL: 'https://ovation.example' })
    const { code, lines } = await waitForStartupFailure(exposed)
    expect(code).toBe(1)
    expect(lines).toEqual([
      `${dataDir} has demo accounts, whose password is public. Use another DATA_DIR, or run npm run reset.`,
    ])
  })
})
