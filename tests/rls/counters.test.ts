import { describe, expect, it } from 'vitest'
import { insertBlock, insertPost, insertUser, insertUsers, runAs, type SessionUser, sql } from './database.ts'

describe('counters', () => {
  it('count likes and their notifications exactly', async () => {
    const author = await insertUser()
    const id = await insertPost(author)
    const fans = await insertUsers(12)
    await Promise.all(fans.map((fan) => runAs(fan, (tx) => tx`select public.toggle_like(${id})`)))
    // A double click sends two concurrent toggles, which cancel out.
    await Promise.all(
      fans
        .slice(0, 4)
        .flatMap((fan) => [1, 2].map(() => runAs(fan, (tx) => tx`select public.toggle_like(${id})`))),
    )
    await Promise.all(fans.slice(8).map((fan) => runAs(fan, (tx) => tx`select public.toggle_like(${id})`)))
    const [row] =
      await sql`select likes_count, (select count(*)::int from public.likes where post_id = ${id}) as likes,
      (select count(*)::int from public.notifications where user_id = ${author.id} and kind = 'like') as notifications,
      (select people from public.notifications where user_id = ${author.id} and is_head) as people,
      (select unread_notifications from public.user_counters where user_id = ${author.id}) as unread
      from public.posts where id = ${id}`
    expect({ ...row }).toEqual({ likes_count: 8, likes: 8, notifications: 8, people: 8, unread: 1 })
    await runAs(author, (tx) => tx`delete from public.posts where id = ${id}`)
    const [after] =
      await sql`select unread_notifications from public.user_counters where user_id = ${author.id}`
    expect(after?.unread_notifications).toBe(0)
  })

  it('count follows exactly, even when two users follow each other at the same time', async () => {
    const users = await insertUsers(6)
    const pairs = users.flatMap((a) => users.filter((b) => b !== a).map((b) => [a, b] as const))
    await Promise.all(pairs.map(([a, b]) => runAs(a, (tx) => tx`select public.toggle_follow(${b.id})`)))
    const counts = await sql`select followers, following from public.profile_counts
      where user_id = any(${users.map((user) => user.id)})`
    expect(counts.map((row) => ({ ...row }))).toEqual(users.map(() => ({ followers: 5, following: 5 })))
    const [first, second] = users
    if (!first || !second) throw new Error('unreachable')
    await insertBlock(first, second)
    const [blocked] =
      await sql`select followers, following from public.profile_counts where user_id = ${first.id}`
    expect({ ...blocked }).toEqual({ followers: 4, following: 4 })
  })

  it('exclude the likes and follows of a deleted account, whose messages remain', async () => {
    const [deletedUser, friend] = await Promise.all([insertUser(), insertUser()])
    const id = await insertPost(friend)
    await runAs(deletedUser, (tx) => tx`select public.toggle_follow(${friend.id}), public.toggle_like(${id})`)
    await runAs(
      deletedUser,
      (tx) => tx`insert into public.messages (receiver_id, content) values (${friend.id}, 'bye')`,
    )
    await sql`delete from auth.users where id = ${deletedUser.id}`
    const [row] = await sql`select c.followers, p.likes_count, u.unread_notifications,
        (select count(*)::int from public.notifications n where n.user_id = ${friend.id}) as notifications,
        (select count(*)::int from public.messages m where m.receiver_id = ${friend.id}) as messages
      from public.profile_counts c join public.posts p on p.id = ${id}
      join public.user_counters u on u.user_id = c.user_id where c.user_id = ${friend.id}`
    expect({ ...row }).toEqual({
      followers: 0,
      likes_count: 0,
      unread_notifications: 0,
      notifications: 0,
      messages: 1,
    })
  })
})

describe('deadlocks', () => {
  it('do not occur when all conversations are marked read while messages arrive in each', async () => {
    const reader = await insertUser()
    const senders = await insertUsers(5)
    const sendMessage = (from: SessionUser, text: string) =>
      runAs(
        from,
        (tx) => tx`insert into public.messages (receiver_id, content) values (${reader.id}, ${text})`,
      )
    for (let round = 0; round < 8; round++) {
      await Promise.all([
        ...senders.map((sender) => sendMessage(sender, `round ${round}`)),
        runAs(reader, (tx) => tx`select private.mark_all_conversations_read()`),
        ...senders.map((sender) => sendMessage(sender, `again ${round}`)),
        runAs(reader, (tx) => tx`select private.mark_all_conversations_read()`),
      ])
    }
    await runAs(reader, (tx) => tx`select private.mark_all_conversations_read()`)
    const [row] = await sql`select c.unread_messages,
        (select count(*)::int from public.messages where receiver_id = ${reader.id}) as messages,
        (select sum(unread_count)::int from public.conversation_members where user_id = ${reader.id}) as unread
      from public.user_counters c where c.user_id = ${reader.id}`
    expect({ ...row }).toEqual({ unread_messages: 0, messages: 80, unread: 0 })
  })

  it('do not occur when two users accept each other’s requests, unfollow and block at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      const [ana, ben] = await Promise.all([
        insertUser({ visibility: 'private' }),
        insertUser({ visibility: 'private' }),
      ])
      await runAs(ana, (tx) => tx`select public.toggle_follow(${ben.id})`)
      await runAs(ben, (tx) => tx`select public.toggle_follow(${ana.id})`)
      await Promise.all([
        runAs(ana, (tx) => tx`select private.accept_follow_request(${ben.id})`),
        runAs(ben, (tx) => tx`select private.accept_follow_request(${ana.id})`),
      ])
      const [both] =
        await sql`select followers, following from public.profile_counts where user_id = ${ana.id}`
      expect({ ...both }).toEqual({ followers: 1, following: 1 })
      const results = await Promise.allSettled([
        runAs(ana, (tx) => tx`select public.toggle_follow(${ben.id})`),
        runAs(ben, (tx) => tx`insert into public.blocks (blocked_id) values (${ana.id})`),
        runAs(ana, (tx) => tx`select public.toggle_follow(${ben.id})`),
      ])
      const deadlocks = results.filter(
        (result) => result.status === 'rejected' && result.reason.code === '40P01',
      )
      expect(deadlocks).toEqual([])
      const edges = await sql`select 1 from public.follows where follower_id in (${ana.id}, ${ben.id})
        union all select 1 from public.follow_requests where follower_id in (${ana.id}, ${ben.id})`
      expect(edges).toHaveLength(0)
      const counts = await sql`select followers, following from public.profile_counts
        where user_id in (${ana.id}, ${ben.id})`
      expect(counts.map((row) => ({ ...row }))).toEqual([
        { followers: 0, following: 0 },
        { followers: 0, following: 0 },
      ])
    }
  })
})

describe('rate limits', () => {
  it('count requests, return the seconds to wait, accept refunds and reset with the window', async () => {
    const subject = `test:${Math.random()}`
    const consume = async () => {
      const [row] = await sql<
        { wait: number }[]
      >`select private.consume_rate_limit('test', ${subject}, 2, '1 hour') as wait`
      return row?.wait ?? Number.NaN
    }
    expect([await consume(), await consume()]).toEqual([0, 0])
    expect(await consume()).toBeGreaterThan(0)
    expect(await consume()).toBeLessThanOrEqual(3600)
    for (let hits = 4; hits > 1; hits--)
      await sql`select private.refund_rate_limit('test', ${subject}, '1 hour')`
    expect(await consume()).toBe(0)
    expect(await consume()).toBeGreaterThan(0)
    await sql`update private.rate_limits set window_start = window_start - interval '1 hour' where subject = ${subject}`
    expect(await consume()).toBe(0)
  })

  it('cannot be read, consumed or turned off by clients; clients cannot grant admin rights or run the clean-up either', async () => {
    const user = await insertUser()
    for (const statement of [
      'select * from private.rate_limits',
      "select private.consume_rate_limit('messages', 'x', 1, '1 hour')",
      "select private.set_setting('rate_limits', 'false')",
      "select private.grant_admin('x@y.test')",
      "select private.clean_up('captchas', 1)",
    ]) {
      await expect(runAs(user, (tx) => tx.unsafe(statement))).rejects.toMatchObject({ code: '42501' })
    }
  })
})
