import type postgres from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'
import { insertPremiumPost } from './payment-helpers.ts'

let ana: SessionUser
let ben: SessionUser
let admin: SessionUser
beforeAll(async () => {
  ;[ana, ben, admin] = await Promise.all([insertUser(), insertUser(), insertUser({ admin: true })])
})
describe('the database', () => {
  it.each([
    ['is_admin', 'true'],
    ['is_creator', 'true'],
    ['username', "'other_name'"],
    ['full_name', "'Other Name'"],
    ['created_at', 'now()'],
  ])('rejects an update of one’s own profiles.%s, even by an admin', async (column, value) => {
    for (const user of [ana, admin]) {
      const attempt = runAs(user, (tx) =>
        tx.unsafe(`update public.profiles set ${column} = ${value} where id = '${user.id}'`),
      )
      expect(await getSqlState(attempt)).toBe('42501')
    }
  })

  it.each(['likes_count = 5', 'comments_count = 5', "content = 'x'", 'is_premium = true'])(
    'rejects an update of posts that sets %s',
    async (change) => {
      await insertPost(ana)
      expect(await getSqlState(runAs(ana, (tx) => tx.unsafe(`update public.posts set ${change}`)))).toBe(
        '42501',
      )
    },
  )

  it.each([
    'profile_details',
    'profile_counts',
    'accounts',
    'user_counters',
    'notifications',
    'conversations',
    'conversation_members',
  ])('rejects inserts and deletes in %s', async (table) => {
    expect(await getSqlState(runAs(ana, (tx) => tx.unsafe(`delete from public.${table}`)))).toBe('42501')
    expect(
      await getSqlState(runAs(ana, (tx) => tx.unsafe(`insert into public.${table} default values`))),
    ).toBe('42501')
  })

  it('rejects a new post with likes, a date or a price', async () => {
    for (const extra of [
      'likes_count) values (9',
      "created_at) values ('2000-01-01'",
      'premium_price) values (5',
    ]) {
      expect(await getSqlState(runAs(ana, (tx) => tx.unsafe(`insert into public.posts (${extra})`)))).toBe(
        '42501',
      )
    }
  })

  it('rejects premium content whose author differs from the post’s author, even from the superuser', async () => {
    const [anasPostId, bensPostId] = await Promise.all([insertPremiumPost(ana, 5), insertPremiumPost(ben, 5)])
    const attempts = [
      sql`update public.premium_contents set author_id = ${ben.id} where post_id = ${anasPostId}`,
      sql`insert into public.premium_contents (post_id, author_id) values (${await insertPost(ana)}, ${ben.id})`,
    ]
    for (const attempt of attempts) expect(await getSqlState(attempt)).toBe('23514')
    const rows = await sql`
      select post_id, author_id from public.premium_contents where post_id = any(${[anasPostId, bensPostId]}::uuid[])`
    expect(Object.fromEntries(rows.map((row) => [row.post_id, row.author_id]))).toEqual({
      [anasPostId]: ana.id,
      [bensPostId]: ben.id,
    })
  })
})

describe('a user', () => {
  it('cannot update the visibility of another user, even as an admin', async () => {
    for (const user of [ben, admin]) {
      await runAs(user, (tx) => tx`update public.profiles set visibility = 'private' where id = ${ana.id}`)
    }
    const [row] = await sql`select visibility from public.profiles where id = ${ana.id}`
    expect(row?.visibility).toBe('public')
  })

  it('cannot post as another user, or delete another user’s post, even as an admin', async () => {
    const forged = runAs(
      ben,
      (tx) => tx`insert into public.posts (author_id, content) values (${ana.id}, 'forged')`,
    )
    expect(await getSqlState(forged)).toBe('42501')
    const id = await insertPost(ana)
    await runAs(ben, (tx) => tx`delete from public.posts where id = ${id}`)
    await runAs(admin, (tx) => tx`delete from public.posts where id = ${id}`)
    expect(await sql`select 1 from public.posts where id = ${id}`).toHaveLength(1)
    await runAs(ana, (tx) => tx`delete from public.posts where id = ${id}`)
    expect(await sql`select 1 from public.posts where id = ${id}`).toHaveLength(0)
  })

  it('cannot like, save, follow, request to follow or block as another user', async () => {
    const id = await insertPost(ana)
    for (const statement of [
      `insert into public.likes (post_id, user_id) values ('${id}', '${ana.id}')`,
      `insert into public.saves (post_id, user_id) values ('${id}', '${ana.id}')`,
      `insert into public.follows (follower_id, followee_id) values ('${ana.id}', '${ben.id}')`,
      `insert into public.follow_requests (follower_id, followee_id) values ('${ana.id}', '${ben.id}')`,
      `insert into public.blocks (blocker_id, blocked_id) values ('${ana.id}', '${ben.id}')`,
    ]) {
      expect(await getSqlState(runAs(ben, (tx) => tx.unsafe(statement)))).toBe('42501')
    }
  })

  it('cannot like or save a post that is not visible to them', async () => {
    const hidden = await insertUser({ visibility: 'private' })
    const id = await insertPost(hidden)
    expect(await getSqlState(runAs(ben, (tx) => tx`insert into public.likes (post_id) values (${id})`))).toBe(
      '42501',
    )
    expect(await getSqlState(runAs(ben, (tx) => tx`select public.toggle_like(${id})`))).toBe('PT404')
    expect(await getSqlState(runAs(ben, (tx) => tx`select public.toggle_save(${id})`))).toBe('PT404')
  })

  it('cannot see who liked or saved their posts, requested to follow another user, or blocked someone', async () => {
    const [author, fan, hidden] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser({ visibility: 'followers' }),
    ])
    const id = await insertPost(author)
    await runAs(fan, (tx) => tx`select public.toggle_like(${id}), public.toggle_save(${id})`)
    await runAs(fan, (tx) => tx`select public.toggle_follow(${hidden.id})`)
    await runAs(fan, (tx) => tx`insert into public.blocks (blocked_id) values (${ben.id})`)
    for (const table of ['likes', 'saves', 'follow_requests', 'blocks']) {
      expect(await runAs(author, (tx) => tx`select * from ${tx(`public.${table}`)}`)).toHaveLength(0)
    }
    // Blocked users cannot see that they are blocked.
    expect(await runAs(ben, (tx) => tx`select * from public.blocks`)).toHaveLength(0)
  })

  it('loses all access with the next transaction after the session ends', async () => {
    const signedOut = await insertUser()
    const id = await insertPost(signedOut)
    await sql`delete from auth.sessions where id = ${signedOut.sessionId}`
    expect(await runAs(signedOut, (tx) => tx`select 1 from public.posts where id = ${id}`)).toHaveLength(0)
    expect(await runAs(signedOut, (tx) => tx`select 1 from public.accounts`)).toHaveLength(0)
    expect(
      await getSqlState(runAs(signedOut, (tx) => tx`insert into public.posts (content) values ('late')`)),
    ).toBe('42501')
    expect(
      await getSqlState(
        runAs(
          signedOut,
          (tx) => tx`insert into public.messages (receiver_id, content) values (${ana.id}, 'late')`,
        ),
      ),
    ).toBe('PT403')
    // Another user's session does not grant access.
    const borrowed = { ...signedOut, sessionId: ana.sessionId }
    expect(await runAs(borrowed, (tx) => tx`select 1 from public.profiles`)).toHaveLength(0)
  })

  it('can read and block but not post, follow or message while the account is read-only', async () => {
    const readOnly = await insertUser()
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${readOnly.id}`
    expect(
      await runAs(readOnly, (tx) => tx`select 1 from public.profiles where id = ${ana.id}`),
    ).toHaveLength(1)
    expect(
      await getSqlState(runAs(readOnly, (tx) => tx`insert into public.posts (content) values ('no')`)),
    ).toBe('PT403')
    expect(await getSqlState(runAs(readOnly, (tx) => tx`select public.toggle_follow(${ana.id})`))).toBe(
      'PT403',
    )
    expect(
      await getSqlState(
        runAs(
          readOnly,
          (tx) => tx`insert into public.messages (receiver_id, content) values (${ana.id}, 'no')`,
        ),
      ),
    ).toBe('PT403')
    expect(
      await getSqlState(
        runAs(readOnly, (tx) => tx`insert into public.follows (followee_id) values (${ana.id})`),
      ),
    ).toBe('42501')
    await runAs(readOnly, (tx) => tx`insert into public.blocks (blocked_id) values (${ben.id})`)
  })
})

describe('following', () => {
  it('takes effect for a public profile, sends a request for a private one, and can be withdrawn', async () => {
    const [fan, publicUser, privateUser] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser({ visibility: 'private' }),
    ])
    const toggle = (target: SessionUser) =>
      runAs(fan, (tx) => tx<{ toggle_follow: string }[]>`select public.toggle_follow(${target.id})`).then(
        (rows) => rows[0]?.toggle_follow,
      )
    expect(await toggle(publicUser)).toBe('following')
    expect(await toggle(publicUser)).toBe('none')
    expect(await toggle(privateUser)).toBe('requested')
    expect(await toggle(privateUser)).toBe('none')
  })

  it('requires the followed user to accept the request if their profile is not public', async () => {
    const [fan, privateUser] = await Promise.all([insertUser(), insertUser({ visibility: 'followers' })])
    const forced = runAs(fan, (tx) => tx`insert into public.follows (followee_id) values (${privateUser.id})`)
    expect(await getSqlState(forced)).toBe('42501')
    // The requester cannot accept the request.
    await runAs(fan, (tx) => tx`select public.toggle_follow(${privateUser.id})`)
    const [selfAccepted] = await runAs(
      fan,
      (tx) => tx`select private.accept_follow_request(${fan.id}) as done`,
    )
    expect(selfAccepted?.done).toBe(false)
    const [accepted] = await runAs(
      privateUser,
      (tx) => tx`select private.accept_follow_request(${fan.id}) as done`,
    )
    expect(accepted?.done).toBe(true)
    expect(
      await sql`select 1 from public.follows where follower_id = ${fan.id} and followee_id = ${privateUser.id}`,
    ).toHaveLength(1)
  })

  it('ends with a block and is refused afterwards', async () => {
    const [fan, followee] = await Promise.all([insertUser(), insertUser()])
    await insertFollow(fan, followee)
    await runAs(followee, (tx) => tx`insert into public.blocks (blocked_id) values (${fan.id})`)
    expect(await sql`select 1 from public.follows where follower_id = ${fan.id}`).toHaveLength(0)
    expect(await getSqlState(runAs(fan, (tx) => tx`select public.toggle_follow(${followee.id})`))).toBe(
      'PT404',
    )
    expect(
      await getSqlState(
        runAs(fan, (tx) => tx`insert into public.follows (followee_id) values (${followee.id})`),
      ),
    ).toBe('42501')
    expect(await getSqlState(runAs(followee, (tx) => tx`select public.toggle_follow(${fan.id})`))).toBe(
      'PT404',
    )
  })

  it('notifies the followed user only once, even if it is repeated', async () => {
    const [fan, followee] = await Promise.all([insertUser(), insertUser()])
    const toggle = () => runAs(fan, (tx) => tx`select public.toggle_follow(${followee.id})`)
    await toggle()
    await runAs(
      followee,
      async (tx) => tx`select private.mark_notification_read(n.id) from public.notifications n`,
    )
    await toggle()
    await toggle()
    const rows =
      await sql`select read_at is not null as read from public.notifications where user_id = ${followee.id}`
    expect(rows.map((row) => row.read)).toEqual([true])
  })

  it('is refused if users try to follow themselves', async () => {
    expect(await getSqlState(runAs(ana, (tx) => tx`select public.toggle_follow(${ana.id})`))).toBe('PT400')
  })
})

describe('the result of a session check', () => {
  it('is cached only for the same claims in the same transaction', async () => {
    const [user, signedOut] = await Promise.all([insertUser(), insertUser()])
    await sql`delete from auth.sessions where id = ${signedOut.sessionId}`
    const isActive = async (tx: postgres.TransactionSql) =>
      (await tx<{ active: boolean }[]>`select private.is_session_active() as active`)[0]?.active
    const setting = async (tx: postgres.TransactionSql) =>
      (await tx`select coalesce(current_setting('private.active_session', true), '') as setting`)[0]?.setting
    // Runs several transactions on one connection, as a pool does, by sending `begin` and `commit` as statements.
    const connection = await sql.reserve()
    const asUser = async ({ id, sessionId }: SessionUser) => {
      const claims = JSON.stringify({ sub: id, role: 'authenticated', session_id: sessionId })
      await connection`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true),
        set_config('request.jwt.claim.sub', ${id}, true)`
    }
    const tx = connection as unknown as postgres.TransactionSql
    try {
      await connection`begin`
      await asUser(user)
      expect([await setting(tx), await isActive(tx)]).toEqual(['', true])
      expect(await setting(tx)).toContain(user.sessionId)
      // Other claims in the same transaction.
      await asUser(signedOut)
      expect(await isActive(tx)).toBe(false)
      await asUser({ ...user, sessionId: signedOut.sessionId })
      expect(await isActive(tx)).toBe(false)
      await connection`select set_config('request.jwt.claims', '', true), set_config('request.jwt.claim.sub', '', true)`
      expect(await isActive(tx)).toBe(false)
      await connection`commit`
      // Begins new transactions on the same connection: without a caller, as the user, and after the session has ended.
      expect([await setting(tx), await isActive(tx)]).toEqual(['', false])
      await connection`begin`
      await asUser(user)
      expect(await isActive(tx)).toBe(true)
      await connection`rollback`
      await sql`delete from auth.sessions where id = ${user.sessionId}`
      await connection`begin`
      await asUser(user)
      expect([await setting(tx), await isActive(tx)]).toEqual(['', false])
      await connection`commit`
    } finally {
      connection.release()
    }
  })

  // Functions call `private.require_session` again after waiting for a lock.
  it('is not reused by private.require_session', async () => {
    const user = await insertUser()
    const attempt = runAs(user, async (tx) => {
      await tx`select private.require_session()`
      await sql`delete from auth.sessions where id = ${user.sessionId}`
      return await tx`select private.require_session()`
    })
    expect(await getSqlState(attempt)).toBe('PT401')
  })
})

describe('users with a block between them', () => {
  it("cannot read each other's profiles or like each other's posts", async () => {
    const [blocked, blocker] = await Promise.all([insertUser(), insertUser()])
    await insertBlock(blocker, blocked)
    for (const [reader, other] of [
      [blocked, blocker],
      [blocker, blocked],
    ] as const) {
      const postId = await insertPost(other)
      expect(
        await runAs(reader, (tx) => tx`select 1 from public.profiles where id = ${other.id}`),
      ).toHaveLength(0)
      expect(await getSqlState(runAs(reader, (tx) => tx`select public.toggle_like(${postId})`))).toBe('PT404')
      expect(
        await getSqlState(runAs(reader, (tx) => tx`insert into public.likes (post_id) values (${postId})`)),
      ).toBe('42501')
    }
  })
})
