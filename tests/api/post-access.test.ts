import { Post, SaveResponse, UnlockResponse } from '@contract/post.ts'
import type { ProfileVisibility } from '@contract/profile-visibility.ts'
import { BlockResponse, FollowResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createComment, createPost } from '../support/content-api.ts'
import { createPng } from '../support/media-files.ts'
import { sql, stack } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

/**
 * The readers. Each is tested with every profile visibility, with a free and a premium post, and through the API, the
 * Data API and Storage.
 */
const readers = [
  'visitor',
  'stranger',
  'follower',
  'blocked',
  'buyer',
  'buyingFollower',
  'blockedBuyer',
  'author',
  'admin',
] as const
type Reader = (typeof readers)[number]
const visibilities = ['public', 'followers', 'private'] as const

/** The readers who can see a post, by profile visibility. The visibility and blocks apply even to buyers. */
const canSee: Record<ProfileVisibility, readonly Reader[]> = {
  public: ['visitor', 'stranger', 'follower', 'buyer', 'buyingFollower', 'author', 'admin'],
  followers: ['follower', 'buyingFollower', 'author', 'admin'],
  private: ['author', 'admin'],
}
/** The readers who can read the content of a premium post if they can see the post. */
const canReadPremium: readonly Reader[] = ['buyer', 'buyingFollower', 'blockedBuyer', 'author']

const secret = 'The text that was paid for #paidtag'
type Kind = 'free' | 'premium'
type CreatedPost = { id: string; mediaId: string; path: string; commentId: string }
type AuthorWithPosts = { author: TestUser; posts: Record<Kind, CreatedPost> }

const authorsByVisibility = {} as Record<ProfileVisibility, AuthorWithPosts>
const users = {} as Record<Reader, TestUser | null>

beforeAll(async () => {
  const { stranger, follower, blocked, buyer, buyingFollower, blockedBuyer, admin } = await createUsers(
    'stranger',
    'follower',
    'blocked',
    'buyer',
    'buyingFollower',
    'blockedBuyer',
    'admin',
  )
  Object.assign(users, {
    visitor: null,
    stranger,
    follower,
    blocked,
    buyer,
    buyingFollower,
    blockedBuyer,
    admin,
  })
  await makeAdmin(admin)
  const createAuthor = async (visibility: ProfileVisibility) => {
    const author = await createUser()
    await makeCreator(author)
    const posts = { free: await publish(author, 'free'), premium: await publish(author, 'premium') }
    for (const reader of [follower, buyingFollower])
      await apiAs(reader).post(`/api/users/${author.id}/follow`, FollowResponse)
    for (const reader of [buyer, buyingFollower, blockedBuyer]) {
      await apiAs(reader).post(`/api/posts/${posts.premium.id}/unlock`, UnlockResponse, { amount: 12.5 })
    }
    // All signed-in readers except the author save the posts while they can still see them.
    for (const reader of [stranger, follower, blocked, buyer, buyingFollower, blockedBuyer, admin]) {
      for (const { id } of [posts.free, posts.premium])
        await apiAs(reader).post(`/api/posts/${id}/save`, SaveResponse)
    }
    for (const reader of [blocked, blockedBuyer])
      await apiAs(author).post(`/api/users/${reader.id}/block`, BlockResponse)
    await sql`update public.profiles set visibility = ${visibility} where id = ${author.id}`
    authorsByVisibility[visibility] = { author, posts }
  }
  await Promise.all(visibilities.map(createAuthor))
})

async function publish(author: TestUser, kind: Kind): Promise<CreatedPost> {
  const { imageUrl } = await uploadImage(author, createPng({ width: 48, height: 32 }))
  const { id } = await createPost(
    author,
    kind === 'free'
      ? { content: 'For everybody #freetag', imageUrl, altText: 'A picture' }
      : {
          content: secret,
          imageUrl,
          altText: secret,
          isPremium: true,
          premiumPrice: 12.5,
          teaser: 'A teaser',
        },
  )
  const comment = await createComment(author, id, secret)
  const mediaId = imageUrl.split('/').at(-1) ?? ''
  const [row] = await sql<{ path: string }[]>`select path from public.media where id = ${mediaId}`
  return { id, mediaId, path: row?.path ?? '', commentId: comment.id }
}

const cases = visibilities.flatMap((visibility) =>
  (['free', 'premium'] as const).flatMap((kind) => readers.map((reader) => ({ visibility, kind, reader }))),
)

function resolveCase({ visibility, kind, reader }: (typeof cases)[number]) {
  const { author, posts } = authorsByVisibility[visibility]
  const user = reader === 'author' ? author : users[reader]
  const canSeePost = canSee[visibility].includes(reader)
  return {
    author,
    post: posts[kind],
    user,
    canSeePost,
    canReadPost: canSeePost && (kind === 'free' || canReadPremium.includes(reader)),
  }
}

describe('the API', () => {
  it.concurrent.each(cases)(
    'gives $reader the correct access to a $kind post of a $visibility profile',
    async (testCase) => {
      const { author, post, user, canSeePost, canReadPost } = resolveCase(testCase)
      const status = async (path: string) =>
        (await call('GET', path, { headers: authorizationHeader(user) })).status
      if (!canSeePost) {
        await apiAs(user).expectError('GET', `/api/posts/${post.id}`, 404)
        await apiAs(user).expectError('GET', `/api/posts/${post.id}/comments`, 404)
        await apiAs(user).expectError('GET', `/api/media/${post.mediaId}`, 404)
      } else {
        const { body } = await apiAs(user).get(`/api/posts/${post.id}`, Post)
        expect({ locked: body.locked, imageUrl: body.imageUrl, altText: body.altText !== null }).toEqual({
          locked: !canReadPost,
          imageUrl: canReadPost ? `/api/media/${post.mediaId}` : null,
          altText: canReadPost,
        })
        // The response for a locked post contains the dimensions and placeholder of the image, but no premium text.
        expect(body).toMatchObject({ mediaType: 'image', mediaWidth: 48, mediaHeight: 32 })
        expect(body.placeholder).toMatch(/^data:image\//)
        if (!canReadPost) expect(body.content).toBe('')
        expect(await status(`/api/posts/${post.id}/comments`)).toBe(canReadPost ? 200 : 403)
        expect(await status(`/api/media/${post.mediaId}`)).toBe(canReadPost ? 200 : 404)
      }
      // No list contains locked premium content or a post that the reader cannot see.
      const lists = [
        '/api/posts?limit=50',
        `/api/users/${author.id}/posts`,
        '/api/topics/paidtag/posts',
        '/api/topics/freetag/posts',
      ]
      if (user)
        lists.push(
          '/api/posts?feed=following&limit=50',
          '/api/posts?feed=subscriptions&limit=50',
          '/api/discover/posts?limit=50',
          '/api/user/saved-posts',
          '/api/notifications',
          '/api/discover/trending-hashtags',
        )
      await Promise.all(
        lists.map(async (path) => {
          const response = await call('GET', path, { headers: authorizationHeader(user) })
          const text = await response.text()
          expect([200, 404]).toContain(response.status)
          const isListed = path.includes('feed=following')
            ? ['follower', 'buyingFollower', 'author'].includes(testCase.reader)
            : path.includes('saved-posts')
              ? testCase.reader !== 'author'
              : path.includes(author.id)
          if (!canSeePost) expect(text).not.toContain(post.id)
          else if (isListed || (testCase.kind === 'free' && path.includes('freetag')))
            expect(text).toContain(post.id)
          if (!canReadPost && testCase.kind === 'premium') {
            expect(text).not.toContain(post.mediaId)
            const items = response.status === 200 ? z.array(z.looseObject({})).parse(JSON.parse(text)) : []
            for (const item of items)
              if (item.id === post.id) expect(JSON.stringify(item)).not.toContain('paid for')
          }
          if (path.includes('paidtag')) expect(text).toBe('[]')
        }),
      )
      // A reader who cannot read the comments can neither read nor write replies.
      if (user && !canReadPost) {
        const body = { content: 'Let me in', parentCommentId: post.commentId }
        await apiAs(user).expectError('POST', `/api/posts/${post.id}/comments`, canSeePost ? 403 : 404, {
          body,
        })
        await apiAs(user).expectError('GET', `/api/comments/${post.commentId}/replies`, 404)
      }
    },
  )
})

describe('the Data API', () => {
  const rows = async (user: TestUser | null, path: string) => {
    const response = await call('GET', `/rest/v1/${path}`, {
      headers: { apikey: stack.publishableKey, ...authorizationHeader(user) },
    })
    // Visitors have no access to some tables.
    if (!user && response.status === 401) return []
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    return z.array(z.looseObject({})).parse(await response.json())
  }

  it.concurrent.each(cases)(
    'gives $reader the correct access to a $kind post of a $visibility profile',
    async (testCase) => {
      const { post, user, canSeePost, canReadPost } = resolveCase(testCase)
      const postRows = await rows(user, `posts?id=eq.${post.id}`)
      expect(postRows.length).toBe(canSeePost ? 1 : 0)
      if (testCase.kind === 'premium') {
        for (const row of postRows)
          expect(row).toMatchObject({ content: '', media_id: null, poster_id: null, alt_text: null })
        expect((await rows(user, `premium_contents?post_id=eq.${post.id}`)).length).toBe(canReadPost ? 1 : 0)
        expect(await rows(user, `post_tags?post_id=eq.${post.id}`)).toEqual([])
      }
      expect((await rows(user, `comments?post_id=eq.${post.id}`)).length).toBe(canReadPost ? 1 : 0)
      expect((await rows(user, `media?id=eq.${post.mediaId}`)).length).toBe(
        canReadPost || testCase.reader === 'author' ? 1 : 0,
      )
      // Purchases by others are never visible.
      for (const table of ['unlocks', 'payments']) {
        const purchases = await rows(user, `${table}?post_id=eq.${post.id}`)
        const hasBought =
          testCase.kind === 'premium' &&
          canReadPremium.includes(testCase.reader) &&
          testCase.reader !== 'author'
        expect({ table, rows: purchases.length }).toEqual({ table, rows: hasBought ? 1 : 0 })
      }
    },
  )
})

describe('Storage', () => {
  it.concurrent.each(cases)(
    'denies $reader direct access to the media in a $kind post of a $visibility profile',
    async (testCase) => {
      const { post, user } = resolveCase(testCase)
      const headers = { apikey: stack.publishableKey, ...authorizationHeader(user) }
      // Only the API serves these files. It checks access on every request.
      await Promise.all(
        ['object', 'object/authenticated', 'object/public', 'render/image/authenticated'].map(
          async (endpoint) => {
            const response = await call('GET', `/storage/v1/${endpoint}/media/${post.path}`, { headers })
            expect({ endpoint, refused: response.status >= 400 }).toEqual({
              endpoint,
              refused: true,
            })
            await response.body?.cancel()
          },
        ),
      )
      const [folder] = post.path.split('/')
      const listed = await call('POST', '/storage/v1/object/list/media', {
        headers,
        body: { prefix: folder },
      })
      expect(listed.ok ? await listed.json() : []).toEqual([])
      const signed = await call('POST', `/storage/v1/object/sign/media/${post.path}`, {
        headers,
        body: { expiresIn: 60 },
      })
      expect(signed.ok).toBe(false)
      const removed = await call('DELETE', `/storage/v1/object/media/${post.path}`, { headers })
      expect(removed.ok).toBe(false)
    },
  )
})
