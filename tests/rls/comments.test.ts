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
import { deleteComment } from './moderation-helpers.ts'
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
const countVisible = async (user: SessionUser | null, postId: string) =>
  (await runAs(user, (tx) => tx`select from public.comments where post_id = ${postId}`)).count

/** Returns the counters of a post and its author, and the actual row counts. */
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

describe('comment counts', () => {
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
    // Nine replies are each deleted twice, by their author and by the post's author. The second deletion gets PT404.
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

  it('stay exact when a comment is deleted while a reply to it is being stored, and the reply is rejected without a deadlock', async () => {
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
  it('can be inserted only in the caller’s own name, with valid content and without setting timestamps or counts, and cannot be updated or deleted directly', async () => {
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

  it('are hidden from users who may not see the post, and from users with a block between them and the comment’s author', async () => {
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

  it('on a premium post are available to buyers and the author, but not to users who have not paid, admins or visitors', async () => {
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
