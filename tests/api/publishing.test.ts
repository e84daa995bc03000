import { randomUUID } from 'node:crypto'
import { Count } from '@contract/common.ts'
import { Post, UnlockResponse } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
const visitor = apiAs(null)
let creator: TestUser
let fan: TestUser
let follower: TestUser
let blocked: TestUser

beforeAll(async () => {
  ;({ creator, fan, follower, blocked } = await createUsers('creator', 'fan', 'follower', 'blocked'))
  await makeCreator(creator)
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${creator.id}, ${blocked.id})`
  await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${creator.id})`
})

const sessionIdOf = (user: TestUser): string =>
  JSON.parse(Buffer.from(user.token.split('.')[1] ?? '', 'base64url').toString()).session_id

/** Stores an upload and returns its URL. The state `ready` means that the file has been checked. */
async function createUpload(
  user: TestUser,
  kind: 'image' | 'video' = 'image',
  state = 'ready',
): Promise<string> {
  const id = randomUUID()
  const isImage = kind === 'image'
  await sql`
    insert into public.media (id, owner_id, kind, state, path, content_type, bytes, width, height, placeholder)
    values (${id}, ${user.id}, ${kind}, ${state}, ${`${user.id}/${id}`}, ${isImage ? 'image/png' : 'video/mp4'}, 10,
            ${isImage ? 640 : null}, ${isImage ? 480 : null}, ${isImage ? 'data:image/png;base64,AAAA' : null})`
  return `/api/media/${id}`
}

describe('POST /api/posts with media', () => {
  it('creates a post from media alone and returns the dimensions of the media', async () => {
    const imageUrl = await createUpload(creator)
    const post = await createPost(creator, { imageUrl, altText: ' A bench by the sea ' })
    expect(post).toMatchObject({
      content: '',
      imageUrl,
      videoUrl: null,
      posterUrl: null,
      mediaType: 'image',
      mediaWidth: 640,
      mediaHeight: 480,
      placeholder: 'data:image/png;base64,AAAA',
      altText: 'A bench by the sea',
    })
    const posterUrl = await createUpload(creator)
    const videoUrl = await createUpload(creator, 'video')
    expect(await createPost(creator, { content: 'Moving', videoUrl, posterUrl })).toMatchObject({
      imageUrl: null,
      videoUrl,
      posterUrl,
      mediaType: 'video',
      mediaWidth: 640,
      mediaHeight: 480,
    })
  })

  it('accepts only media URLs of this site, absolute or relative', async () => {
    const imageUrl = await createUpload(creator)
    const expectCreateError = (body: Record<string, unknown>) =>
      apiAs(creator).expectError('POST', '/api/posts', 400, { body })
    for (const prefix of ['https://evil.example', '//evil.example', 'javascript:', '.', '/x/..']) {
      expect((await expectCreateError({ content: 'x', imageUrl: `${prefix}${imageUrl}` })).code).toBe(
        'media_not_usable',
      )
    }
    for (const invalidUrl of [
      '/api/media/1',
      '/api/media/../posts',
      `${imageUrl}/x`,
      `${imageUrl}?x`,
      'data:image/png;base64,AA',
    ]) {
      expect((await expectCreateError({ content: 'x', imageUrl: invalidUrl })).code).toBe('media_not_usable')
    }
    expect((await createPost(creator, { imageUrl: `${stack.apiUrl}${imageUrl}` })).imageUrl).toBe(imageUrl)
  })

  it('accepts only ready uploads by the caller, only once and only as the right media type', async () => {
    const createErrorCode = async (user: TestUser, body: Record<string, unknown>) =>
      (await apiAs(user).expectError('POST', '/api/posts', 400, { body: { content: 'x', ...body } })).code
    const imageUrl = await createUpload(creator)
    expect(await createErrorCode(fan, { imageUrl })).toBe('media_not_usable')
    expect(await createErrorCode(creator, { videoUrl: imageUrl })).toBe('media_not_usable')
    expect(
      await createErrorCode(creator, { imageUrl: await createUpload(creator, 'image', 'pending') }),
    ).toBe('media_not_usable')
    expect(await createErrorCode(creator, { imageUrl: `/api/media/${randomUUID()}` })).toBe(
      'media_not_usable',
    )
    expect(await createErrorCode(creator, { imageUrl, videoUrl: await createUpload(creator, 'video') })).toBe(
      'validation_failed',
    )

    const burst = await Promise.all(
      [1, 2, 3].map(async () => {
        const headers = authorizationHeader(creator)
        return (await call('POST', '/api/posts', { headers, body: { imageUrl } })).status
      }),
    )
    expect(burst.sort()).toEqual([201, 400, 400])
    // Used media is rejected for a premium post as well.
    expect(await createErrorCode(creator, { imageUrl, isPremium: true })).toBe('media_not_usable')
  })

  it('returns the same post when a request with the same ID is repeated', async () => {
    const body = { id: randomUUID(), imageUrl: await createUpload(creator) }
    const first = await createPost(creator, body)
    expect((await apiAs(creator).post('/api/posts', Post, body)).body).toEqual(first)
  })
})

describe('POST /api/posts with the same ID, in parallel', () => {
  it('stores one post and returns it to every request', async () => {
    const body = { id: randomUUID(), content: 'In parallel', imageUrl: await createUpload(creator) }
    const responses = await Promise.all(
      [1, 2, 3, 4, 5].map(() => call('POST', '/api/posts', { body, headers: authorizationHeader(creator) })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    const posts = await Promise.all(responses.map(async (response) => Post.parse(await response.json())))
    expect(posts.map(({ id, content }) => ({ id, content }))).toEqual(
      Array(5).fill({ id: body.id, content: body.content }),
    )
    expect(
      await sql`select from public.posts where author_id = ${creator.id} and content = ${body.content}`,
    ).toHaveLength(1)
  })
})

describe('invisible text', () => {
  it('is rejected as post content', async () => {
    for (const content of ['\u200b', ' \u2800\u3164\ufeff\n', '\u{E0020}\u200d']) {
      await apiAs(creator).expectError('POST', '/api/posts', 400, { body: { content } })
    }
    const { id } = await createPost(creator, '❤️')
    await apiAs(creator).expectError('PATCH', `/api/posts/${id}`, 400, { body: { content: '\u200b' } })
  })
})

describe('POST /api/posts with isPremium', () => {
  it('is limited to creators, and the price defaults to $10 and must be within limits', async () => {
    const body = { content: 'Paid', isPremium: true }
    expect((await apiAs(fan).expectError('POST', '/api/posts', 403, { body })).code).toBe('creators_only')
    // A user who is not a creator gets 403 for an invalid body too.
    await apiAs(fan).expectError('POST', '/api/posts', 403, { body: { ...body, premiumPrice: -1 } })
    for (const premiumPrice of [0.99, 0, -1, 1000, 1.005, '12', Number.MAX_SAFE_INTEGER]) {
      await apiAs(creator).expectError('POST', '/api/posts', 400, { body: { ...body, premiumPrice } })
    }
    expect((await createPost(creator, body)).premiumPrice).toBe(10)
    for (const premiumPrice of [1, 4.35, 999.99]) {
      expect((await createPost(creator, { ...body, premiumPrice })).premiumPrice).toBe(premiumPrice)
    }
    // Without isPremium, the post is free, and the price and teaser are ignored.
    expect(await createPost(creator, { content: 'Free', premiumPrice: 5, teaser: 'None' })).toMatchObject({
      isPremium: false,
      premiumPrice: null,
      teaser: null,
    })
  })

  it('returns the full post to its author, and the teaser with media dimensions to everyone else', async () => {
    const imageUrl = await createUpload(creator)
    const post = await createPost(creator, {
      content: 'The paid words',
      teaser: 'Come closer',
      isPremium: true,
      premiumPrice: 9.5,
      imageUrl,
      altText: 'A description of the image',
    })
    expect(post).toMatchObject({ locked: false, content: 'The paid words', imageUrl, mine: true })
    for (const reader of [visitor, apiAs(fan)]) {
      expect((await reader.get(`/api/posts/${post.id}`, Post)).body).toEqual({
        ...post,
        content: '',
        imageUrl: null,
        altText: null,
        locked: true,
        mine: false,
        viewsCount: null,
      })
    }
  })
})

describe('PATCH /api/posts/:id', () => {
  it('changes only the given fields and sets editedAt', async () => {
    const post = await createPost(creator, {
      content: 'First',
      imageUrl: await createUpload(creator),
      altText: 'Old',
    })
    expect(post.editedAt).toBeNull()
    const changed = (await apiAs(creator).patch(`/api/posts/${post.id}`, Post, { content: ' Second ' })).body
    expect(changed).toEqual({ ...post, content: 'Second', editedAt: changed.editedAt })
    expect(Date.parse(changed.editedAt ?? '')).toBeGreaterThan(Date.parse(post.createdAt))
    const imageOnly = await apiAs(creator).patch(`/api/posts/${post.id}`, Post, {
      content: '',
      altText: null,
    })
    expect(imageOnly.body).toMatchObject({ content: '', altText: null, imageUrl: post.imageUrl })
  })

  it('changes the price and teaser of a premium post, but not its type or media', async () => {
    const { id } = await createPost(creator, { content: 'Paid', isPremium: true, premiumPrice: 5 })
    const edit = (body: unknown) => apiAs(creator).patch(`/api/posts/${id}`, Post, body)
    expect((await edit({ premiumPrice: 7.25, teaser: 'New' })).body).toMatchObject({
      content: 'Paid',
      premiumPrice: 7.25,
      teaser: 'New',
    })
    expect((await edit({ teaser: null })).body.teaser).toBeNull()
    const lockedPost = (await apiAs(fan).get(`/api/posts/${id}`, Post)).body
    expect(lockedPost).toMatchObject({ locked: true, content: '', premiumPrice: 7.25 })
    for (const body of [
      {},
      { premiumPrice: 0 },
      { isPremium: false },
      { imageUrl: null },
      { content: 'x'.repeat(5001) },
    ]) {
      await apiAs(creator).expectError('PATCH', `/api/posts/${id}`, 400, { body })
    }
    await apiAs(creator).expectError('PATCH', `/api/posts/${id}`, 400, { body: { content: ' ' } })
  })

  it('includes a premium post in subscriptions without unlocking it for non-subscribers', async () => {
    const { id, includedInSubscription } = await createPost(creator, { content: 'Paid', isPremium: true })
    expect(includedInSubscription).toBe(false)
    const edit = async (body: unknown) => (await apiAs(creator).patch(`/api/posts/${id}`, Post, body)).body
    expect((await edit({ includedInSubscription: true })).includedInSubscription).toBe(true)
    expect((await edit({ content: 'More' })).includedInSubscription).toBe(true)
    for (const reader of [fan, follower, null]) {
      expect((await apiAs(reader).get(`/api/posts/${id}`, Post)).body).toMatchObject({
        includedInSubscription: true,
        locked: true,
        content: '',
      })
    }
    expect((await edit({ includedInSubscription: false })).includedInSubscription).toBe(false)
    const free = await createPost(creator, 'Free')
    for (const [postId, value] of [
      [free.id, true],
      [free.id, false],
      [id, 'yes'],
      [id, null],
    ] as const) {
      const body = { includedInSubscription: value }
      await apiAs(creator).expectError('PATCH', `/api/posts/${postId}`, 400, { body })
    }
  })

  it('shows or hides the unlock count of a premium post, and always shows its approximate text length', async () => {
    const content = 'x'.repeat(244)
    const data = { content, isPremium: true, premiumPrice: 3, showUnlocks: true }
    const { id } = await createPost(creator, data)
    const edit = async (body: unknown) => (await apiAs(creator).patch(`/api/posts/${id}`, Post, body)).body
    expect(await edit({ showUnlocks: false })).toMatchObject({ unlocksCount: null, paidTextLength: 240 })
    // Repeating the request that created the post does not overwrite the edit.
    await apiAs(creator).post('/api/posts', Post, { id, ...data }, 200)
    const read = async (reader: TestUser | null) => (await apiAs(reader).get(`/api/posts/${id}`, Post)).body
    for (const reader of [fan, null])
      expect(await read(reader)).toMatchObject({
        locked: true,
        content: '',
        paidTextLength: 240,
        mediaDuration: null,
        unlocksCount: null,
      })
    expect((await edit({ showUnlocks: true })).unlocksCount).toBe(0)
    await apiAs(fan).post(`/api/posts/${id}/unlock`, UnlockResponse, { amount: 3 })
    for (const reader of [fan, creator, null]) expect((await read(reader)).unlocksCount).toBe(1)
    const free = await createPost(creator, { content: 'Free', showUnlocks: true })
    expect(free).toMatchObject({ unlocksCount: null, paidTextLength: null })
    await apiAs(creator).expectError('PATCH', `/api/posts/${free.id}`, 400, { body: { showUnlocks: true } })
  })

  it('is limited to the author and rate limited', async () => {
    const { id } = await createPost(creator, 'Mine')
    const body = { content: 'Yours' }
    await apiAs(fan).expectError('PATCH', `/api/posts/${id}`, 403, { body })
    await apiAs(fan).expectError('PATCH', `/api/posts/${id}`, 403, {
      body: { premiumPrice: 0, isPremium: 7 },
    })
    await apiAs(fan).expectError('PATCH', '/api/posts/nonsense', 404, { body: {} })
    await apiAs(blocked).expectError('PATCH', `/api/posts/${id}`, 404, { body })
    await visitor.expectError('PATCH', `/api/posts/${id}`, 401, { body })
    await apiAs(creator).expectError('PATCH', `/api/posts/${randomUUID()}`, 404, { body })
    // A free post stays free.
    await apiAs(creator).expectError('PATCH', `/api/posts/${id}`, 400, { body: { premiumPrice: 5 } })
    await apiAs(creator).expectError('PATCH', `/api/posts/${id}`, 400, { body: { content: '' } })
    await exhaustRateLimit('posts', creator.id, 30, '1 minute')
    await apiAs(creator).expectError('PATCH', `/api/posts/${id}`, 429, { body })
    await clearRateLimits(creator.id, 'posts')
    expect((await visitor.get(`/api/posts/${id}`, Post)).body.content).toBe('Mine')
  })
})

describe('GET /api/topics/:tag/posts', () => {
  const topicPath = (tag: string) => `/api/topics/${encodeURIComponent(tag)}/posts`
  const ids = async (reader: TestUser | null, tag: string) =>
    (await apiAs(reader).getAllPages(`${topicPath(tag)}?limit=2`, Posts)).map((post) => post.id)

  it('returns posts whose public text contains the hashtag, regardless of case and in any script', async () => {
    await clearRateLimits(creator.id, 'posts')
    const tag = `t${randomUUID().slice(0, 8)}`
    const taggedIds = []
    for (const text of [`One #${tag}`, `#${tag.toUpperCase()}! and again #${tag}`, `(#${tag}) é`]) {
      taggedIds.unshift((await createPost(creator, text)).id)
    }
    const postWithTeaser = await createPost(creator, {
      content: `Paid #${tag}x`,
      teaser: `Look #${tag}`,
      isPremium: true,
    })
    for (const text of [`a#${tag}`, `https://a.example/#${tag}`, `##${tag}`, `#${tag}more`]) {
      await createPost(creator, text)
    }
    expect(await ids(null, tag)).toEqual([postWithTeaser.id, ...taggedIds])
    expect(await ids(fan, `#${tag.toUpperCase()}`)).toEqual([postWithTeaser.id, ...taggedIds])
    // Hashtags in premium content do not count.
    expect(await ids(fan, `${tag}x`)).toEqual([])
    expect(await ids(blocked, tag)).toEqual([])
    await apiAs(creator).patch(`/api/posts/${postWithTeaser.id}`, Post, { teaser: 'Nothing' })
    await apiAs(creator).expectNoContent('DELETE', `/api/posts/${taggedIds[0]}`)
    expect(await ids(fan, tag)).toEqual(taggedIds.slice(1))
    await clearRateLimits(creator.id, 'posts')
    const { id } = await createPost(creator, `#हिन्दी${tag} #Été_${tag} #123`)
    expect(await ids(null, `हिन्दी${tag}`)).toEqual([id])
    expect(await ids(null, `été_${tag}`)).toEqual([id])
    // Every spelling of a hashtag leads to the same topic.
    const other = await createPost(creator, {
      content: `#ΟΔΟΣ_${tag} #İstanbul_${tag} #tag٢٣_${tag} #٢٠٢٤نما_${tag}`,
    })
    for (const spelling of ['ΟΔΟΣ', 'οδος', 'οδοσ', 'İstanbul', 'istanbul', 'tag٢٣', '٢٠٢٤نما']) {
      expect({ spelling, ids: await ids(fan, `${spelling}_${tag}`) }).toEqual({ spelling, ids: [other.id] })
    }
  })

  it('returns 404 for an invalid hashtag', async () => {
    for (const tag of ['123', 'a b', 'a-b', '<b>', 'x'.repeat(51)])
      await visitor.expectError('GET', topicPath(tag), 404)
    expect((await visitor.get(topicPath(`t${randomUUID().slice(0, 8)}`), Posts)).body).toEqual([])
  })
})

describe('GET /api/posts/new-count', () => {
  const count = async (reader: TestUser, since: string) =>
    (await apiAs(reader).get(`/api/posts/new-count?since=${encodeURIComponent(since)}`, Count)).body.count

  it('counts posts by other users', async () => {
    const { createdAt } = await createPost(creator, 'The newest so far')
    await createPost(creator, 'Newer')
    expect(await count(fan, createdAt)).toBeGreaterThanOrEqual(1)
    expect(await count(fan, '2020-01-01T00:00:00Z')).toBeLessThanOrEqual(99)
  })

  it("excludes the caller's own posts and posts they cannot see or discover, and stops at 99", async () => {
    // The dates are in the future, so that posts by other tests are not counted. The transaction is rolled back.
    const attempt = sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      const insertPosts = (user: TestUser, count: number) => tx`
        insert into public.posts (author_id, content, created_at)
        select ${user.id}, 'Later', '2100-01-01'::timestamptz + n * interval '1 second' from generate_series(1, ${count}) n`
      const countFor = async (user: TestUser) => {
        await tx`select set_config('role', 'authenticated', true), set_config('request.jwt.claim.sub', ${user.id}, true),
          set_config('request.jwt.claims', ${JSON.stringify({
            sub: user.id,
            role: 'authenticated',
            session_id: sessionIdOf(user),
          })}, true)`
        const [row] = await tx<{ all: number; followed: number }[]>`
          select private.count_new_posts('2100-01-01', 99) as all,
                 private.count_new_following_posts('2100-01-01', 99) as followed`
        await tx`reset role`
        return [row?.all, row?.followed]
      }
      await insertPosts(creator, 2)
      await insertPosts(fan, 3)
      const few = {
        creator: await countFor(creator),
        fan: await countFor(fan),
        follower: await countFor(follower),
        blocked: await countFor(blocked),
      }
      await tx`update public.profiles set content_discoverable = false where id = ${creator.id}`
      const undiscoverable = { fan: await countFor(fan), follower: await countFor(follower) }
      await insertPosts(creator, 120)
      const many = await countFor(follower)
      throw { few, undiscoverable, many }
    })
    await expect(attempt).rejects.toEqual({
      few: { creator: [3, 0], fan: [2, 0], follower: [5, 2], blocked: [3, 0] },
      undiscoverable: { fan: [0, 0], follower: [5, 2] },
      many: [99, 99],
    })
  })

  it('requires a valid timestamp and a session', async () => {
    for (const since of [
      '',
      'yesterday',
      '2026-02-30T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '2026-11-21T10:00:00+23:59',
    ]) {
      await apiAs(fan).expectError('GET', `/api/posts/new-count?since=${encodeURIComponent(since)}`, 400)
    }
    await apiAs(fan).expectError('GET', '/api/posts/new-count', 400)
    await visitor.expectError('GET', '/api/posts/new-count?since=2026-01-01T00:00:00Z', 401)
  })
})

describe('refetching a list of posts', () => {
  it("counts one user's new posts, and omits posts created after `until` from the list", async () => {
    const first = await createPost(creator, 'Shown')
    const second = await createPost(creator, 'New')
    await createPost(fan, 'By somebody else')
    const since = `since=${encodeURIComponent(first.createdAt)}`
    const until = `until=${encodeURIComponent(first.createdAt)}`
    const path = `/api/users/${creator.username}/posts`
    const count = async (reader: TestUser | null) =>
      (await apiAs(reader).get(`${path}/new-count?${since}`, Count)).body.count
    expect(
      await Promise.all(
        [null, fan, creator, blocked].map(async (reader) => count(reader).catch(() => 'none')),
      ),
    ).toEqual([1, 1, 0, 'none'])
    for (const list of ['/api/posts', path]) {
      const newest = async (query: string) => {
        const { body } = await visitor.get(`${list}?${query}`, Posts)
        return body.map(({ id }) => id)
      }
      expect((await newest(until))[0]).toBe(first.id)
      expect(await newest('limit=50')).toContain(second.id)
      await visitor.expectError('GET', `${list}?until=2026-02-30T00:00:00Z`, 400)
    }
    await visitor.expectError('GET', `/api/users/${randomUUID()}/posts/new-count?${since}`, 404)
    await visitor.expectError('GET', `${path}/new-count?since=yesterday`, 400)
  })
})
