import { beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  insertUsers,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'
import { deleteComment, insertComment } from './moderation-helpers.ts'
import { buyPost, insertPremiumPost, refundPayment } from './payment-helpers.ts'
import { expirePeriod, subscribe } from './subscription-helpers.ts'

let author: SessionUser
let fan: SessionUser
let other: SessionUser
let openPostId: string
beforeAll(async () => {
  ;[author, fan, other] = await Promise.all([insertUser({ creator: true }), insertUser(), insertUser()])
  openPostId = await insertPost(author)
})

const like = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`select public.toggle_comment_like(${id})`)
const insertLike = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`insert into public.comment_likes (comment_id) values (${id})`)

/** Returns the stored and the actual number of a comment's likes, and the number of notifications about these likes. */
async function readLikes(id: string) {
  const [row] = await sql<{ counted: number; actual: number; notified: number }[]>`
    select c.likes_count as counted,
           (select count(*)::int from public.comment_likes l where l.comment_id = c.id) as actual,
           (select count(*)::int from public.notifications n where n.comment_id = c.id and n.kind = 'like') as notified
    from public.comments c where c.id = ${id}`
  return row && { ...row }
}

describe('comment likes', () => {
  it('are counted exactly and form one group of notifications per comment, despite concurrent likes and double clicks', async () => {
    const writer = await insertUser()
    const [comment, otherComment] = [
      await insertComment(writer, openPostId),
      await insertComment(writer, openPostId),
    ]
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
    const comment = await insertComment(writer, openPostId)
    await like(writer, comment)
    await sql`update public.user_settings set new_likes = false where user_id = ${writer.id}`
    await like(fan, comment)
    expect(await readLikes(comment)).toEqual({ counted: 2, actual: 2, notified: 0 })
  })

  it('are rejected if the caller has not paid for the post or cannot view its author’s profile, or if the post, the comment or its parent is hidden', async () => {
    const [buyer, stranger, privateUser, followersOnlyUser] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser({ visibility: 'private' }),
      insertUser({ visibility: 'followers' }),
    ])
    const premium = await insertPremiumPost(author, 3)
    await buyPost(buyer, premium, 3)
    const paidComment = await insertComment(buyer, premium)
    const privateComment = await insertComment(privateUser, await insertPost(privateUser))
    const followersComment = await insertComment(followersOnlyUser, await insertPost(followersOnlyUser))
    const hiddenComment = await insertComment(other, openPostId)
    const replyToHidden = await insertComment(fan, openPostId, 'Reply', hiddenComment)
    await sql`update public.comments set hidden = 'hidden' where id = ${hiddenComment}`
    const hiddenPost = await insertPost(author)
    const commentOnHidden = await insertComment(fan, hiddenPost)
    await sql`update public.posts set hidden = 'hidden' where id = ${hiddenPost}`
    const unreadable = [paidComment, privateComment, followersComment, hiddenComment, replyToHidden]
    for (const id of [...unreadable, commentOnHidden]) {
      expect(await getSqlState(like(stranger, id))).toBe('PT404')
      expect(await getSqlState(insertLike(stranger, id))).toBe('PT404')
    }
    await like(author, paidComment)
    expect(await readLikes(paidComment)).toMatchObject({ counted: 1, actual: 1 })
  })

  it('can be added by admins to comments on posts of private profiles', async () => {
    const [privateUser, admin] = await Promise.all([
      insertUser({ visibility: 'private' }),
      insertUser({ admin: true }),
    ])
    const comment = await insertComment(privateUser, await insertPost(privateUser))
    await like(admin, comment)
    expect(await readLikes(comment)).toMatchObject({ counted: 1, actual: 1 })
  })

  it('are rejected if there is a block between the caller and the author of the comment, of its parent or of the post', async () => {
    const [postAuthor, writer, replier, blocked, blocker] = await insertUsers(5)
    if (!postAuthor || !writer || !replier || !blocked || !blocker) throw new Error('unreachable')
    const comment = await insertComment(writer, openPostId)
    const reply = await insertComment(replier, openPostId, 'Reply', comment)
    const otherComment = await insertComment(replier, await insertPost(postAuthor))
    for (const user of [writer, postAuthor]) {
      await insertBlock(user, blocked)
      await insertBlock(blocker, user)
    }
    for (const user of [blocked, blocker]) {
      for (const id of [comment, reply, otherComment]) {
        expect(await getSqlState(like(user, id))).toBe('PT404')
        expect(await getSqlState(insertLike(user, id))).toBe('PT404')
      }
    }
    for (const id of [comment, reply, otherComment])
      expect(await readLikes(id)).toEqual({ counted: 0, actual: 0, notified: 0 })
  })

  it('are rejected for ended sessions and read-only accounts, but a read-only account can remove its like', async () => {
    const [readOnly, signedOut] = await Promise.all([insertUser(), insertUser()])
    const [liked, unliked] = [await insertComment(other, openPostId), await insertComment(other, openPostId)]
    await Promise.all([like(readOnly, liked), like(signedOut, liked)])
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${readOnly.id}`
    await sql`delete from auth.sessions where id = ${signedOut.sessionId}`
    expect(await getSqlState(like(readOnly, unliked))).toBe('PT403')
    expect(await getSqlState(insertLike(readOnly, unliked))).toBe('42501')
    for (const id of [liked, unliked]) {
      expect(await getSqlState(like(signedOut, id))).toBe('42501')
      expect(await getSqlState(insertLike(signedOut, id))).toBe('42501')
    }
    const ownLikes = await runAs(signedOut, async (tx) => ({
      deleted: (await tx`delete from public.comment_likes`).count,
      read: (await tx`select from public.comment_likes`).count,
    }))
    expect(ownLikes).toEqual({ deleted: 0, read: 0 })
    expect([await readLikes(liked), await readLikes(unliked)]).toMatchObject([{ actual: 2 }, { actual: 0 }])
    await like(readOnly, liked)
    expect(await readLikes(liked)).toEqual({ counted: 1, actual: 1, notified: 1 })
  })

  it('are rejected once the caller no longer follows or subscribes to the author of the post', async () => {
    const [creator, follower] = await Promise.all([
      insertUser({ creator: true, visibility: 'followers' }),
      insertUser(),
    ])
    await insertFollow(follower, creator)
    await subscribe(follower, creator)
    const [freePost, paidPost] = [await insertPost(creator), await insertPremiumPost(creator, 5)]
    await sql`update public.posts set included_in_subscription = true where id = ${paidPost}`
    const insertPair = async (postId: string) =>
      [await insertComment(creator, postId), await insertComment(creator, postId)] as const
    const [[free, otherFree], [paid, otherPaid]] = [await insertPair(freePost), await insertPair(paidPost)]
    await like(follower, free)
    await like(follower, paid)
    const expectRejected = async (id: string) => {
      expect(await getSqlState(like(follower, id))).toBe('PT404')
      expect(await getSqlState(insertLike(follower, id))).toBe('PT404')
    }
    await expirePeriod(follower, '30 days')
    await expectRejected(otherPaid)
    await like(follower, otherFree)
    await sql`delete from public.follows where follower_id = ${follower.id}`
    await like(follower, otherFree)
    await expectRejected(otherFree)
    // Earlier likes can still be removed.
    for (const id of [free, paid]) {
      await like(follower, id)
      expect(await readLikes(id)).toEqual({ counted: 0, actual: 0, notified: 0 })
    }
  })

  it('are limited to 120 per minute, together with post likes and follows', async () => {
    const liker = await insertUser()
    const postId = await insertPost(author)
    await sql`
      insert into public.comments (post_id, author_id, content)
      select ${postId}, ${other.id}, 'Comment ' || n from generate_series(1, 120) n`
    const likeAll = () =>
      runAs(
        liker,
        (tx) => tx`
          insert into public.comment_likes (comment_id) select id from public.comments where post_id = ${postId}`,
      )
    await likeAll()
    // If a new minute began during the first 120 likes, another 120 likes reach the limit.
    const toggleFollow = () => getSqlState(runAs(liker, (tx) => tx`select public.toggle_follow(${other.id})`))
    if ((await toggleFollow().catch(() => 'passed')) === 'passed') {
      await runAs(liker, (tx) => tx`delete from public.comment_likes`)
      await likeAll().catch(() => undefined)
    }
    expect(await toggleFollow()).toBe('PT429')
    expect(await getSqlState(runAs(liker, (tx) => tx`select public.toggle_like(${postId})`))).toBe('PT429')
    expect(await getSqlState(like(liker, await insertComment(other, openPostId)))).toBe('PT429')
  })

  it('notify at most three times a day if they are added and withdrawn repeatedly', async () => {
    const [writer, liker] = await Promise.all([insertUser(), insertUser()])
    const [comment, otherComment] = [
      await insertComment(writer, openPostId),
      await insertComment(writer, openPostId),
    ]
    for (let round = 1; round <= 4; round++) {
      await like(liker, comment)
      expect([round, (await readLikes(comment))?.notified]).toEqual([round, round <= 3 ? 1 : 0])
      await like(liker, comment)
    }
    await like(liker, comment)
    // The limit applies to each user and each comment separately.
    await like(fan, comment)
    await like(liker, otherComment)
    expect(await readLikes(comment)).toEqual({ counted: 2, actual: 2, notified: 1 })
    expect(await readLikes(otherComment)).toMatchObject({ notified: 1 })
  })

  it('do not notify an author who can no longer read the comment', async () => {
    const [writer, replier, buyer] = await insertUsers(3)
    if (!writer || !replier || !buyer) throw new Error('unreachable')
    const hiddenPost = await insertPost(author)
    const onHiddenPost = await insertComment(writer, hiddenPost)
    const answered = await insertComment(writer, openPostId)
    const reply = await insertComment(replier, openPostId, 'Reply', answered)
    const paidPost = await insertPremiumPost(author, 3)
    const payment = await buyPost(buyer, paidPost, 3)
    const paidComment = await insertComment(buyer, paidPost)
    await sql`update public.posts set hidden = 'hidden' where id = ${hiddenPost}`
    await insertBlock(writer, replier)
    await refundPayment(payment)
    // The author of the post can still read all three comments.
    for (const id of [onHiddenPost, reply, paidComment]) {
      await like(author, id)
      expect(await readLikes(id)).toEqual({ counted: 1, actual: 1, notified: 0 })
    }
    await sql`update public.posts set hidden = null where id = ${hiddenPost}`
    await like(fan, onHiddenPost)
    expect(await readLikes(onHiddenPost)).toMatchObject({ notified: 1 })
  })

  it('cannot be read, added or removed by visitors, and each user can access only their own', async () => {
    const comment = await insertComment(other, openPostId)
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

  it('are removed, together with the notification, when the user who liked the comment is deleted', async () => {
    const [writer, deletedUser] = await Promise.all([insertUser(), insertUser()])
    const comment = await insertComment(writer, openPostId)
    await like(deletedUser, comment)
    await sql`delete from auth.users where id = ${deletedUser.id}`
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

  it('do not deadlock with new comments, comment deletions and account deletions', async () => {
    const fans = await insertUsers(6)
    for (let round = 0; round < 5; round++) {
      const [writer, deletedUser] = await Promise.all([insertUser(), insertUser()])
      const postId = await insertPost(writer)
      const [first, second] = await Promise.all([
        insertComment(writer, postId),
        insertComment(deletedUser, postId),
      ])
      await Promise.all([like(deletedUser, first), like(writer, second)])
      await Promise.all([
        ...fans.flatMap((user) => [like(user, first), like(user, second).catch(ignoreGone)]),
        insertComment(fans[0] as SessionUser, postId, 'Reply', first),
        sql`delete from auth.users where id = ${deletedUser.id}`,
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
