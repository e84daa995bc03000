import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertPost,
  insertUser,
  runAs,
  runAsService,
  type SessionUser,
  sql,
} from './database.ts'
import { insertComment } from './moderation-helpers.ts'

// Tests the rules for personal access tokens that the database itself enforces.

type Scope = 'read' | 'write' | 'messages'

let owner: SessionUser
let stranger: SessionUser
let admin: SessionUser
let postId: string
let commentId: string

beforeAll(async () => {
  ;[owner, stranger, admin] = await Promise.all([insertUser(), insertUser(), insertUser({ admin: true })])
  postId = await insertPost(owner)
  commentId = await insertComment(owner, postId)
})

/** Inserts a token for a user. Returns the token's ID and a function that runs transactions with its claims. */
async function insertToken(user: SessionUser, scopes: Scope[], expiresAt: Date | null = null) {
  const [row] = await sql<{ id: string }[]>`
    insert into private.access_tokens (user_id, name, token_hash, scopes, expires_at)
    values (${user.id}, 'Bot', ${randomBytes(32)}, ${scopes}, ${expiresAt}) returning id`
  const id = row?.id ?? ''
  const run: typeof runAs = (_, work) =>
    runAs({ ...user, sessionId: id }, async (tx) => {
      const claims = { sub: user.id, role: 'authenticated', session_id: id, token_scopes: scopes }
      await tx`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
      return await work(tx)
    })
  return { id, run: <T>(work: Parameters<typeof runAs<T>>[1]) => run(null, work) }
}

describe('the `write` scope', () => {
  it('is checked for every table that the Data API exposes', async () => {
    const unchecked = await sql`
      select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
        select from pg_trigger t join pg_proc f on f.oid = t.tgfoid
        -- Before each statement, on insert, delete and update.
        where t.tgrelid = c.oid and f.proname = 'require_write_scope' and t.tgtype & 31 = 30 and t.tgenabled = 'O')`
    expect(unchecked).toEqual([])
  })

  it('is required to write through statements and functions', async () => {
    const reader = await insertToken(owner, ['read'])
    expect(await reader.run((tx) => tx`select id from public.posts where id = ${postId}`)).toHaveLength(1)
    const attempts = [
      () =>
        reader.run(
          (tx) =>
            tx`insert into public.posts (id, author_id, content) values (${randomUUID()}, ${owner.id}, 'x')`,
        ),
      () => reader.run((tx) => tx`delete from public.posts where id = ${postId}`),
      () =>
        reader.run(
          (tx) => tx`insert into public.blocks (blocker_id, blocked_id) values (${owner.id}, ${stranger.id})`,
        ),
      () => reader.run((tx) => tx`select public.toggle_like(${postId})`),
      () => reader.run((tx) => tx`select public.toggle_follow(${stranger.id})`),
      () => reader.run((tx) => tx`select public.toggle_save(${postId})`),
      () => reader.run((tx) => tx`select private.set_reposted(${postId}, true)`),
      () => reader.run((tx) => tx`select private.set_reposted(${postId}, false)`),
      () => reader.run((tx) => tx`select public.toggle_comment_like(${commentId})`),
      () => reader.run((tx) => tx`insert into public.comment_likes (comment_id) values (${commentId})`),
      () => reader.run((tx) => tx`delete from public.comment_likes`),
      () => reader.run((tx) => tx`select private.set_post_pinned(${postId}, true)`),
    ]
    for (const attempt of attempts) expect(await getSqlState(attempt())).toBe('PT403')
    const writer = await insertToken(owner, ['read', 'write'])
    await writer.run((tx) => tx`select public.toggle_like(${postId})`)
    expect(await sql`select from public.likes where post_id = ${postId}`).toHaveLength(1)
  })
})

describe('the `messages` scope', () => {
  const messageRow = (sender: SessionUser, receiver: SessionUser, content: string) => ({
    id: randomUUID(),
    sender_id: sender.id,
    receiver_id: receiver.id,
    content,
  })

  it('is required to read and to write messages', async () => {
    const first = messageRow(stranger, owner, 'Hello')
    await runAs(stranger, (tx) => tx`insert into public.messages ${tx(first)}`)
    await sql`
      insert into public.subscriptions (subscriber_id, creator_id, state, price_cents, started_at, period_end)
      values (${stranger.id}, ${owner.id}, 'active', 999, now(), now() + interval '1 month')`
    const countReadable = async (scopes: Scope[]) => {
      const { run } = await insertToken(owner, scopes)
      return await run(async (tx) => [
        (await tx`select from public.messages`).length,
        (await tx`select from public.conversations`).length,
        (await tx`select from public.conversation_members where user_id = ${owner.id}`).length,
        (await tx`select * from private.messages_before(${stranger.id}, null, false, 10)`).length,
        (await tx`select * from private.search_messages('hello', null, null, 10)`).length,
        (await tx`select * from private.list_conversations(null, null, 10)`).length,
        (await tx`select * from private.list_filtered_conversations('unread', null, null, 10)`).length,
        (await tx`select * from private.list_filtered_conversations('requests', null, null, 10)`).length,
        (await tx`select * from private.list_filtered_conversations('subscribers', null, null, 10)`).length,
      ])
    }
    expect(await countReadable(['read', 'write'])).toEqual(Array(9).fill(0))
    expect(await countReadable(['read', 'messages'])).toEqual(Array(9).fill(1))
    const reply = messageRow(owner, stranger, 'Hi')
    for (const scopes of [['read'], ['read', 'messages'], ['read', 'write']] as Scope[][]) {
      const { run } = await insertToken(owner, scopes)
      const code = await getSqlState(run((tx) => tx`insert into public.messages ${tx(reply)}`))
      expect([scopes, code]).toEqual([scopes, scopes.includes('write') ? '42501' : 'PT403'])
    }
    const { run } = await insertToken(owner, ['read', 'write', 'messages'])
    await run((tx) => tx`insert into public.messages ${tx(reply)}`)
  })

  it('is required to read notifications about messages, such as one about an unlocked photo', async () => {
    const reader = await insertUser()
    for (const [kind, messageId] of [
      ['message', randomUUID()],
      ['reaction', randomUUID()],
      ['unlock', randomUUID()],
      ['unlock', null],
    ] as const) {
      await sql`select private.create_notification(${reader.id}, ${stranger.id}, ${kind}, target_message_id => ${messageId})`
    }
    const countReadable = async (scopes: Scope[]) =>
      await (await insertToken(reader, scopes)).run(
        async (tx) => (await tx`select from public.notifications`).length,
      )
    expect([await countReadable(['read']), await countReadable(['read', 'messages'])]).toEqual([1, 4])
  })

  it('is required to read a moderation decision about a message, because the decision contains the message text', async () => {
    const snapshots = [{ seen: { content: 'Reported message' } }]
    const [decided] = await sql<{ id: string }[]>`
      insert into public.moderation_cases (kind, subject_id, user_id, snapshots, state, decision, reason, decided_at)
      values ('message', ${randomUUID()}, ${owner.id}, ${sql.json(snapshots)}, 'decided', 'warn', 'Test', now())
      returning id`
    const read = async (scopes: Scope[]) => {
      const { run } = await insertToken(owner, scopes)
      return await run(
        (tx) => tx`select snapshots from public.moderation_cases where id = ${decided?.id ?? ''}`,
      )
    }
    expect(await read(['read', 'write'])).toEqual([])
    expect(await read(['read', 'messages'])).toEqual([{ snapshots }])
  })
})

describe('a token', () => {
  it('does not count as a sign-in session, and has no admin rights', async () => {
    const { run } = await insertToken(admin, ['read', 'write', 'messages'])
    const attempts = [
      'private.list_access_tokens()',
      `private.create_access_token(null, 'More', sha256('x'), '{read}', 30)`,
      `private.revoke_access_token(gen_random_uuid())`,
      'private.end_other_sessions()',
      'private.end_own_session(gen_random_uuid())',
      `private.begin_email_change('new@example.test', 'token')`,
      'private.delete_own_account(true)',
      'private.consume_export_limit()',
      'private.export_unlinked_records()',
      'private.set_payout_schedule(true)',
      'private.require_admin()',
    ]
    for (const attempt of attempts) {
      expect([attempt, await getSqlState(run((tx) => tx.unsafe(`select ${attempt}`)))]).toEqual([
        attempt,
        'PT403',
      ])
    }
    expect(await run((tx) => tx`select private.is_admin() as is_admin`)).toEqual([{ is_admin: false }])
    expect(await run((tx) => tx`select user_id from public.accounts`)).toEqual([{ user_id: admin.id }])
    expect(
      await run(
        (tx) => tx`select private.can_read_topic(${`user:${admin.id}`}) as joins,
      private.is_sign_in_session_active() as signed_in`,
      ),
    ).toEqual([{ joins: true, signed_in: false }])
  })

  it('cannot be used without its `token_scopes` claim, by another user, or after it expires or is revoked', async () => {
    const isActive = async (run: (work: Parameters<typeof runAs>[1]) => Promise<unknown>) =>
      await run((tx) => tx`select private.is_session_active() as active`)
    const token = await insertToken(owner, ['read'])
    expect(await isActive(token.run)).toEqual([{ active: true }])
    // These claims have the token's ID as their session ID, but no `token_scopes`.
    expect(await isActive((work) => runAs({ ...owner, sessionId: token.id }, work))).toEqual([
      { active: false },
    ])
    const foreign = { sub: stranger.id, role: 'authenticated', session_id: token.id, token_scopes: ['read'] }
    expect(
      await runAs(stranger, async (tx) => {
        await tx`select set_config('request.jwt.claims', ${JSON.stringify(foreign)}, true)`
        return await tx`select private.is_session_active() as active`
      }),
    ).toEqual([{ active: false }])
    await sql`delete from private.access_tokens where id = ${token.id}`
    expect(await isActive(token.run)).toEqual([{ active: false }])
    const expired = await insertToken(owner, ['read'], new Date(Date.now() - 1000))
    expect(await isActive(expired.run)).toEqual([{ active: false }])
  })

  it('is rate-limited by a transaction whose commit does not wait for the disk', async () => {
    // Concurrent requests with the same token wait for each other to commit, so each commit must be fast.
    const { id } = await insertToken(owner, ['read'])
    const [stored] = await sql<{ token_hash: Buffer }[]>`
      select token_hash from private.access_tokens where id = ${id}`
    const hash = stored?.token_hash ?? null
    const used = await runAsService(async (tx) => [
      ...(await tx`select id, wait from private.use_access_token(${hash})`),
      ...(await tx`show synchronous_commit`),
    ])
    expect(used).toEqual([{ id, wait: 0 }, { synchronous_commit: 'off' }])
  })

  it('is revoked when all sessions end, the password changes, or the account is suspended or deleted', async () => {
    const user = await insertUser()
    const countTokens = async () =>
      (await sql`select from private.access_tokens where user_id = ${user.id}`).length
    await insertToken(user, ['read'])
    await sql`select private.end_all_sessions(${user.id})`
    expect(await countTokens()).toBe(0)
    await insertToken(user, ['read'])
    await sql`update auth.users set encrypted_password = encrypted_password, updated_at = now() where id = ${user.id}`
    expect(await countTokens()).toBe(1)
    await sql`update auth.users set encrypted_password = 'changed' where id = ${user.id}`
    expect(await countTokens()).toBe(0)
    await insertToken(user, ['read'])
    await sql`update public.accounts set suspended_at = now(), suspension_reason = 'Spam' where user_id = ${user.id}`
    expect(await countTokens()).toBe(0)
    await insertToken(user, ['read'])
    await sql`delete from auth.users where id = ${user.id}`
    expect(await countTokens()).toBe(0)
  })
})

const createToken = (user: SessionUser) =>
  runAs(
    user,
    (tx) => tx`
      select private.create_access_token(private.password_fingerprint(), 'Bot', ${randomBytes(32)}, '{read}', 30)`,
  )

it('no token is created if the password was changed after the password check', async () => {
  const user = await insertUser()
  await runAs(user, async (tx) => {
    const [checked] = await tx`select private.password_fingerprint() as fingerprint`
    await sql`update auth.users set encrypted_password = 'changed' where id = ${user.id}`
    const create = tx.savepoint(
      (savepoint) => savepoint`
        select private.create_access_token(${checked?.fingerprint}, 'Bot', ${randomBytes(32)}, '{read}', 30)`,
    )
    expect(await getSqlState(create)).toBe('PT409')
  })
  await createToken(user)
})

it('a user can have at most 20 tokens, even with concurrent calls', async () => {
  const user = await insertUser()
  const create = () => createToken(user)
  for (let count = 0; count < 18; count += 1) await create()
  const results = await Promise.allSettled(Array.from({ length: 5 }, create))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await getSqlState(create())).toBe('PT409')
  // An expired token does not count toward the limit.
  await sql`update private.access_tokens set expires_at = now() where id = (
    select id from private.access_tokens where user_id = ${user.id} limit 1)`
  await create()
})

it('no token is created while all of the user’s tokens are being revoked', async () => {
  const user = await insertUser()
  const create = () => createToken(user)
  await create()
  let created: Promise<string> | undefined
  await sql.begin(async (tx) => {
    await tx`select private.end_all_sessions(${user.id})`
    created = getSqlState(create())
    await expect
      .poll(
        async () =>
          (
            await sql`
        select from pg_locks where locktype = 'advisory' and not granted and pid <> pg_backend_pid()`
          ).length,
      )
      .toBeGreaterThan(0)
  })
  expect(await created).toBe('PT401')
  expect(await sql`select from private.access_tokens where user_id = ${user.id}`).toEqual([])
})
