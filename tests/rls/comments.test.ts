import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertPost,
  insertUser,
  insertUsers,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'
import { buyPost, insertPremiumPost } from './payment-helpers.ts'

let author: SessionUser
let fan: SessionUser
let other: SessionUser
let openPostId: string
beforeAll(async () => {
  ;[author, fan, other] = await Promise.all([insertUser({ creator: true }), insertUser(), insertUser()])
  openPostId = await insertPost(author)
})

type CommentOptions = { postId?: string; parentId?: string | null; content?: string; id?: string }

/** Inserts a comment under the access rules of the Data API, and returns its ID. */
const insertComment = async (
  author: SessionUser,
  { postId = openPostId, parentId = null, content = 'Well said', id = randomUUID() }: CommentOptions = {},
) => {
  await runAs(
    author,
    (tx) => tx`insert into public.comments (id, post_id, parent_comment_id, content)
               values (${id}, ${postId}, ${parentId}, ${content})`,
  )
  return id
}
const deleteComment = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`select private.delete_comment(${id})`)
const countVisible = async (user: SessionUser | null, postId: string) =>
  (await runAs(user, (tx) => tx`select from public.comments where post_id = ${postId}`)).count

/** Returns the counters of a post and its author, and the actual numbers of rows. */
async function readCounts(postId: string) {
  const [row] = await sql<
    { counted: number; actual: number; wrongReplyCounts: number; notifications: number; unread: number }[]
  >`
    select p.comments_count as counted,
           (select count(*)::int from public.comments c where c.post_id = p.id) as actual,
           (select count(*)::int from public.comments c where c.post_id = p.id and c.replies_count <>
             (select count(*) from public.comments r where r.parent_comment_id = c.id)) as "wrongReplyCounts",
           (select count(*)::int from public.notifications n
             where n.user_id = p.author_id and n.post_id = p.id) as notifications,
           u.unread_notifications as unread
    from public.posts p join public.user_counters u on u.user_id = p.author_id where p.id = ${postId}`
  if (!row) throw new Error('There is no such post.')
  return { ...row }
}

/** Waits until `count` database sessions are blocked by the session with this process ID, directly or indirectly. */
async function waitForBlockedSessions(pid: number, count: number): Promise<void> {
  for (;;) {
    const [row] = await sql<{ blocked: number }[]>`
      with recursive queue as (
        select ${pid}::integer as pid
        union select a.pid from queue q join pg_stat_activity a on q.pid = any(pg_blocking_pids(a.pid)))
      select count(*)::int - 1 as blocked from queue`
    if ((row?.blocked ?? 0) >= count) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('counts of comments', () => {
  it('stay exact without deadlocks while users comment, reply and delete concurrently', async () => {
    const [writer, ...commenters] = await insertUsers(6)
    if (!writer) throw new Error('unreachable')
    // Without grouping, every notification is counted, so a lost notification is detected.
    await sql`update public.user_settings set group_notifications = false where user_id = ${writer.id}`
    const postId = await insertPost(writer)
    const topIds = await Promise.all(commenters.map((user) => insertComment(user, { postId })))
    const outcomes = await Promise.allSettled([
      ...topIds.flatMap((parentId, n) =>
        commenters.map((user, m) => insertComment(user, { postId, parentId, content: `Reply ${n} ${m}` })),
      ),
      // Two comments are deleted while they get replies: one by its author, one by the author of the post.
      deleteComment(commenters[0] as SessionUser, topIds[0] as string),
      deleteComment(writer, topIds[1] as string),
    ])
    const errorCodes = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    )
    // Only replies to a comment that was just deleted fail. A deadlock would have another code.
    expect(errorCodes.filter((code) => code !== 'PT404' && code !== '23503')).toEqual([])
    const after = await readCounts(postId)
    expect(after).toEqual({ counted: 18, actual: 18, wrongReplyCounts: 0, notifications: 18, unread: 18 })

    const replies = await sql<{ id: string; author_id: string }[]>`
      select id, author_id from public.comments where post_id = ${postId} and parent_comment_id is not null`
    // Nine replies are each deleted by their author and by the author of the post. The later deletion gets PT404.
    const deletions = await Promise.allSettled([
      ...replies
        .slice(0, 9)
        .flatMap(({ id, author_id }) => [
          deleteComment(commenters.find((user) => user.id === author_id) as SessionUser, id),
          deleteComment(writer, id),
        ]),
      ...commenters.map((user) => insertComment(user, { postId })),
    ])
    const rejected = deletions.filter((outcome) => outcome.status === 'rejected')
    expect(rejected.filter(({ reason }) => reason.code !== 'PT404')).toEqual([])
    expect(await readCounts(postId)).toEqual({
      counted: 14,
      actual: 14,
      wrongReplyCounts: 0,
      notifications: 14,
      unread: 14,
    })
  })

  it('stay exact when a comment is deleted during a reply to it, and the reply is rejected without a deadlock', async () => {
    const writer = await insertUser()
    const postId = await insertPost(writer)
    const topId = await insertComment(fan, { postId })
    const concurrent = await sql.begin(async (tx) => {
      const [session] = await tx<{ pid: number }[]>`
        select pg_backend_pid() as pid from public.posts where id = ${postId} for no key update`
      const deletion = deleteComment(writer, topId)
      await waitForBlockedSessions(session?.pid ?? 0, 1)
      const reply = getSqlState(insertComment(other, { postId, parentId: topId }))
      await waitForBlockedSessions(session?.pid ?? 0, 2)
      return { deletion, reply }
    })
    await concurrent.deletion
    expect(await concurrent.reply).toBe('PT404')
    expect(await readCounts(postId)).toMatchObject({ counted: 0, actual: 0 })
  })

  it('decrease when a comment with replies is deleted, but not when its author deletes their account', async () => {
    const [writer, commenter, deletedUser] = await Promise.all([insertUser(), insertUser(), insertUser()])
    const postId = await insertPost(writer)
    const topId = await insertComment(deletedUser, { postId })
    await insertComment(commenter, { postId, parentId: topId })
    await insertComment(writer, { postId, parentId: topId })
    expect(await readCounts(postId)).toMatchObject({ counted: 3, actual: 3, wrongReplyCounts: 0 })
    await sql`delete from auth.users where id = ${deletedUser.id}`
    const [comment] = await runAs(
      commenter,
      (tx) => tx`select author_id, content from public.comments where id = ${topId}`,
    )
    expect({ ...comment }).toEqual({ author_id: null, content: 'Well said' })
    await deleteComment(writer, topId)
    expect(await readCounts(postId)).toEqual({
      counted: 0,
      actual: 0,
      wrongReplyCounts: 0,
      notifications: 0,
      unread: 0,
    })
  })
})

describe('comments through the Data API', () => {
  it('can be inserted only as oneself, with only IDs and valid content, and cannot be updated or deleted directly', async () => {
    const forged = `insert into public.comments (post_id, author_id, content) values ('${openPostId}', '${other.id}', 'x')`
    expect(await getSqlState(runAs(fan, (tx) => tx.unsafe(forged)))).toBe('42501')
    for (const extra of ["created_at) values ('2000-01-01'", 'replies_count) values (9']) {
      expect(await getSqlState(runAs(fan, (tx) => tx.unsafe(`insert into public.comments (${extra})`)))).toBe(
        '42501',
      )
    }
    const id = await insertComment(fan)
    for (const user of [fan, author, null]) {
      expect(await getSqlState(runAs(user, (tx) => tx`update public.comments set content = 'x'`))).toBe(
        '42501',
      )
      expect(await getSqlState(runAs(user, (tx) => tx`delete from public.comments where id = ${id}`))).toBe(
        '42501',
      )
    }
    expect(await getSqlState(runAs(null, (tx) => tx`select private.delete_comment(${id})`))).toBe('42501')
    for (const content of ['', ' \n\t', 'x'.repeat(501)]) {
      expect(await getSqlState(insertComment(fan, { content }))).toBe('23514')
    }
    await insertComment(fan, { content: 'x'.repeat(500) })
  })

  it('can reply to comments on the same post, one level deep', async () => {
    const otherPostCommentId = await insertComment(fan, { postId: await insertPost(author) })
    const topId = await insertComment(fan)
    const replyId = await insertComment(other, { parentId: topId })
    expect(await getSqlState(insertComment(fan, { parentId: replyId }))).toBe('PT400')
    expect(await getSqlState(insertComment(fan, { parentId: otherPostCommentId }))).toBe('PT404')
    expect(await getSqlState(insertComment(fan, { parentId: randomUUID() }))).toBe('PT404')
  })

  it('are hidden from users who may not see the post, and between users when one has blocked the other', async () => {
    const [writer, privateUser, blocked] = await Promise.all([
      insertUser(),
      insertUser({ visibility: 'private' }),
      insertUser(),
    ])
    const privatePostId = await insertPost(privateUser)
    await insertComment(privateUser, { postId: privatePostId })
    for (const user of [fan, null]) expect(await countVisible(user, privatePostId)).toBe(0)
    expect(await countVisible(privateUser, privatePostId)).toBe(1)
    expect(await getSqlState(insertComment(fan, { postId: privatePostId }))).toBe('PT404')
    expect(await getSqlState(insertComment(fan, { postId: randomUUID() }))).toBe('PT404')

    const postId = await insertPost(writer)
    const blockedCommentId = await insertComment(blocked, { postId })
    await insertComment(fan, { postId })
    await insertBlock(fan, blocked)
    for (const user of [fan, blocked]) expect(await countVisible(user, postId)).toBe(1)
    for (const user of [writer, null]) expect(await countVisible(user, postId)).toBe(2)
    expect(await getSqlState(insertComment(fan, { postId, parentId: blockedCommentId }))).toBe('PT404')
    // The author of a post may delete a comment that they cannot see because of a block.
    await insertBlock(writer, blocked)
    expect(await countVisible(writer, postId)).toBe(1)
    await deleteComment(writer, blockedCommentId)
    expect(await readCounts(postId)).toMatchObject({ counted: 1, actual: 1 })
    expect(await getSqlState(insertComment(blocked, { postId }))).toBe('PT404')
  })

  it('on a premium post are available to buyers and the author, but to nobody else, not even admins', async () => {
    const premiumPostId = await insertPremiumPost(author, 3)
    const [buyer, admin] = await Promise.all([insertUser(), insertUser({ admin: true })])
    await buyPost(buyer, premiumPostId, 3)
    const topId = await insertComment(buyer, { postId: premiumPostId })
    await insertComment(author, { postId: premiumPostId, parentId: topId })
    for (const user of [buyer, author]) expect(await countVisible(user, premiumPostId)).toBe(2)
    for (const user of [fan, admin, null]) expect(await countVisible(user, premiumPostId)).toBe(0)
    for (const user of [fan, admin]) {
      expect(await getSqlState(insertComment(user, { postId: premiumPostId }))).toBe('PT403')
      expect(await getSqlState(insertComment(user, { postId: premiumPostId, parentId: topId }))).toBe('PT403')
      expect(await getSqlState(deleteComment(user, topId))).toBe('PT404')
    }
  })

  it('cannot be written by ended sessions or read-only accounts, but read-only accounts can delete their own comments', async () => {
    const [readOnly, signedOut] = await Promise.all([insertUser(), insertUser()])
    const [readOnlyCommentId, signedOutCommentId] = await Promise.all([
      insertComment(readOnly),
      insertComment(signedOut),
    ])
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${readOnly.id}`
    await sql`delete from auth.sessions where id = ${signedOut.sessionId}`
    expect(await getSqlState(insertComment(readOnly))).toBe('PT403')
    expect(await getSqlState(insertComment(signedOut))).toBe('42501')
    expect(await countVisible(signedOut, openPostId)).toBe(0)
    expect(await getSqlState(deleteComment(signedOut, signedOutCommentId))).toBe('42501')
    await deleteComment(readOnly, readOnlyCommentId)
    expect(
      await sql`select from public.comments where id in (${readOnlyCommentId}, ${signedOutCommentId})`,
    ).toHaveLength(1)
  })
})

const like = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`select public.toggle_comment_like(${id})`)
const insertLike = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`insert into public.comment_likes (comment_id) values (${id})`)

/** Returns the stored and the actual number of likes of a comment, and the number of notifications about them. */
async function readLikes(id: string) {
  const [row] = await sql<{ counted: number; actual: number; notified: number }[]>`
    select c.likes_count as counted,
           (select count(*)::int from public.comment_likes l where l.comment_id = c.id) as actual,
           (select count(*)::int from public.notifications n where n.comment_id = c.id and n.kind = 'like') as notified
    from public.comments c where c.id = ${id}`
  return row && { ...row }
}

describe('likes of comments', () => {
  it('are counted exactly and notify the author in one group, despite concurrent likes and double clicks', async () => {
    const writer = await insertUser()
    const [comment, otherComment] = [await insertComment(writer), await insertComment(writer)]
    const fans = await insertUsers(8)
    await Promise.all(fans.map((user) => like(user, comment)))
    await Promise.all(fans.slice(0, 3).flatMap((user) => [like(user, comment), like(user, comment)]))
    await Promise.all(fans.slice(5).map((user) => like(user, comment)))
    await like(fan, otherComment)
    expect(await readLikes(comment)).toEqual({ counted: 5, actual: 5, notified: 5 })
    const heads = await sql<{ comment_id: string; people: number }[]>`
      select comment_id, people from public.notifications
      where user_id = ${writer.id} and kind = 'like' and is_head order by people`
    expect(heads.map(({ comment_id, people }) => [comment_id, people])).toEqual([
      [otherComment, 1],
      [comment, 5],
    ])
    // Liking a comment does not like the post.
    const [post] = await sql`select likes_count from public.posts where id = ${openPostId}`
    expect(post?.likes_count).toBe(0)
    await deleteComment(writer, comment)
    expect(await sql`select from public.comment_likes where comment_id = ${comment}`).toHaveLength(0)
  })

  it('do not notify users who like their own comments or have turned such notifications off', async () => {
    const writer = await insertUser()
    const comment = await insertComment(writer)
    await like(writer, comment)
    await sql`update public.user_settings set new_likes = false where user_id = ${writer.id}`
    await like(fan, comment)
    expect(await readLikes(comment)).toEqual({ counted: 2, actual: 2, notified: 0 })
  })

  it('are rejected on comments of locked, private and hidden posts, and on hidden comments', async () => {
    const [buyer, stranger, recluse] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser({ visibility: 'private' }),
    ])
    const premium = await insertPremiumPost(author, 3)
    await buyPost(buyer, premium, 3)
    const paidComment = await insertComment(buyer, { postId: premium })
    const privateComment = await insertComment(recluse, { postId: await insertPost(recluse) })
    const hiddenComment = await insertComment(other)
    const replyToHidden = await insertComment(fan, { parentId: hiddenComment })
    await sql`update public.comments set hidden = 'hidden' where id = ${hiddenComment}`
    const hiddenPost = await insertPost(author)
    const commentOnHidden = await insertComment(fan, { postId: hiddenPost })
    await sql`update public.posts set hidden = 'hidden' where id = ${hiddenPost}`
    for (const id of [paidComment, privateComment, hiddenComment, replyToHidden, commentOnHidden]) {
      expect(await getSqlState(like(stranger, id))).toBe('PT404')
      expect(await getSqlState(insertLike(stranger, id))).toBe('PT404')
    }
    await like(author, paidComment)
    expect(await readLikes(paidComment)).toMatchObject({ counted: 1, actual: 1 })
  })

  it('are rejected on comments by a user who blocked the caller, and on the replies to these comments', async () => {
    const [writer, blocked, replier] = await Promise.all([insertUser(), insertUser(), insertUser()])
    const comment = await insertComment(writer)
    const reply = await insertComment(replier, { parentId: comment })
    await insertBlock(writer, blocked)
    for (const id of [comment, reply]) {
      expect(await getSqlState(like(blocked, id))).toBe('PT404')
      expect(await getSqlState(insertLike(blocked, id))).toBe('PT404')
    }
    expect(await readLikes(comment)).toEqual({ counted: 0, actual: 0, notified: 0 })
  })

  it('cannot be read, added or removed by visitors, or for other users', async () => {
    const comment = await insertComment(other)
    await like(fan, comment)
    const visitorReads = runAs(null, (tx) => tx`select from public.comment_likes`)
    expect(await getSqlState(visitorReads)).toBe('42501')
    const visitorLikes = runAs(null, (tx) => tx`select public.toggle_comment_like(${comment})`)
    expect(await getSqlState(visitorLikes)).toBe('42501')
    const forged = runAs(
      fan,
      (tx) => tx`insert into public.comment_likes (comment_id, user_id) values (${comment}, ${author.id})`,
    )
    expect(await getSqlState(forged)).toBe('42501')
    const forgedCount = runAs(
      fan,
      (tx) => tx`update public.comments set likes_count = 9 where id = ${comment}`,
    )
    expect(await getSqlState(forgedCount)).toBe('42501')
    for (const user of [author, other]) {
      const seen = await runAs(
        user,
        (tx) => tx`select from public.comment_likes where comment_id = ${comment}`,
      )
      expect(seen.count).toBe(0)
      await runAs(user, (tx) => tx`delete from public.comment_likes where comment_id = ${comment}`)
    }
    expect(await readLikes(comment)).toMatchObject({ counted: 1, actual: 1 })
  })

  it('are removed together with their notification when the user who liked is deleted', async () => {
    const [writer, leaver] = await Promise.all([insertUser(), insertUser()])
    const comment = await insertComment(writer)
    await like(leaver, comment)
    await sql`delete from auth.users where id = ${leaver.id}`
    expect(await readLikes(comment)).toEqual({ counted: 0, actual: 0, notified: 0 })
    const [counters] =
      await sql`select unread_notifications from public.user_counters where user_id = ${writer.id}`
    expect(counters?.unread_notifications).toBe(0)
    // The comment of a deleted account keeps its likes and can still be liked.
    await like(fan, comment)
    await sql`delete from auth.users where id = ${writer.id}`
    await like(other, comment)
    expect(await readLikes(comment)).toMatchObject({ counted: 2, actual: 2 })
  })

  it('do not deadlock with comments, deletions and account deletions', async () => {
    const fans = await insertUsers(6)
    for (let round = 0; round < 5; round++) {
      const [writer, leaver] = await Promise.all([insertUser(), insertUser()])
      const postId = await insertPost(writer)
      const [first, second] = await Promise.all([
        insertComment(writer, { postId }),
        insertComment(leaver, { postId }),
      ])
      await Promise.all([like(leaver, first), like(writer, second)])
      await Promise.all([
        ...fans.flatMap((user) => [like(user, first), like(user, second).catch(ignoreGone)]),
        insertComment(fans[0] as SessionUser, { postId, parentId: first }),
        sql`delete from auth.users where id = ${leaver.id}`,
        deleteComment(writer, second),
      ])
      expect(await readLikes(first)).toMatchObject({ counted: fans.length, actual: fans.length })
    }
  })
})

/** Ignores the errors that a deleted comment causes, and no others. */
function ignoreGone(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : error
  expect(['PT404', '23503', '42501']).toContain(code)
}
