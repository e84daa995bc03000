import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { describe, expect, it } from 'vitest'
import {
  insertBlock,
  insertFollow,
  insertPost,
  insertUsers,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'

// Most of these tests check that concurrent changes to the counters of several users do not deadlock. They call the
// database directly, because the API retries after a deadlock and would hide it.

const like = (user: SessionUser, id: string) => runAs(user, (tx) => tx`select public.toggle_like(${id})`)
const markAllRead = (user: SessionUser) =>
  runAs(user, (tx) => tx`select private.mark_all_notifications_read()`)
const toggleFollow = (user: SessionUser, target: SessionUser) =>
  runAs(user, (tx) => tx`select public.toggle_follow(${target.id})`)
const mention = (...users: SessionUser[]) => users.map(({ username }) => `@${username}`).join(' ')
const comment = (
  author: SessionUser,
  postId: string,
  content: string,
  parentId: string | null = null,
  id = randomUUID(),
) =>
  runAs(
    author,
    (tx) => tx`insert into public.comments (id, post_id, parent_comment_id, content)
               values (${id}, ${postId}, ${parentId}, ${content})`,
  ).then(() => id)
const sendMessage = async (from: SessionUser, to: SessionUser) => {
  const id = randomUUID()
  await runAs(
    from,
    (tx) => tx`insert into public.messages (id, receiver_id, content) values (${id}, ${to.id}, 'Hi')`,
  )
  return id
}
/** Ignores the errors that a deleted account causes, and no others. */
const ignoreNotFound = (attempt: Promise<unknown>) =>
  attempt.catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : error
    expect(['PT404', '23503']).toContain(code)
  })
const quote = (user: SessionUser, quotedId: string, content: string) =>
  runAs(
    user,
    (tx) =>
      tx`select private.publish_quote(${quotedId}, ${randomUUID()}, ${content}, null, null, null, null, null, null)`,
  )
const listNotificationKinds = async (user: SessionUser) =>
  (await sql`select kind from public.notifications where user_id = ${user.id} order by kind`).map(
    ({ kind }) => kind,
  )

describe('mentions', () => {
  it('do not deadlock when concurrent posts and comments mention the same users in different orders', async () => {
    const [ana, ben, u, v, w] = (await insertUsers(5)) as [
      SessionUser,
      SessionUser,
      SessionUser,
      SessionUser,
      SessionUser,
    ]
    const [postOfU, postOfV] = await Promise.all([insertPost(u), insertPost(v)])
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        insertPost(ana, mention(u, v, w)),
        insertPost(ben, mention(w, v, u)),
        comment(ana, postOfU, mention(v, w)),
        comment(ben, postOfV, mention(w, u)),
      ])
    }
    // A comment creates a comment notification for the author of the post, and mention notifications for the other
    // users it mentions.
    expect((await listNotificationKinds(u)).filter((kind) => kind === 'mention')).toHaveLength(30)
    expect((await listNotificationKinds(w)).filter((kind) => kind === 'mention')).toHaveLength(40)
    expect((await listNotificationKinds(v)).filter((kind) => kind === 'comment')).toHaveLength(10)
  })

  it('do not deadlock when two users each mention the author of the post that the other quotes', async () => {
    const [ana, ben, u, v] = (await insertUsers(4)) as [SessionUser, SessionUser, SessionUser, SessionUser]
    const [postOfU, postOfV] = await Promise.all([insertPost(u), insertPost(v)])
    for (let round = 0; round < 12; round++)
      await Promise.all([quote(ana, postOfU, mention(v)), quote(ben, postOfV, mention(u))])
    const expected = [...Array(12).fill('mention'), ...Array(12).fill('quote')]
    expect(await listNotificationKinds(u)).toEqual(expected)
    expect(await listNotificationKinds(v)).toEqual(expected)
  })

  it('notify each user once per comment', async () => {
    const [ana, author, fan, mentioned] = (await insertUsers(4)) as [
      SessionUser,
      SessionUser,
      SessionUser,
      SessionUser,
    ]
    const id = await insertPost(author)
    const parentId = await comment(fan, id, 'First')
    await comment(ana, id, mention(author, fan, mentioned, ana), parentId)
    expect([
      await listNotificationKinds(author),
      await listNotificationKinds(fan),
      await listNotificationKinds(mentioned),
      await listNotificationKinds(ana),
    ]).toEqual([['comment', 'comment'], ['reply'], ['mention'], []])
  })
})

describe('deleting notifications', () => {
  it('does not deadlock when a user blocks another while both mark their notifications read', async () => {
    const [ana, ben, eve, ...fans] = (await insertUsers(6)) as [
      SessionUser,
      SessionUser,
      SessionUser,
      ...SessionUser[],
    ]
    for (let round = 0; round < 8; round++) {
      await sql`delete from public.blocks where blocker_id in (${ana.id}, ${eve.id})`
      for (const [from, to] of [
        [ana, ben],
        [ben, ana],
        [eve, ben],
        [ben, eve],
      ] as const) {
        await sql`select private.create_notification(${to.id}, ${from.id}, k)
                    from unnest('{mention,reaction,follow_request}'::text[]) k`
      }
      // Every second round also changes follows.
      const withFollows = round % 2 === 1
      if (withFollows) await insertFollow(ben, ana)
      await Promise.all([
        ...[ben, ana].map(markAllRead),
        insertBlock(ana, ben),
        markAllRead(ben),
        insertBlock(eve, ben),
        markAllRead(ana),
        ...(withFollows ? fans.map((fan, index) => toggleFollow(fan, index % 2 ? ana : ben)) : []),
      ])
      expect(await sql`select from public.notifications where actor_id = ${ben.id}`).toHaveLength(0)
    }
  })

  it('does not deadlock when a comment and a post are deleted while users mark their notifications read', async () => {
    const [author, ...fans] = (await insertUsers(6)) as [SessionUser, ...SessionUser[]]
    const [a, b, c, d, e] = fans as [SessionUser, SessionUser, SessionUser, SessionUser, SessionUser]
    for (let round = 0; round < 8; round++) {
      const id = await insertPost(author, mention(a, b))
      const parentId = await comment(b, id, mention(a, c))
      await comment(c, id, mention(e, d), parentId)
      await like(d, id)
      await Promise.all([
        ...[author, ...fans].map(markAllRead),
        runAs(author, (tx) => tx`select private.delete_comment(${parentId})`),
        ...fans.map(markAllRead),
      ])
      await comment(e, id, mention(d, c))
      await Promise.all([
        markAllRead(author),
        runAs(author, (tx) => tx`delete from public.posts where id = ${id}`),
        ...fans.slice(0, 3).map((fan) => toggleFollow(fan, author)),
        ...[a, b, c, d].map(markAllRead),
      ])
      expect(await sql`select from public.notifications where post_id = ${id}`).toHaveLength(0)
    }
  })

  it('does not deadlock when two accounts are deleted while others like, mention, follow, block and message them', async () => {
    const [a, b, c, d] = (await insertUsers(4)) as [SessionUser, SessionUser, SessionUser, SessionUser]
    const [postOfA, postOfB] = await Promise.all([insertPost(a), insertPost(b)])
    for (let round = 0; round < 6; round++) {
      const [deleted, alsoDeleted] = (await insertUsers(2)) as [SessionUser, SessionUser]
      const postOfDeleted = await insertPost(deleted, mention(c, d))
      const postOfAlsoDeleted = await insertPost(alsoDeleted, mention(deleted))
      await Promise.all([
        like(deleted, postOfAlsoDeleted),
        like(alsoDeleted, postOfDeleted),
        insertFollow(deleted, alsoDeleted),
      ])
      await insertFollow(alsoDeleted, deleted)
      for (const id of [postOfA, postOfB]) {
        await like(deleted, id)
        await comment(deleted, id, mention(c, d))
      }
      for (const user of [a, c]) {
        await insertFollow(deleted, user)
        await insertFollow(user, deleted)
      }
      const messageId = await sendMessage(deleted, b)
      await Promise.all([
        ...[a, b, c, d].map(markAllRead),
        ignoreNotFound(runAs(b, (tx) => tx`select private.toggle_reaction(${messageId}, '👍')`)),
        sql`delete from auth.users where id = ${deleted.id}`,
        ignoreNotFound(sendMessage(b, deleted)),
        ignoreNotFound(like(b, postOfDeleted)),
        ignoreNotFound(comment(d, postOfDeleted, mention(deleted))),
        comment(b, postOfA, mention(deleted, alsoDeleted)),
        ignoreNotFound(insertFollow(d, deleted)),
        ignoreNotFound(toggleFollow(c, deleted)),
        ignoreNotFound(toggleFollow(b, alsoDeleted)),
        ignoreNotFound(insertBlock(b, alsoDeleted)),
        sql`delete from auth.users where id = ${alsoDeleted.id}`,
        like(c, postOfA),
        like(d, postOfB),
        toggleFollow(d, a),
        ...[a, b].map(markAllRead),
      ])
      expect(await sql`select from public.notifications where actor_id = ${deleted.id}`).toHaveLength(0)
    }
  })
})

describe('a notification that waits for another transaction', () => {
  /** Starts `work` after `first` but before the transaction of `first` commits, so that `work` has to wait. */
  async function runDuring(
    first: (tx: TransactionSql) => PromiseLike<unknown>,
    work: () => Promise<unknown>,
  ) {
    let waiting: Promise<unknown> = Promise.resolve()
    await sql.begin(async (tx) => {
      await first(tx)
      const [session] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      waiting = work()
      waiting.catch(() => undefined)
      await expect
        .poll(
          () => sql`select from pg_stat_activity where ${session?.pid ?? 0} = any (pg_blocking_pids(pid))`,
          {
            interval: 20,
            timeout: 5000,
          },
        )
        .toHaveLength(1)
    })
    await waiting
  }

  it('is not created for a user who blocks the actor in the meantime', async () => {
    const [ana, ben] = (await insertUsers(2)) as [SessionUser, SessionUser]
    await runDuring(
      (tx) => tx`insert into public.blocks (blocker_id, blocked_id) values (${ana.id}, ${ben.id})`,
      // This call does not see the uncommitted block, and waits for the lock on the counters.
      () => sql`select private.create_notification(${ana.id}, ${ben.id}, 'mention')`.execute(),
    )
    expect(await listNotificationKinds(ana)).toEqual([])
  })

  it('is skipped for a user who is deleted in the meantime, and the comment that mentions them is stored', async () => {
    const [ana, deleted, author] = (await insertUsers(3)) as [SessionUser, SessionUser, SessionUser]
    const id = await insertPost(author)
    await runDuring(
      (tx) => tx`delete from auth.users where id = ${deleted.id}`,
      () => comment(ana, id, mention(deleted)),
    )
    expect(await sql`select from public.comments where post_id = ${id}`).toHaveLength(1)
    expect(await listNotificationKinds(author)).toEqual(['comment'])
  })
})

describe('the images of a deleted account', () => {
  it('are removed from the messages, which are listed as changed for the other member', async () => {
    const [ana, deleted] = (await insertUsers(2)) as [SessionUser, SessionUser]
    const messageIds: string[] = []
    for (const withImage of [true, false, true]) {
      const [mediaId, id] = [randomUUID(), randomUUID()]
      await sql`
        insert into public.media (id, owner_id, kind, state, path, content_type, bytes, width, height, placeholder)
        values (${mediaId}, ${deleted.id}, 'image', 'ready', ${mediaId}, 'image/webp', 9, 20, 20, 'data:image/png;base64,AA')`
      await sql`insert into public.messages (id, sender_id, receiver_id, content, media_id)
        values (${id}, ${deleted.id}, ${ana.id}, 'See', ${withImage ? mediaId : null})`
      messageIds.push(id)
    }
    await runAs(ana, (tx) => tx`select private.toggle_reaction(${messageIds[1] ?? ''}, '👍')`)
    await sql`delete from auth.users where id = ${deleted.id}`
    const changed = await runAs(
      ana,
      (tx) =>
        tx<
          { id: string; sort_key: string }[]
        >`select * from private.messages_changed_since(${deleted.id}, 1, 50)`,
    )
    expect(changed.map(({ id }) => id).sort()).toEqual([messageIds[0], messageIds[2]].sort())
    expect(changed.map((row) => Number(row.sort_key))).toEqual([2, 3])
    const rows = await sql`select m.media_id, m.placeholder, m.content, c.last_change::int as last
      from public.messages m join public.conversations c on c.id = m.conversation_id
      where m.id in ${sql(messageIds)}`
    expect(rows.map((row) => ({ ...row }))).toEqual(
      messageIds.map(() => ({ media_id: null, placeholder: null, content: 'See', last: 3 })),
    )
  })
})
