import { randomUUID } from 'node:crypto'
import { Comment, emptyComment, LinkedComment } from '@contract/comment.ts'
import { Notification } from '@contract/notification.ts'
import { LikeResponse, Post, UnlockResponse } from '@contract/post.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createComment, createPost } from '../support/content-api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

const Comments = z.array(Comment)
const visitor = apiAs(null)
let author: TestUser
let fan: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ author, fan, other } = await createUsers('author', 'fan', 'other'))
  await makeCreator(author)
})

const publish = async (fields: Record<string, unknown> = {}) =>
  (await createPost(author, { content: 'Say something', ...fields })).id
const listComments = async (user: TestUser | null, post: string) =>
  (await apiAs(user).get(`/api/posts/${post}/comments`, Comments)).body
const listReplies = async (user: TestUser | null, comment: string) =>
  (await apiAs(user).get(`/api/comments/${comment}/replies`, Comments)).body
const countComments = async (post: string) =>
  (await visitor.get(`/api/posts/${post}`, Post)).body.commentsCount

describe('comments', () => {
  it("are listed newest first, with replies oldest first, and with the viewer's permissions", async () => {
    const post = await publish()
    const first = await createComment(fan, post, '  First\n')
    expect(first).toMatchObject({
      postId: post,
      content: 'First',
      parentCommentId: null,
      repliesCount: 0,
      mine: true,
      canDelete: true,
    })
    expect(first.user?.id).toBe(fan.id)
    const second = await createComment(other, post, 'Second')
    const replies = [
      await createComment(author, post, 'Thanks', first.id),
      await createComment(fan, post, 'Gladly', first.id),
    ]
    expect(replies.map(({ parentCommentId }) => parentCommentId)).toEqual([first.id, first.id])

    const permissions = async (user: TestUser | null) =>
      [...(await listComments(user, post)), ...(await listReplies(user, first.id))].map((comment) => [
        comment.mine,
        comment.canDelete,
      ])
    expect((await listComments(null, post)).map(({ id, repliesCount }) => [id, repliesCount])).toEqual([
      [second.id, 0],
      [first.id, 2],
    ])
    expect((await listReplies(other, first.id)).map(({ id }) => id)).toEqual(replies.map(({ id }) => id))
    const [none, ownComment, deletable] = [
      [false, false],
      [true, true],
      [false, true],
    ]
    // The order is: the second comment, the first comment, the post author's reply, the fan's reply.
    expect(await permissions(null)).toEqual([none, none, none, none])
    expect(await permissions(fan)).toEqual([none, ownComment, none, ownComment])
    expect(await permissions(author)).toEqual([deletable, deletable, ownComment, deletable])
    expect(await countComments(post)).toBe(4)
  })

  it('are listed with their only reply, or, if there are several, with the first one by the author of the post', async () => {
    const post = await publish()
    const comment = await createComment(fan, post, 'Comment')
    const preview = async (user: TestUser | null) => {
      const [listed] = await listComments(user, post)
      const linked = (await apiAs(user).get(`/api/comments/${comment.id}`, LinkedComment)).body.comment
      expect(linked.previewReply).toEqual(listed?.previewReply)
      return listed?.previewReply
    }
    expect(await preview(null)).toBeNull()
    const only = await createComment(other, post, 'Only', comment.id)
    expect(await preview(null)).toMatchObject({ id: only.id, user: { id: other.id }, mine: false })
    expect(await preview(other)).toMatchObject({ id: only.id, mine: true, canDelete: true })
    await createComment(fan, post, 'Second', comment.id)
    expect(await preview(null)).toBeNull()
    const answer = await createComment(author, post, 'Answer', comment.id)
    await createComment(author, post, 'Another answer', comment.id)
    await apiAs(fan).post(`/api/comments/${answer.id}/like`, LikeResponse)
    expect(await preview(fan)).toMatchObject({ id: answer.id, liked: true, likesCount: 1 })
    expect(await preview(author)).toMatchObject({ id: answer.id, liked: false, mine: true })
    expect((await listReplies(fan, comment.id)).every(({ previewReply }) => !previewReply)).toBe(true)
    // The preview does not depend on the number of earlier replies.
    await sql`
      insert into public.comments (post_id, author_id, content, created_at, parent_comment_id)
      select ${post}, ${other.id}, 'Reply ' || n, now() - interval '1 day', ${comment.id} from generate_series(1, 120) n`
    expect(await preview(fan)).toMatchObject({ id: answer.id })
  })

  it('are listed without a reply that the viewer cannot see or that moderators hid', async () => {
    const post = await publish()
    const comment = await createComment(fan, post, 'Comment')
    const reply = await createComment(other, post, 'Reply', comment.id)
    const previewId = async (user: TestUser | null) => (await listComments(user, post))[0]?.previewReply?.id
    expect(await previewId(author)).toBe(reply.id)
    await apiAs(other).post(`/api/users/${author.id}/block`, BlockResponse)
    // The post is hidden from the user who blocked its author. The author sees the post without the reply.
    expect(await previewId(author)).toBeUndefined()
    expect(await previewId(fan)).toBe(reply.id)
    await apiAs(other).expectNoContent('DELETE', `/api/users/${author.id}/block`)
    for (const [blocker, blocked] of [
      [fan, other],
      [other, fan],
    ] as const) {
      await apiAs(blocker).post(`/api/users/${blocked.id}/block`, BlockResponse)
      expect([await previewId(fan), await previewId(author)]).toEqual([undefined, reply.id])
      await apiAs(blocker).expectNoContent('DELETE', `/api/users/${blocked.id}/block`)
    }

    // The reply that moderators hid does not count: even its author sees the other reply as the preview.
    const visible = await createComment(fan, post, 'Visible', comment.id)
    await sql`update public.comments set hidden = 'hidden' where id = ${reply.id}`
    for (const user of [null, fan, other]) expect(await previewId(user)).toBe(visible.id)
  })

  it('are listed in pages of twenty without gaps or duplicates', async () => {
    const post = await publish()
    const parent = await createComment(fan, post, 'Parent')
    // Several comments have the same time, so their IDs determine the order.
    await sql`
      insert into public.comments (post_id, author_id, content, created_at, parent_comment_id)
      select ${post}, ${other.id}, 'Comment ' || n, now() + (n / 3) * interval '1 second', parent
      from generate_series(1, 44) n, unnest(array[null, ${parent.id}]::uuid[]) parent`
    const expected = await sql<{ id: string; reply: boolean }[]>`
      select id, parent_comment_id is not null as reply from public.comments where post_id = ${post}
      order by created_at desc, id desc`
    const ids = (reply: boolean) => expected.filter((row) => row.reply === reply).map(({ id }) => id)
    const first = await visitor.get(`/api/posts/${post}/comments`, Comments)
    expect(first.body).toHaveLength(20)
    expect(first.next).not.toBeNull()
    const all = await apiAs(fan).getAllPages(`/api/posts/${post}/comments`, Comments)
    expect(all.map(({ id }) => id)).toEqual(ids(false))
    const replies = await visitor.getAllPages(`/api/comments/${parent.id}/replies`, Comments)
    expect(replies.map(({ id }) => id)).toEqual(ids(true).reverse())
    await visitor.expectError('GET', `/api/posts/${post}/comments?cursor=x`, 400)
  })

  it('are listed by likes, then newest first, with `sort=top`', async () => {
    const post = await publish()
    await sql`
      insert into public.comments (post_id, author_id, content, created_at, likes_count)
      select ${post}, ${other.id}, 'Comment ' || n, now() + (n % 5) * interval '1 second', n % 3 * 6
      from generate_series(1, 44) n`
    const expected = await sql<{ id: string }[]>`
      select id from public.comments where post_id = ${post} order by likes_count desc, created_at desc, id desc`
    for (const user of [null, fan]) {
      const listed = await apiAs(user).getAllPages(`/api/posts/${post}/comments?sort=top`, Comments)
      expect(listed.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    }
    await visitor.expectError('GET', `/api/posts/${post}/comments?sort=oldest`, 400)
    const locked = await publish({ isPremium: true, premiumPrice: 2 })
    const error = await apiAs(fan).expectError('GET', `/api/posts/${locked}/comments?sort=top`, 403)
    expect(error.code).toBe('post_locked')
  })

  it('can be read individually, with the comment that they reply to, by viewers who can see both', async () => {
    const post = await publish()
    const first = await createComment(fan, post, 'First')
    const reply = await createComment(other, post, 'Reply', first.id)
    const read = async (user: TestUser | null, id: string) =>
      (await apiAs(user).get(`/api/comments/${id}`, LinkedComment)).body
    const expectMissing = (user: TestUser | null, id: string) =>
      apiAs(user).expectError('GET', `/api/comments/${id}`, 404)
    for (const user of [null, author]) {
      expect(await read(user, first.id)).toMatchObject({ comment: { id: first.id }, parent: null })
      expect(await read(user, reply.id)).toMatchObject({
        comment: { id: reply.id, mine: false, canDelete: user === author },
        parent: { id: first.id, repliesCount: 1 },
      })
    }
    await expectMissing(author, randomUUID())
    const soldPost = await publish({ isPremium: true, premiumPrice: 2 })
    const paid = await createComment(author, soldPost, 'Only for buyers')
    for (const user of [null, fan]) await expectMissing(user, paid.id)
    // A reply is hidden from viewers who cannot see the comment that it replies to.
    await apiAs(other).post(`/api/users/${fan.id}/block`, BlockResponse)
    await expectMissing(other, first.id)
    await expectMissing(other, reply.id)
    await apiAs(other).expectNoContent('DELETE', `/api/users/${fan.id}/block`)
  })

  it('are stored once per ID, and the ID cannot be reused by another user or for another post', async () => {
    const [post, otherPost] = [await publish(), await publish()]
    const body = { id: randomUUID(), content: 'Once' }
    const path = `/api/posts/${post}/comments`
    const responses = await Promise.all(
      Array.from({ length: 6 }, () =>
        apiAs(fan)
          .post(path, Comment, body, 201)
          .catch(() => null),
      ),
    )
    expect(responses.filter((response) => response !== null)).toHaveLength(1)
    const repeated = await apiAs(fan).post(path, Comment, { ...body, content: 'Twice' }, 200)
    expect(repeated.body).toEqual(responses.find((response) => response !== null)?.body)
    await apiAs(other).expectError('POST', path, 409, { body })
    await apiAs(fan).expectError('POST', `/api/posts/${otherPost}/comments`, 409, { body })
    expect(await countComments(post)).toBe(1)
  })

  it('have 1 to 500 characters, and a reply belongs to a comment on the same post', async () => {
    const [post, otherPost] = [await publish(), await publish()]
    const path = `/api/posts/${post}/comments`
    for (const content of [undefined, '', ' \n ']) {
      expect((await apiAs(fan).expectError('POST', path, 400, { body: { content } })).message).toBe(
        emptyComment,
      )
    }
    const long = await apiAs(fan).expectError('POST', path, 400, { body: { content: 'x'.repeat(501) } })
    expect(long.message).toBe('A comment can have at most 500 characters.')
    const top = await createComment(fan, post, 'x'.repeat(500))
    const reply = await createComment(other, post, 'A reply', top.id)
    const expectReplyError = (postId: string, parentCommentId: string, status: number) =>
      apiAs(fan).expectError('POST', `/api/posts/${postId}/comments`, status, {
        body: { content: 'x', parentCommentId },
      })
    expect((await expectReplyError(post, reply.id, 400)).message).toBe("You can't reply to a reply.")
    expect((await expectReplyError(otherPost, top.id, 404)).message).toBe('Comment not found')
    expect((await expectReplyError(post, randomUUID(), 404)).message).toBe('Comment not found')
    expect((await expectReplyError(randomUUID(), top.id, 404)).message).toBe('Post not found')
    expect((await visitor.expectError('POST', path, 401, { body: {} })).code).toBe('unauthorized')
    for (const name of [randomUUID(), 'x']) {
      await visitor.expectError('GET', `/api/posts/${name}/comments`, 404)
      await visitor.expectError('GET', `/api/comments/${name}/replies`, 404)
    }
  })

  it('can be deleted, together with their replies, by the author of the comment or of the post', async () => {
    const post = await publish()
    const [first, second] = [await createComment(fan, post, 'One'), await createComment(fan, post, 'Two')]
    await createComment(other, post, 'Reply', first.id)
    const reply = await createComment(fan, post, 'Reply', second.id)
    expect((await apiAs(other).expectError('DELETE', `/api/comments/${first.id}`, 403)).code).toBe(
      'forbidden',
    )
    await visitor.expectError('DELETE', `/api/comments/${first.id}`, 401)
    await apiAs(fan).expectNoContent('DELETE', `/api/comments/${first.id}`)
    expect(await countComments(post)).toBe(2)
    await apiAs(author).expectNoContent('DELETE', `/api/comments/${reply.id}`)
    expect((await listComments(null, post)).map(({ id, repliesCount }) => [id, repliesCount])).toEqual([
      [second.id, 0],
    ])
    expect((await apiAs(fan).expectError('DELETE', `/api/comments/${first.id}`, 404)).message).toBe(
      'Comment not found',
    )
    await visitor.expectError('GET', `/api/comments/${first.id}/replies`, 404)
  })

  it('on a locked post can be neither read nor written', async () => {
    const post = await publish({ isPremium: true, premiumPrice: 2, teaser: 'For money' })
    const path = `/api/posts/${post}/comments`
    const ownComment = await createComment(author, post, 'For those who paid')
    for (const user of [null, other]) {
      const body = await apiAs(user).expectError('GET', path, 403)
      expect(body).toEqual({ code: 'post_locked', message: 'Unlock this post to read and write comments.' })
      await apiAs(user).expectError('GET', `/api/comments/${ownComment.id}/replies`, 404)
    }
    expect((await apiAs(fan).expectError('POST', path, 403, { body: { content: 'x' } })).code).toBe(
      'post_locked',
    )
    await apiAs(fan).post(`/api/posts/${post}/unlock`, UnlockResponse, { amount: 2 })
    await createComment(fan, post, 'Worth it', ownComment.id)
    expect((await listComments(fan, post)).map(({ id, repliesCount }) => [id, repliesCount])).toEqual([
      [ownComment.id, 1],
    ])
  })

  it('are kept without an author after their author is deleted, and are hidden from viewers who blocked their author', async () => {
    const post = await publish()
    const [deletedUser, blockedUser] = await Promise.all([createUser(), createUser()])
    const commentOfDeletedUser = await createComment(deletedUser, post, 'I was here')
    const commentOfBlockedUser = await createComment(blockedUser, post, 'And I')
    await sql`delete from auth.users where id = ${deletedUser.id}`
    await apiAs(fan).post(`/api/users/${blockedUser.id}/block`, BlockResponse)
    expect((await listComments(fan, post)).map(({ id, user }) => [id, user])).toEqual([
      [commentOfDeletedUser.id, null],
    ])
    expect((await listComments(other, post)).map(({ id }) => id)).toEqual([
      commentOfBlockedUser.id,
      commentOfDeletedUser.id,
    ])
    await apiAs(fan).expectError('GET', `/api/comments/${commentOfBlockedUser.id}/replies`, 404)
    const body = { content: 'x', parentCommentId: commentOfBlockedUser.id }
    await apiAs(fan).expectError('POST', `/api/posts/${post}/comments`, 404, { body })
  })

  it('are rate limited together with posts', async () => {
    const post = await publish()
    const body = { id: randomUUID(), content: 'Before the limit' }
    await apiAs(other).post(`/api/posts/${post}/comments`, Comment, body, 201)
    await exhaustRateLimit('posts', other.id, 30, '1 minute')
    const error = await apiAs(other).expectError('POST', `/api/posts/${post}/comments`, 429, {
      body: { content: 'x' },
    })
    expect(error.code).toBe('rate_limited')
    await apiAs(other).expectError('POST', '/api/posts', 429, { body: { content: 'x' } })
    // Sending a stored comment again does not count toward the limit.
    await apiAs(other).post(`/api/posts/${post}/comments`, Comment, body, 200)
    await clearRateLimits(other.id, 'posts')
  })
})

describe('POST /api/comments/:id/like', () => {
  it('likes a comment or reply, and removes the like', async () => {
    const post = await publish()
    const comment = await createComment(fan, post, 'Likeable')
    expect(comment).toMatchObject({ liked: false, likesCount: 0 })
    const reply = await createComment(author, post, 'Indeed', comment.id)
    const toggle = async (user: TestUser, id: string) =>
      (await apiAs(user).post(`/api/comments/${id}/like`, LikeResponse)).body
    expect(await toggle(other, comment.id)).toEqual({ liked: true, likesCount: 1 })
    expect(await toggle(author, comment.id)).toEqual({ liked: true, likesCount: 2 })
    expect(await toggle(other, reply.id)).toEqual({ liked: true, likesCount: 1 })
    expect((await listComments(other, post))[0]).toMatchObject({ liked: true, likesCount: 2 })
    expect((await listReplies(other, comment.id))[0]).toMatchObject({ liked: true, likesCount: 1 })
    for (const user of [fan, null])
      expect((await listComments(user, post))[0]).toMatchObject({ liked: false, likesCount: 2 })
    const [notification] = (await apiAs(fan).get('/api/notifications', z.array(Notification))).body
    expect(notification).toMatchObject({
      kind: 'like',
      message: expect.stringMatching(/ and 1 other liked your comment\.$/),
      othersCount: 1,
      commentText: 'Likeable',
      href: `/post/${post}#comment-${comment.id}`,
      details: { liked: 'comment' },
    })
    expect(await toggle(other, comment.id)).toEqual({ liked: false, likesCount: 1 })
  })

  it('requires a session, and a comment that the caller can read', async () => {
    const post = await publish({ isPremium: true, premiumPrice: 5 })
    const comment = await createComment(author, post, 'For buyers')
    await visitor.expectError('POST', `/api/comments/${comment.id}/like`, 401)
    await apiAs(other).expectError('POST', `/api/comments/${comment.id}/like`, 404)
    await apiAs(other).expectError('POST', `/api/comments/${randomUUID()}/like`, 404)
  })

  it('still removes the like of a user who can no longer read the comment', async () => {
    const post = await publish()
    const comment = await createComment(author, post, 'Before the block')
    const { reader } = await createUsers('reader')
    await apiAs(reader).post(`/api/comments/${comment.id}/like`, LikeResponse)
    await apiAs(author).post(`/api/users/${reader.id}/block`, BlockResponse)
    const { body } = await apiAs(reader).post(`/api/comments/${comment.id}/like`, LikeResponse)
    expect(body).toEqual({ liked: false, likesCount: 0 })
    expect((await listComments(author, post))[0]).toMatchObject({ likesCount: 0 })
  })
})
