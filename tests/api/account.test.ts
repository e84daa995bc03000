import { randomUUID } from 'node:crypto'
import { Comment } from '@contract/comment.ts'
import { ChatMessage, Conversation } from '@contract/message.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectClient, subscribeToChannel } from '../realtime/realtime-fixture.ts'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { createFullAccount, type FullAccount } from '../support/full-account-fixture.ts'
import { runJob } from '../support/run-job.ts'
import { clientAddress, registerWithoutRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, createUsers, makeCreator, registrationForm, type TestUser } from '../support/users.ts'

let account: FullAccount

beforeAll(async () => {
  account = await createFullAccount()
  const { owner, friend } = account
  // The owner was reported and warned, and reported another user. Deleting the account must remove the owner's data
  // from these records.
  const [caseAboutOwner, caseAboutFriend] = await sql<{ id: string }[]>`
    insert into public.moderation_cases (kind, subject_id, user_id, snapshots)
    values ('user', ${owner.id}, ${owner.id}, ${sql.json([
      {
        at: '2026-01-04T00:00:00Z',
        seen: { username: owner.username, bio: owner.email, createdAt: owner.id },
      },
    ])}), ('user', ${friend.id}, ${friend.id}, '[]')
    returning id`
  await sql`
    insert into public.reports (case_id, reporter_id, kind, subject_id, reason)
    values (${caseAboutOwner?.id ?? ''}, ${friend.id}, 'user', ${owner.id}, 'spam'),
           (${caseAboutFriend?.id ?? ''}, ${owner.id}, 'user', ${friend.id}, 'other')`
  await sql`select private.write_audit_entry(${friend.id}, 'case.warn', ${owner.id}, ${caseAboutOwner?.id ?? ''})`
})

const deleteAccount = (user: TestUser, body: unknown, headers: Record<string, string> = {}) =>
  call('DELETE', '/api/account', {
    body,
    headers: { ...authorizationHeader(user), ...headers },
  })
const expectDeletionError = (user: TestUser | null, status: number, body: unknown) =>
  apiAs(user).expectError('DELETE', '/api/account', status, { body })
const countSessions = async ({ id }: TestUser) =>
  (await sql`select from auth.sessions where user_id = ${id}`).count
const countFailedSignIns = async ({ email }: TestUser) =>
  (
    await sql<{ hits: number }[]>`
      select sum(hits)::int as hits from private.rate_limits
      where bucket = 'sign_in' and subject = ${`${email} ${clientAddress}`}`
  )[0]?.hits ?? 0

describe('the checks in DELETE /api/account', () => {
  it('require the password and count wrong passwords as failed sign-ins', async () => {
    const { owner } = account
    const before = { sessions: await countSessions(owner), failures: await countFailedSignIns(owner) }
    expect(await expectDeletionError(owner, 401, { password: 'a wrong horse' })).toEqual({
      message: 'Incorrect password.',
      code: 'invalid_credentials',
      errors: { password: ['Incorrect password.'] },
    })
    expect(await countFailedSignIns(owner)).toBe(before.failures + 1)
    expect(await countSessions(owner)).toBe(before.sessions)
    await expectDeletionError(null, 401, { password: owner.password })
    for (const body of [{}, { password: '' }, { password: 7 }, { password: 'x', giveUpBalance: 'yes' }]) {
      await expectDeletionError(owner, 400, body)
    }
    await apiAs(owner).get('/api/auth/user', OwnUser)
  })

  it('reject the deletion if the balance is at least the minimum payout, and end the session that the password check created', async () => {
    const { owner } = account
    const before = await countSessions(owner)
    expect(await expectDeletionError(owner, 409, { password: owner.password })).toEqual({
      message: 'You have $63.00 left. Request a payout first, or forfeit it.',
      code: 'balance_left',
    })
    await expect.poll(() => countSessions(owner)).toBe(before)
    await apiAs(owner).get('/api/auth/user', OwnUser)
  })

  it('reject requests from another origin', async () => {
    const { owner } = account
    const session = Buffer.from(JSON.stringify({ access_token: owner.token })).toString('base64url')
    const headers = { Origin: 'https://example.test', Cookie: `ovation-auth=base64-${session}` }
    const response = await deleteAccount(owner, { password: owner.password }, headers)
    expect(response.status).toBe(403)
    expect((await response.json()) as unknown).toMatchObject({ code: 'origin_refused' })
  })
})

/** Every column that still contains the ID of a deleted account. */
const keptReferences = [
  // Kept with the account's ID, but without the name: admin actions on the account.
  'public.audit_entries.target_id',
  // Kept for the conversation partners, who see the account as “Deleted user”.
  'public.conversation_members.partner_id',
  'public.conversations.user_low or user_high',
  // Kept with the account's ID, but without the name: earnings and the ledger.
  'public.creator_balances.user_id',
  'public.earning_days.user_id',
  'public.ledger_entries.user_id',
  'public.ledger_transactions.user_id',
  // Kept for the conversation partners.
  'public.messages.reactions',
  'public.messages.receiver_id',
  'public.messages.sender_id',
  // Kept with the account's ID, but without the name: moderation cases, payments, payouts, reports and subscriptions.
  'public.moderation_cases.subject_id',
  'public.moderation_cases.user_id',
  'public.payments.payee_id',
  'public.payments.payer_id',
  'public.payouts.user_id',
  'public.reports.reporter_id',
  'public.reports.subject_id',
  'public.subscriptions.creator_id',
  'public.subscriptions.subscriber_id',
  // Kept until Realtime deletes the messages it has sent.
  'realtime.messages.payload',
  'realtime.messages.topic',
]

/** Tables with rows that are deleted with an account, and the column that contains the account's ID. */
const erasedRows = [
  ['auth.users', 'id'],
  ['auth.sessions', 'user_id'],
  ['public.profiles', 'id'],
  ['public.profile_details', 'user_id'],
  ['public.profile_about', 'user_id'],
  ['public.profile_counts', 'user_id'],
  ['public.accounts', 'user_id'],
  ['public.user_settings', 'user_id'],
  ['public.user_counters', 'user_id'],
  ['public.follows', 'follower_id'],
  ['public.follows', 'followee_id'],
  ['public.follow_requests', 'follower_id'],
  ['public.follow_requests', 'followee_id'],
  ['public.blocks', 'blocker_id'],
  ['public.blocks', 'blocked_id'],
  ['public.likes', 'user_id'],
  ['public.reposts', 'user_id'],
  ['public.saves', 'user_id'],
  ['public.unlocks', 'user_id'],
  ['public.posts', 'author_id'],
  ['public.premium_contents', 'author_id'],
  ['public.notifications', 'user_id'],
  ['public.notifications', 'actor_id'],
  ['public.media', 'owner_id'],
  ['public.gallery_items', 'user_id'],
  ['public.payout_methods', 'user_id'],
  ['public.payout_schedules', 'user_id'],
  ['public.creator_goals', 'user_id'],
  ['public.conversation_members', 'user_id'],
  ['private.email_changes', 'user_id'],
  ['private.known_devices', 'user_id'],
  ['private.last_seen', 'user_id'],
] as const
const countStoredRows = async (table: string, column: string, id: string) =>
  (await sql.unsafe(`select from ${table} where ${column} = $1`, [id])).count

/** Returns the names of all tables in which a row contains `text` in any column. */
async function tablesContaining(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sql.unsafe(
      `select from ${name} t where strpos(lower(to_jsonb(t)::text), lower($1)) > 0 limit 1`,
      [text],
    )
    if (rows.count > 0) found.push(name)
  }
  return found
}

describe('DELETE /api/account', () => {
  it('erases, anonymizes and keeps data as documented', async () => {
    const { owner, friend, blocker, ids } = account
    for (const [table, column] of erasedRows) {
      expect([table, column, await countStoredRows(table, column, owner.id)]).not.toEqual([table, column, 0])
    }
    for (const identifier of [owner.id, owner.email]) {
      expect(await tablesContaining(identifier)).toEqual(
        expect.arrayContaining(['auth.audit_log_entries', 'auth.users', 'private.rate_limits']),
      )
    }
    const ledger = () =>
      sql`select id, amount_cents from public.ledger_entries where user_id = ${owner.id} order by id`
    const entriesBefore = await ledger()
    const files = await sql<{ name: string }[]>`
      select name from storage.objects where name like ${`${owner.id}/%`}`
    expect(files.length).toBeGreaterThanOrEqual(account.uploads.length)
    const channel = await subscribeToChannel(await connectClient('2.0.0', owner.token), `user:${owner.id}`, {
      private: true,
    })

    const response = await deleteAccount(
      owner,
      { password: owner.password, giveUpBalance: true },
      { Cookie: 'ovation-auth.0=base64-abc; ovation-auth.1=def; other=1' },
    )
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.getSetCookie()).toEqual(
      ['ovation-auth.0', 'ovation-auth.1'].map((name) => `${name}=; Path=/; Max-Age=0; SameSite=Lax`),
    )

    // The sessions end immediately.
    await channel.statuses.waitFor(({ status }) => status === 'CLOSED')
    await apiAs(owner).expectError('GET', '/api/auth/user', 401)
    await expectDeletionError(owner, 401, { password: owner.password })
    const dataApiResponse = await call('GET', '/rest/v1/profiles?select=id', {
      headers: { apikey: stack.publishableKey, ...authorizationHeader(owner) },
    })
    expect(dataApiResponse.status).toBe(401)
    const refreshed = await call('POST', '/auth/v1/token?grant_type=refresh_token', {
      body: { refresh_token: owner.refreshToken },
      headers: { apikey: stack.publishableKey },
    })
    expect(refreshed.status).toBe(400)

    // The owner's data is deleted, including comments by other users on the owner's posts.
    for (const [table, column] of erasedRows) {
      expect([table, column, await countStoredRows(table, column, owner.id)]).toEqual([table, column, 0])
    }
    await apiAs(friend).expectError('GET', `/api/users/${owner.username}`, 404)
    for (const post of [ids.post, ids.premium]) {
      await apiAs(friend).expectError('GET', `/api/posts/${post}`, 404)
      expect((await sql`select from public.comments where post_id = ${post}`).count).toBe(0)
    }

    // Conversation partners see an anonymous user.
    const messages = (await apiAs(friend).get(`/api/messages/${owner.id}`, z.array(ChatMessage))).body
    expect(messages.map(({ id, content }) => [id, content])).toEqual([
      [ids.message, 'A message to be found'],
      [ids.answer, 'An answer to be found'],
    ])
    expect(messages[0]).toMatchObject({ imageUrl: null, imageWidth: 40 })
    for (const user of [friend, blocker]) {
      const list = (await apiAs(user).get('/api/messages/conversations', z.array(Conversation))).body
      expect(list.find(({ otherUserId }) => otherUserId === owner.id)).toMatchObject({
        otherUser: { displayName: 'Deleted user', username: 'deleted', profileImageUrl: null },
        canMessage: false,
      })
    }
    const comments = (await apiAs(friend).get(`/api/posts/${ids.friendsPost}/comments`, z.array(Comment)))
      .body
    expect(comments).toEqual([
      expect.objectContaining({ id: ids.comment, content: 'A comment to be found', user: null }),
    ])

    // The ledger is kept and records the forfeited balance. Subscriptions end.
    const entriesAfter = await ledger()
    expect(entriesAfter.slice(0, entriesBefore.length)).toEqual(entriesBefore)
    expect(entriesAfter.slice(entriesBefore.length).map((row) => Number(row.amount_cents))).toEqual([-6300])
    const active = await sql`select from public.subscriptions
      where ${owner.id} in (subscriber_id, creator_id) and state <> 'ended'`
    expect(active.count).toBe(0)

    await expect
      .poll(
        async () => {
          await runJob('media')
          return (await sql`select from storage.objects where name like ${`${owner.id}/%`}`).count
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe(0)
    const references = await sql<
      { place: string }[]
    >`select place from private.find_user_references(${owner.id})`
    // Whether `user_low` or `user_high` contains the owner depends on the random IDs of the two users.
    const referencePlaces = references.map(({ place }) =>
      place.replace(/user_(low|high)$/, 'user_low or user_high'),
    )
    expect([...new Set(referencePlaces)]).toEqual(keptReferences)
    const tables = new Set(keptReferences.map((place) => place.split('.').slice(0, 2).join('.')))
    expect(await tablesContaining(owner.id)).toEqual([...tables])
    expect(await tablesContaining(owner.email)).toEqual([])
    const image = await call('GET', account.uploads[0] ?? '')
    expect(image.status).toBe(404)
  })

  it('requires consent to forfeit the balance, even if it comes from a sale that is still being recorded', async () => {
    const { creator, buyer } = await createUsers('creator', 'buyer')
    await makeCreator(creator)
    const post = await createPost(creator, { content: 'Paid for', isPremium: true, premiumPrice: 90 })
    const payment = randomUUID()
    await sql`
      insert into public.payments (id, kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider)
      values (${payment}, 'unlock', ${buyer.id}, ${creator.id}, ${post.id}, 9000, 900, 'test')`
    let commit = () => {}
    const commitSignal = new Promise<void>((resolve) => {
      commit = resolve
    })
    let sale: Promise<unknown> = Promise.resolve()
    await new Promise<void>((recorded, failed) => {
      sale = sql.begin(async (tx) => {
        await tx`select private.settle_payment(${payment}, ${`test_${payment}`})`
        recorded()
        await commitSignal
      })
      sale.catch(failed)
    })
    const deletion = deleteAccount(creator, { password: creator.password })
    const countWaitingDeletions = async () =>
      (
        await sql`select from pg_stat_activity
                  where wait_event_type = 'Lock' and query like '%private.delete_own_account%'`
      ).count
    await expect.poll(countWaitingDeletions).toBeGreaterThan(0)
    commit()
    await sale
    const response = await deletion
    expect([response.status, (await response.json()) as unknown]).toMatchObject([
      409,
      { code: 'balance_left' },
    ])
    expect((await deleteAccount(creator, { password: creator.password, giveUpBalance: true })).status).toBe(
      204,
    )
  })

  it('needs no consent for an account without a balance, and frees the username', async () => {
    const user = await createUser()
    await expectDeletionError(user, 401, { password: 'wrong' })
    const response = await deleteAccount(user, { password: user.password })
    expect(response.status).toBe(204)
    expect((await sql`select from public.profiles where id = ${user.id}`).count).toBe(0)
    const { username } = user
    const body = await registrationForm({ username })
    expect((await registerWithoutRateLimit(() => call('POST', '/api/auth/register', { body }))).status).toBe(
      201,
    )
    await sql`delete from auth.users u using public.profiles p where p.id = u.id and p.username = ${username}`
  })
})
