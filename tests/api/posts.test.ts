import { randomUUID } from 'node:crypto'
import { Id } from '@contract/common.ts'
import { LikeAnswer, Post, SaveAnswer } from '@contract/post.ts'
import { BlockAnswer, OwnUser, UserStats } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { as, call } from '../support/api.ts'
import { createPeople, type Person } from '../support/people.ts'
import { forgetRates, sql, useUp } from '../support/stack.ts'

const Posts = z.array(Post)
const Ids = z.array(Id)
const visitor = as(null)
let author: Person
let stranger: Person
let blocked: Person

beforeAll(async () => {
  ;({ author, stranger, blocked } = await createPeople('author', 'stranger', 'blocked'))
  await as(author).post(`/api/users/${blocked.id}/block`, BlockAnswer)
})

const publish = async (person: Person, content: string, id?: string) =>
  (await as(person).post('/api/posts', Post, { content, ...(id ? { id } : {}) }, 201)).body

describe('publishing', () => {
  it('stores the trimmed text and answers the post', async () => {
    const post = await publish(author, '  Hello, <b>world</b> 👋\n ')
    expect(post).toMatchObject({
      userId: author.id,
      content: 'Hello, <b>world</b> 👋',
      likesCount: 0,
      commentsCount: 0,
      isPremium: false,
      premiumPrice: null,
      liked: false,
      saved: false,
      locked: false,
      mine: true,
    })
    expect(post.user.username).toBe(author.username)
    expect(Math.abs(Date.parse(post.createdAt) - Date.now())).toBeLessThan(10_000)
    const seen = await as(stranger).get(`/api/posts/${post.id}`, Post)
    expect(seen.body).toEqual({ ...post, mine: false })
    expect((await visitor.get(`/api/posts/${post.id}`, Post)).body).toEqual({ ...post, mine: false })
  })

  it('stores once what is sent again under the same id, even at once', async () => {
    const id = randomUUID()
    const first = await publish(author, 'Once', id)
    const again = await as(author).post('/api/posts', Post, { id, content: 'Twice' })
    expect(again.body).toEqual(first)
    const burst = randomUUID()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        call('POST', '/api/posts', {
          body: { id: burst, content: 'Burst' },
          headers: { Authorization: `Bearer ${author.token}` },
        }),
      ),
    )
    expect(answers.map((response) => response.status).sort()).toEqual([200, 200, 200, 201])
    expect((await sql`select from public.posts where id in (${id}, ${burst})`).count).toBe(2)
  })

  it('does not give an id to somebody else', async () => {
    const { id } = await publish(author, 'Mine')
    expect((await as(stranger).refused('POST', '/api/posts', 409, { body: { id, content: 'X' } })).code).toBe(
      'conflict',
    )
    await as(blocked).refused('POST', '/api/posts', 409, { body: { id, content: 'X' } })
    expect((await visitor.get(`/api/posts/${id}`, Post)).body.content).toBe('Mine')
  })

  it('wants something to publish, and an account', async () => {
    const text = 'Please enter some content or add an image/video for your post.'
    for (const body of [{}, { content: '' }, { content: ' \n\t ' }, { content: 7 }]) {
      expect(await as(author).refused('POST', '/api/posts', 400, { body })).toEqual({
        message: text,
        code: 'validation_failed',
        errors: { content: [text] },
      })
    }
    await as(author).refused('POST', '/api/posts', 400, { body: { content: 'x'.repeat(5001) } })
    await as(author).refused('POST', '/api/posts', 400, { body: { content: 'x', id: 'nonsense' } })
    await as(author).refused('POST', '/api/posts', 400, { body: { content: 'a\u0000b' } })
    await visitor.refused('POST', '/api/posts', 401, { body: { content: 'x' } })
    await visitor.refused('POST', '/api/posts', 401, { body: {} })
  })

  it('stops after 30 a minute', async () => {
    await forgetRates(stranger.id, 'posts')
    await useUp('posts', stranger.id, 30, '1 minute')
    const body = await as(stranger).refused('POST', '/api/posts', 429, { body: { content: 'One more' } })
    expect(body.code).toBe('rate_limited')
    await publish(author, 'Others go on')
    await forgetRates(stranger.id, 'posts')
  })
})

describe('reading', () => {
  it('follows who may see the profile, at once', async () => {
    const { id } = await publish(author, 'For some')
    await as(blocked).refused('GET', `/api/posts/${id}`, 404)
    await as(author).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'private' })
    await visitor.refused('GET', `/api/posts/${id}`, 404)
    await as(stranger).refused('POST', `/api/posts/${id}/like`, 404)
    expect((await as(stranger).get(`/api/users/${author.id}/posts`, Posts)).body).toEqual([])
    const feed = await as(stranger).get('/api/posts?limit=50', Posts)
    expect(feed.body.map((post) => post.userId)).not.toContain(author.id)
    expect((await as(author).get(`/api/posts/${id}`, Post)).body.mine).toBe(true)
    await as(author).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'public' })
    await visitor.get(`/api/posts/${id}`, Post)
  })

  it('answers 404 for what is not there', async () => {
    const body = await visitor.refused('GET', `/api/posts/${randomUUID()}`, 404)
    expect(body).toEqual({ message: 'Post not found', code: 'not_found' })
    await visitor.refused('GET', '/api/posts/nonsense', 404)
  })
})

describe('liking and saving', () => {
  it('go back and forth, and are listed', async () => {
    const { id } = await publish(author, 'Likeable')
    const like = async (person: Person) => (await as(person).post(`/api/posts/${id}/like`, LikeAnswer)).body
    const save = async () => (await as(stranger).post(`/api/posts/${id}/save`, SaveAnswer)).body
    expect(await like(stranger)).toEqual({ liked: true, likesCount: 1 })
    expect(await like(author)).toEqual({ liked: true, likesCount: 2 })
    expect(await save()).toEqual({ saved: true })
    const seen = await as(stranger).get(`/api/posts/${id}`, Post)
    expect(seen.body).toMatchObject({ liked: true, saved: true, likesCount: 2 })
    expect((await as(stranger).get('/api/user/liked-posts', Ids)).body).toEqual([id])
    expect((await as(stranger).get('/api/user/saved-posts', Posts)).body.map((post) => post.id)).toEqual([id])
    expect((await as(author).get('/api/user/saved-posts', Posts)).body).toEqual([])
    expect(await like(stranger)).toEqual({ liked: false, likesCount: 1 })
    expect(await save()).toEqual({ saved: false })
    expect((await as(stranger).get('/api/user/liked-posts', Ids)).body).toEqual([])
  })

  it('need an account and a post that may be seen', async () => {
    const { id } = await publish(author, 'Not for all')
    for (const action of ['like', 'save']) {
      await visitor.refused('POST', `/api/posts/${id}/${action}`, 401)
      await as(blocked).refused('POST', `/api/posts/${id}/${action}`, 404)
      await as(stranger).refused('POST', `/api/posts/${randomUUID()}/${action}`, 404)
    }
    await visitor.refused('GET', '/api/user/liked-posts', 401)
    await visitor.refused('GET', '/api/user/saved-posts', 401)
  })
})

describe('deleting', () => {
  it('is for the author', async () => {
    const { id } = await publish(author, 'Short-lived')
    const before = (await visitor.get(`/api/users/${author.id}/stats`, UserStats)).body.posts
    expect((await as(stranger).refused('DELETE', `/api/posts/${id}`, 403)).code).toBe('forbidden')
    await as(blocked).refused('DELETE', `/api/posts/${id}`, 404)
    await visitor.refused('DELETE', `/api/posts/${id}`, 401)
    await as(author).done('DELETE', `/api/posts/${id}`)
    await as(author).refused('DELETE', `/api/posts/${id}`, 404)
    const after = (await visitor.get(`/api/users/${author.id}/stats`, UserStats)).body.posts
    expect(after).toBe((before ?? 0) - 1)
  })
})
