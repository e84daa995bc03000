import { randomUUID } from 'node:crypto'
import { Comment, emptyComment } from '@contract/comment.ts'
import { Post, UnlockResponse } from '@contract/post.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

const Comments = z.array(Comment)
const visitor = apiAs(null)
let author: TestUser
let fan: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ author, fan, other } = await createUsers('author', 'fan', 'other'))
  await sql`update public.profiles set is_creator = true where id = ${author.id}`
})

const publish = async (fields: Record<string, unknown> = {}) =>
  (await apiAs(author).post('/api/posts', Post, { content: 'Say something', ...fields }, 201)).body.id
const say = async (who: TestUser, post: string, content: string, parentCommentId?: string) =>
  (await apiAs(who).post(`/api/posts/${post}/comments`, Comment, { content, parentCommentId }, 201)).body
const list = async (who: TestUser | null, post: string) =>
  (await apiAs(who).get(`/api/posts/${post}/comments`, Comments)).body
const replies = async (who: TestUser | null, comment: string) =>
  (await apiAs(who).get(`/api/comments/${comment}/replies`, Comments)).body
const count = async (post: string) => (await visitor.get(`/api/posts/${post}`, Post)).body.commentsCount

describe('comments', () => {
  it('are read newest first and their replies oldest first, with what the reader may do', async () => {
    const post = await publish()
    const first = await say(fan, post, '  First\n')
    expect(first).toMatchObject({
      postId: post,
      content: 'First',
      parentCommentId: null,
      repliesCount: 0,
      mine: true,
      canDelete: true,
    })
    expect(first.user?.id).toBe(fan.id)
    const second = await say(other, post, 'Second')
    const answers = [await say(author, post, 'Thanks', first.id), await say(fan, post, 'Gladly', first.id)]
    expect(answers.map(({ parentCommentId }) => parentCommentId)).toEqual([first.id, first.id])

    const rights = async (who: TestUser | null) =>
      [...(await list(who, post)), ...(await replies(who, first.id))].map((c) => [c.mine, c.canDelete])
    expect((await list(null, post)).map(({ id, repliesCount }) => [id, repliesCount])).toEqual([
      [second.id, 0],
      [first.id, 2],
    ])
    expect((await replies(other, first.id)).map(({ id }) => id)).toEqual(answers.map(({ id }) => id))
    const [no, yes, may] = [
      [false, false],
      [true, true],
      [false, true],
    ]
    // Second, First; then the replies by the author of the post and by the fan.
    expect(await rights(null)).toEqual([no, no, no, no])
    expect(await rights(fan)).toEqual([no, yes, no, yes])
    expect(await rights(author)).toEqual([may, may, yes, may])
    expect(await count(post)).toBe(4)
  })

  it('come page by page, twenty at a time, without a gap or a double', async () => {
    const post = await publish()
    const parent = await say(fan, post, 'Parent')
    // Several at one moment, so that the id has to decide.
    await sql`
      insert into public.comments (post_id, author_id, content, created_at, parent_comment_id)
      select ${post}, ${other.id}, 'Nr ' || n, now() + (n / 3) * interval '1 second', parent
      from generate_series(1, 44) n, unnest(array[null, ${parent.id}]::uuid[]) parent`
    const wanted = await sql<{ id: string; reply: boolean }[]>`
      select id, parent_comment_id is not null as reply from public.comments where post_id = ${post}
      order by created_at desc, id desc`
    const ids = (reply: boolean) => wanted.filter((row) => row.reply === reply).map(({ id }) => id)
    const first = await visitor.get(`/api/posts/${post}/comments`, Comments)
    expect(first.body).toHaveLength(20)
    expect(first.next).not.toBeNull()
    const all = await apiAs(fan).getAllPages(`/api/posts/${post}/comments`, Comments)
    expect(all.map(({ id }) => id)).toEqual(ids(false))
    const answers = await visitor.getAllPages(`/api/comments/${parent.id}/replies`, Comments)
    expect(answers.map(({ id }) => id)).toEqual(ids(true).reverse())
    await visitor.expectError('GET', `/api/posts/${post}/comments?cursor=x`, 400)
  })

  it('are stored once under their id, and an id of somebody else’s is taken', async () => {
    const [post, elsewhere] = [await publish(), await publish()]
    const body = { id: randomUUID(), content: 'Once' }
    const path = `/api/posts/${post}/comments`
    const sent = await Promise.all(
      Array.from({ length: 6 }, () =>
        apiAs(fan)
          .post(path, Comment, body, 201)
          .catch(() => null),
      ),
    )
    expect(sent.filter((one) => one !== null)).toHaveLength(1)
    const again = await apiAs(fan).post(path, Comment, { ...body, content: 'Twice' }, 200)
    expect(again.body).toEqual(sent.find((one) => one !== null)?.body)
    await apiAs(other).expectError('POST', path, 409, { body })
    await apiAs(fan).expectError('POST', `/api/posts/${elsewhere}/comments`, 409, { body })
    expect(await count(post)).toBe(1)
  })

  it('hold 1 to 500 characters, and a reply answers a comment of the same post', async () => {
    const [post, elsewhere] = [await publish(), await publish()]
    const path = `/api/posts/${post}/comments`
    for (const content of [undefined, '', ' \n ']) {
      expect((await apiAs(fan).expectError('POST', path, 400, { body: { content } })).message).toBe(
        emptyComment,
      )
    }
    const long = await apiAs(fan).expectError('POST', path, 400, { body: { content: 'x'.repeat(501) } })
    expect(long.message).toBe('A comment can have at most 500 characters.')
    const top = await say(fan, post, 'x'.repeat(500))
    const reply = await say(other, post, 'A reply', top.id)
    const refused = (on: string, parentCommentId: string, status: number) =>
      apiAs(fan).expectError('POST', `/api/posts/${on}/comments`, status, {
        body: { content: 'x', parentCommentId },
      })
    expect((await refused(post, reply.id, 400)).message).toBe('A reply cannot be replied to.')
    expect((await refused(elsewhere, top.id, 404)).message).toBe('Comment not found')
    expect((await refused(post, randomUUID(), 404)).message).toBe('Comment not found')
    expect((await refused(randomUUID(), top.id, 404)).message).toBe('Post not found')
    expect((await visitor.expectError('POST', path, 401, { body: {} })).code).toBe('unauthorized')
    for (const name of [randomUUID(), 'x']) {
      await visitor.expectError('GET', `/api/posts/${name}/comments`, 404)
      await visitor.expectError('GET', `/api/comments/${name}/replies`, 404)
    }
  })

  it('are deleted, replies and all, by who wrote them and by the author of the post', async () => {
    const post = await publish()
    const [one, two] = [await say(fan, post, 'One'), await say(fan, post, 'Two')]
    await say(other, post, 'Reply', one.id)
    const reply = await say(fan, post, 'Reply', two.id)
    expect((await apiAs(other).expectError('DELETE', `/api/comments/${one.id}`, 403)).code).toBe('forbidden')
    await visitor.expectError('DELETE', `/api/comments/${one.id}`, 401)
    await apiAs(fan).expectNoContent('DELETE', `/api/comments/${one.id}`)
    expect(await count(post)).toBe(2)
    await apiAs(author).expectNoContent('DELETE', `/api/comments/${reply.id}`)
    expect((await list(null, post)).map(({ id, repliesCount }) => [id, repliesCount])).toEqual([[two.id, 0]])
    expect((await apiAs(fan).expectError('DELETE', `/api/comments/${one.id}`, 404)).message).toBe(
      'Comment not found',
    )
    await visitor.expectError('GET', `/api/comments/${one.id}/replies`, 404)
  })

  it('of a locked post are neither read nor written', async () => {
    const post = await publish({ isPremium: true, premiumPrice: 2, teaser: 'For money' })
    const path = `/api/posts/${post}/comments`
    const own = await say(author, post, 'For those who paid')
    for (const who of [null, other]) {
      const body = await apiAs(who).expectError('GET', path, 403)
      expect(body).toEqual({ code: 'post_locked', message: 'Unlock this post to read and write comments.' })
      await apiAs(who).expectError('GET', `/api/comments/${own.id}/replies`, 404)
    }
    expect((await apiAs(fan).expectError('POST', path, 403, { body: { content: 'x' } })).code).toBe(
      'post_locked',
    )
    await apiAs(fan).post(`/api/posts/${post}/unlock`, UnlockResponse, { amount: 2 })
    await say(fan, post, 'Worth it', own.id)
    expect((await list(fan, post)).map(({ id, repliesCount }) => [id, repliesCount])).toEqual([[own.id, 1]])
  })

  it('stay under others’ posts without a name, and hide within a block', async () => {
    const post = await publish()
    const [leaver, foe] = await Promise.all([createUser(), createUser()])
    const left = await say(leaver, post, 'I was here')
    const theirs = await say(foe, post, 'And I')
    await sql`delete from auth.users where id = ${leaver.id}`
    await apiAs(fan).post(`/api/users/${foe.id}/block`, BlockResponse)
    expect((await list(fan, post)).map(({ id, user }) => [id, user])).toEqual([[left.id, null]])
    expect((await list(other, post)).map(({ id }) => id)).toEqual([theirs.id, left.id])
    await apiAs(fan).expectError('GET', `/api/comments/${theirs.id}/replies`, 404)
    const body = { content: 'x', parentCommentId: theirs.id }
    await apiAs(fan).expectError('POST', `/api/posts/${post}/comments`, 404, { body })
  })

  it('share a limit with posts', async () => {
    const post = await publish()
    const body = { id: randomUUID(), content: 'Before the limit' }
    await apiAs(other).post(`/api/posts/${post}/comments`, Comment, body, 201)
    await exhaustRateLimit('posts', other.id, 30, '1 minute')
    const refused = await apiAs(other).expectError('POST', `/api/posts/${post}/comments`, 429, {
      body: { content: 'x' },
    })
    expect(refused.code).toBe('rate_limited')
    await apiAs(other).expectError('POST', '/api/posts', 429, { body: { content: 'x' } })
    // What is stored already costs nothing.
    await apiAs(other).post(`/api/posts/${post}/comments`, Comment, body, 200)
    await clearRateLimits(other.id, 'posts')
  })
})
