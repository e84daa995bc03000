import { randomUUID } from 'node:crypto'
import { Id } from '@contract/common.ts'
import { LikeResponse, Post, SaveResponse } from '@contract/post.ts'
import { BlockResponse, OwnUser, UserStats } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
const Ids = z.array(Id)
const visitor = apiAs(null)
let author: TestUser
let stranger: TestUser
let blocked: TestUser

beforeAll(async () => {
  ;({ author, stranger, blocked } = await createUsers('author', 'stranger', 'blocked'))
  await apiAs(author).post(`/api/users/${blocked.id}/block`, BlockResponse)
})

describe('/api/posts/:id/pin', () => {
  it('moves the post to the top of the profile without listing it twice, for every page size and viewer', async () => {
    const { poster } = await createUsers('poster')
    const posts = [
      await createPost(poster, 'One'),
      await createPost(poster, 'Two'),
      await createPost(poster, 'Three'),
    ]
    const [one, two, three] = posts.map(({ id }) => id)
    const path = `/api/users/${poster.username}/posts`
    await apiAs(poster).expectNoContent('PUT', `/api/posts/${one}/pin`)
    await apiAs(poster).expectNoContent('PUT', `/api/posts/${one}/pin`)
    for (const client of [apiAs(poster), apiAs(stranger), visitor]) {
      for (const limit of [1, 2, 3, 10]) {
        const listed = await client.getAllPages(`${path}?limit=${limit}`, Posts)
        expect(listed.map(({ id, pinned }) => [id, pinned])).toEqual([
          [one, true],
          [three, false],
          [two, false],
        ])
      }
    }
    const ids = async (query: string) =>
      (await visitor.get(`${path}?${query}`, Posts)).body.map(({ id }) => id)
    expect(await ids('offset=1')).toEqual([three, two])
    // `until` omits newer posts, but never the pinned one.
    await apiAs(poster).expectNoContent('PUT', `/api/posts/${three}/pin`)
    expect(await ids(`until=${encodeURIComponent(posts[0]?.createdAt ?? '')}`)).toEqual([three, one])
    await apiAs(poster).expectNoContent('DELETE', `/api/posts/${three}/pin`)
    expect(await ids('')).toEqual([three, two, one])
    await apiAs(stranger).expectError('PUT', `/api/posts/${one}/pin`, 403)
    await apiAs(poster).expectError('PUT', `/api/posts/${randomUUID()}/pin`, 404)
    await visitor.expectError('PUT', `/api/posts/${one}/pin`, 401)
  })
})

describe('GET /api/users/:identifier/posts?kind=&q=', () => {
  let creator: TestUser
  let path: string
  const contents = async (query: string, client = apiAs(stranger)) =>
    (await client.getAllPages(`${path}?limit=2&${query}`, Posts)).map((post) => post.teaser ?? post.content)

  beforeAll(async () => {
    ;({ creator } = await createUsers('creator'))
    path = `/api/users/${creator.username}/posts`
    await apiAs(creator).post(`/api/users/${blocked.id}/block`, BlockResponse)
    await sql`
      insert into public.posts (author_id, content, media_type, created_at)
      select ${creator.id}, 'Harbour ' || kind || ' ' || n, nullif(kind, 'text'), now() - n * interval '1 minute'
      from unnest(array['image', 'video', 'text']) kind, generate_series(1, 3) n`
    const [premium] = await sql<{ id: string }[]>`
      insert into public.posts (author_id, teaser, is_premium, premium_price, created_at)
      values (${creator.id}, 'Harbour teaser', true, 5, now() - interval '1 hour') returning id`
    await sql`
      insert into public.premium_contents (post_id, author_id, content)
      values (${premium?.id ?? ''}, ${creator.id}, 'The lighthouse')`
  })

  it('lists the posts of a kind, newest first, without moving the pinned post to the top', async () => {
    await sql`update public.posts set pinned = true where author_id = ${creator.id} and content = 'Harbour image 3'`
    for (const client of [apiAs(stranger), apiAs(creator), visitor]) {
      const images = ['Harbour image 1', 'Harbour image 2', 'Harbour image 3']
      expect(await contents('kind=image', client)).toEqual(images)
      expect(await contents('kind=premium', client)).toEqual(['Harbour teaser'])
    }
    expect(await contents('kind=text')).toEqual([
      'Harbour text 1',
      'Harbour text 2',
      'Harbour text 3',
      'Harbour teaser',
    ])
    expect((await visitor.get(`${path}?kind=video&limit=1&offset=2`, Posts)).body[0]?.content).toBe(
      'Harbour video 3',
    )
    expect((await visitor.get(`/api/users/${creator.id}/stats`, UserStats)).body).toMatchObject({
      posts: 10,
      photos: 3,
      videos: 3,
      premiumPosts: 1,
    })
  })

  it('finds the posts that contain all words of the query, within a kind if one is given', async () => {
    expect(await contents('q=HARB%20text')).toEqual(['Harbour text 1', 'Harbour text 2', 'Harbour text 3'])
    expect(await contents('q=harbour&kind=video')).toHaveLength(3)
    expect(await contents('q=harbour%20teaser')).toEqual(['Harbour teaser'])
    expect(await contents('q=nothing')).toEqual([])
    expect(await contents('q=%21')).toEqual([])
    expect(await contents('q=')).toHaveLength(10)
  })

  it('finds posts older than the 5,000 that it reads for one page', async () => {
    const { writer } = await createUsers('writer')
    const url = `/api/users/${writer.id}/posts?q=lantern`
    await sql.begin(async (tx) => {
      await tx`
        insert into public.posts (author_id, content, created_at)
        select ${writer.id}, 'A lantern', now() - n * interval '1 day' from generate_series(1, 2) n`
      // Disables triggers, because they would take several seconds.
      await tx`set local session_replication_role = replica`
      await tx`
        insert into public.posts (author_id, content, created_at)
        select ${writer.id}, 'Other', now() - n * interval '1 second' from generate_series(1, 5000) n`
    })
    const first = await apiAs(stranger).get(url, Posts)
    expect(first.body).toEqual([])
    expect(await apiAs(stranger).getAllPages(url, Posts)).toHaveLength(2)
    expect(await apiAs(stranger).getAllPages(`${url}&kind=image`, Posts)).toEqual([])
  })

  it('does not find paid text or the posts of users who blocked the caller', async () => {
    for (const client of [apiAs(stranger), apiAs(creator)]) {
      expect(await contents('q=lighthouse', client)).toEqual([])
    }
    for (const query of ['q=harbour', 'kind=image'])
      await apiAs(blocked).expectError('GET', `${path}?${query}`, 404)
  })

  it('rejects unknown kinds, unknown users and searches by visitors, and limits searches', async () => {
    await visitor.expectError('GET', `${path}?q=harbour`, 401)
    await visitor.expectError('GET', `${path}?kind=audio`, 400)
    await visitor.expectError('GET', `/api/users/${randomUUID()}/posts?kind=image`, 404)
    await exhaustRateLimit('search', stranger.id, 120, '1 minute')
    await apiAs(stranger).expectError('GET', `${path}?q=harbour`, 429)
    await clearRateLimits(stranger.id, 'search')
  })
})

describe('POST /api/posts', () => {
  it('stores the trimmed text and returns the post', async () => {
    const post = await createPost(author, '  Hello, <b>world</b> 👋\n ')
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
    const seenByStranger = await apiAs(stranger).get(`/api/posts/${post.id}`, Post)
    const seenByOthers = { ...post, mine: false, viewsCount: null }
    expect(seenByStranger.body).toEqual(seenByOthers)
    expect((await visitor.get(`/api/posts/${post.id}`, Post)).body).toEqual(seenByOthers)
  })

  it('stores one post per ID for repeated and parallel requests', async () => {
    const id = randomUUID()
    const first = await createPost(author, { content: 'Once', id })
    const repeated = await apiAs(author).post('/api/posts', Post, { id, content: 'Twice' })
    expect(repeated.body).toEqual(first)
    const parallelId = randomUUID()
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() =>
        call('POST', '/api/posts', {
          body: { id: parallelId, content: 'Burst' },
          headers: authorizationHeader(author),
        }),
      ),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([200, 200, 200, 201])
    expect((await sql`select from public.posts where id in (${id}, ${parallelId})`).count).toBe(2)
  })

  it("rejects the ID of another user's post", async () => {
    const { id } = await createPost(author, 'Mine')
    expect(
      (await apiAs(stranger).expectError('POST', '/api/posts', 409, { body: { id, content: 'X' } })).code,
    ).toBe('conflict')
    await apiAs(blocked).expectError('POST', '/api/posts', 409, { body: { id, content: 'X' } })
    expect((await visitor.get(`/api/posts/${id}`, Post)).body.content).toBe('Mine')
  })

  it('rejects invalid content, an invalid ID and visitors', async () => {
    const text = 'Please enter some content or add an image/video for your post.'
    for (const body of [{}, { content: '' }, { content: ' \n\t ' }, { content: 7 }]) {
      expect(await apiAs(author).expectError('POST', '/api/posts', 400, { body })).toEqual({
        message: text,
        code: 'validation_failed',
        errors: { content: [text] },
      })
    }
    await apiAs(author).expectError('POST', '/api/posts', 400, { body: { content: 'x'.repeat(5001) } })
    await apiAs(author).expectError('POST', '/api/posts', 400, { body: { content: 'x', id: 'nonsense' } })
    await apiAs(author).expectError('POST', '/api/posts', 400, { body: { content: 'a\u0000b' } })
    await visitor.expectError('POST', '/api/posts', 401, { body: { content: 'x' } })
    await visitor.expectError('POST', '/api/posts', 401, { body: {} })
  })

  it('is limited to 30 posts per minute', async () => {
    await clearRateLimits(stranger.id, 'posts')
    await exhaustRateLimit('posts', stranger.id, 30, '1 minute')
    const body = await apiAs(stranger).expectError('POST', '/api/posts', 429, {
      body: { content: 'One more' },
    })
    expect(body.code).toBe('rate_limited')
    await createPost(author, 'Others go on')
    await clearRateLimits(stranger.id, 'posts')
  })
})

describe('GET /api/posts/:id', () => {
  it('applies a profile visibility change immediately', async () => {
    const { id } = await createPost(author, 'For some')
    await apiAs(blocked).expectError('GET', `/api/posts/${id}`, 404)
    await apiAs(author).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'private' })
    await visitor.expectError('GET', `/api/posts/${id}`, 404)
    await apiAs(stranger).expectError('POST', `/api/posts/${id}/like`, 404)
    expect((await apiAs(stranger).get(`/api/users/${author.id}/posts`, Posts)).body).toEqual([])
    const feed = await apiAs(stranger).get('/api/posts?limit=50', Posts)
    expect(feed.body.map((post) => post.userId)).not.toContain(author.id)
    expect((await apiAs(author).get(`/api/posts/${id}`, Post)).body.mine).toBe(true)
    await apiAs(author).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'public' })
    await visitor.get(`/api/posts/${id}`, Post)
  })

  it('returns 404 for unknown posts', async () => {
    const body = await visitor.expectError('GET', `/api/posts/${randomUUID()}`, 404)
    expect(body).toEqual({ message: 'Post not found', code: 'not_found' })
    await visitor.expectError('GET', '/api/posts/nonsense', 404)
  })
})

describe('POST /api/posts/:id/like and /save', () => {
  it('toggle the state and update the lists of liked and saved posts', async () => {
    const { id } = await createPost(author, 'Likeable')
    const like = async (user: TestUser) =>
      (await apiAs(user).post(`/api/posts/${id}/like`, LikeResponse)).body
    const save = async () => (await apiAs(stranger).post(`/api/posts/${id}/save`, SaveResponse)).body
    expect(await like(stranger)).toEqual({ liked: true, likesCount: 1 })
    expect(await like(author)).toEqual({ liked: true, likesCount: 2 })
    expect(await save()).toEqual({ saved: true })
    const seenByStranger = await apiAs(stranger).get(`/api/posts/${id}`, Post)
    expect(seenByStranger.body).toMatchObject({ liked: true, saved: true, likesCount: 2 })
    expect((await apiAs(stranger).get('/api/user/liked-posts', Ids)).body).toEqual([id])
    expect((await apiAs(stranger).get('/api/user/liked-posts/details', Posts)).body).toMatchObject([
      { id, liked: true, viewsCount: null },
    ])
    expect((await apiAs(stranger).get('/api/user/saved-posts', Posts)).body.map((post) => post.id)).toEqual([
      id,
    ])
    expect((await apiAs(author).get('/api/user/saved-posts', Posts)).body).toEqual([])
    expect(await like(stranger)).toEqual({ liked: false, likesCount: 1 })
    expect(await save()).toEqual({ saved: false })
    expect((await apiAs(stranger).get('/api/user/liked-posts', Ids)).body).toEqual([])
  })

  it('require a session and a visible post', async () => {
    const { id } = await createPost(author, 'Not for all')
    for (const action of ['like', 'save']) {
      await visitor.expectError('POST', `/api/posts/${id}/${action}`, 401)
      await apiAs(blocked).expectError('POST', `/api/posts/${id}/${action}`, 404)
      await apiAs(stranger).expectError('POST', `/api/posts/${randomUUID()}/${action}`, 404)
    }
    await visitor.expectError('GET', '/api/user/liked-posts', 401)
    await visitor.expectError('GET', '/api/user/liked-posts/details', 401)
    await visitor.expectError('GET', '/api/user/saved-posts', 401)
  })

  it('share a limit of 120 a minute with follows; undoing does not count', async () => {
    const { fan } = await createUsers('fan')
    const [saved, unsaved] = [await createPost(author, 'Saved'), await createPost(author, 'Not saved')]
    await apiAs(fan).post(`/api/posts/${saved.id}/save`, SaveResponse)
    await exhaustRateLimit('relations', fan.id, 120, '1 minute')
    for (const path of [
      `/api/posts/${unsaved.id}/like`,
      `/api/posts/${unsaved.id}/save`,
      `/api/users/${author.id}/follow`,
    ]) {
      expect((await apiAs(fan).expectError('POST', path, 429)).code).toBe('rate_limited')
    }
    const { body } = await apiAs(fan).post(`/api/posts/${saved.id}/save`, SaveResponse)
    expect(body).toEqual({ saved: false })
    await clearRateLimits(fan.id, 'relations')
  })
})

describe('DELETE /api/posts/:id', () => {
  it('is limited to the author', async () => {
    const { id } = await createPost(author, 'Short-lived')
    const before = (await visitor.get(`/api/users/${author.id}/stats`, UserStats)).body.posts
    expect((await apiAs(stranger).expectError('DELETE', `/api/posts/${id}`, 403)).code).toBe('forbidden')
    await apiAs(blocked).expectError('DELETE', `/api/posts/${id}`, 404)
    await visitor.expectError('DELETE', `/api/posts/${id}`, 401)
    await apiAs(author).expectNoContent('DELETE', `/api/posts/${id}`)
    await apiAs(author).expectError('DELETE', `/api/posts/${id}`, 404)
    const after = (await visitor.get(`/api/users/${author.id}/stats`, UserStats)).body.posts
    expect(after).toBe((before ?? 0) - 1)
  })
})
