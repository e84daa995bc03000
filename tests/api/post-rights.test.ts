import { Comment } from '@contract/comment.ts'
import { Post, SaveResponse, UnlockResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse, type ProfileVisibility } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { createPng } from '../support/media-files.ts'
import { sql, stack } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

/** Every reader against every visibility of the author and both kinds of post, by every door. */
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

/** Visibility and blocks come before having paid. */
const maySee: Record<ProfileVisibility, readonly Reader[]> = {
  public: ['visitor', 'stranger', 'follower', 'buyer', 'buyingFollower', 'author', 'admin'],
  followers: ['follower', 'buyingFollower', 'author', 'admin'],
  private: ['author', 'admin'],
}
const hasPaid: readonly Reader[] = ['buyer', 'buyingFollower', 'blockedBuyer', 'author']

const secret = 'The words that were paid for #paidtag'
type Kind = 'free' | 'premium'
type Shown = { id: string; mediaId: string; path: string; commentId: string }
type Scene = { author: TestUser; posts: Record<Kind, Shown> }

const scenes = {} as Record<ProfileVisibility, Scene>
const people = {} as Record<Reader, TestUser | null>

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
  Object.assign(people, {
    visitor: null,
    stranger,
    follower,
    blocked,
    buyer,
    buyingFollower,
    blockedBuyer,
    admin,
  })
  await sql`update public.profiles set is_admin = true where id = ${admin.id}`
  const prepare = async (visibility: ProfileVisibility) => {
    const author = await createUser()
    await sql`update public.profiles set is_creator = true where id = ${author.id}`
    const posts = { free: await publish(author, 'free'), premium: await publish(author, 'premium') }
    for (const one of [follower, buyingFollower])
      await apiAs(one).post(`/api/users/${author.id}/follow`, FollowResponse)
    for (const one of [buyer, buyingFollower, blockedBuyer]) {
      await apiAs(one).post(`/api/posts/${posts.premium.id}/unlock`, UnlockResponse, { amount: 12.5 })
    }
    // Saved by everybody while it was open to them.
    for (const one of [stranger, follower, blocked, buyer, buyingFollower, blockedBuyer, admin]) {
      for (const { id } of [posts.free, posts.premium])
        await apiAs(one).post(`/api/posts/${id}/save`, SaveResponse)
    }
    for (const one of [blocked, blockedBuyer])
      await apiAs(author).post(`/api/users/${one.id}/block`, BlockResponse)
    await sql`update public.profiles set visibility = ${visibility} where id = ${author.id}`
    scenes[visibility] = { author, posts }
  }
  await Promise.all(visibilities.map(prepare))
}, 60_000)

async function publish(author: TestUser, kind: Kind): Promise<Shown> {
  const { imageUrl } = await uploadImage(author, createPng({ width: 48, height: 32 }))
  const { body } = await apiAs(author).post(
    '/api/posts',
    Post,
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
    201,
  )
  const comment = await apiAs(author).post(
    `/api/posts/${body.id}/comments`,
    Comment,
    { content: secret },
    201,
  )
  const mediaId = imageUrl.split('/').at(-1) ?? ''
  const [row] = await sql<{ path: string }[]>`select path from public.media where id = ${mediaId}`
  return { id: body.id, mediaId, path: row?.path ?? '', commentId: comment.body.id }
}

const cases = visibilities.flatMap((visibility) =>
  (['free', 'premium'] as const).flatMap((kind) => readers.map((reader) => ({ visibility, kind, reader }))),
)

function scene({ visibility, kind, reader }: (typeof cases)[number]) {
  const { author, posts } = scenes[visibility]
  const who = reader === 'author' ? author : people[reader]
  const sees = maySee[visibility].includes(reader)
  return {
    author,
    post: posts[kind],
    who,
    sees,
    reads: sees && (kind === 'free' || hasPaid.includes(reader)),
  }
}

const bearer = (who: TestUser | null): Record<string, string> =>
  who ? { Authorization: `Bearer ${who.token}` } : {}

describe('the API', () => {
  it.concurrent.each(cases)('$visibility, $kind: $reader', async (one) => {
    const { author, post, who, sees, reads } = scene(one)
    const status = async (path: string) => (await call('GET', path, { headers: bearer(who) })).status
    if (!sees) {
      await apiAs(who).expectError('GET', `/api/posts/${post.id}`, 404)
      await apiAs(who).expectError('GET', `/api/posts/${post.id}/comments`, 404)
      await apiAs(who).expectError('GET', `/api/media/${post.mediaId}`, 404)
    } else {
      const { body } = await apiAs(who).get(`/api/posts/${post.id}`, Post)
      expect({ locked: body.locked, imageUrl: body.imageUrl, altText: body.altText !== null }).toEqual({
        locked: !reads,
        imageUrl: reads ? `/api/media/${post.mediaId}` : null,
        altText: reads,
      })
      // A locked post keeps its frame, and no word of what is paid for.
      expect(body).toMatchObject({ mediaType: 'image', mediaWidth: 48, mediaHeight: 32 })
      expect(body.placeholder).toMatch(/^data:image\//)
      if (!reads) expect(body.content).toBe('')
      expect(await status(`/api/posts/${post.id}/comments`)).toBe(reads ? 200 : 403)
      expect(await status(`/api/media/${post.mediaId}`)).toBe(reads ? 200 : 404)
    }
    // Wherever posts are listed, what is paid for is nowhere, and what is hidden not at all.
    const lists = [
      '/api/posts?limit=50',
      `/api/users/${author.id}/posts`,
      '/api/topics/paidtag/posts',
      '/api/topics/freetag/posts',
    ]
    if (who)
      lists.push(
        '/api/discover/posts?limit=50',
        '/api/user/saved-posts',
        '/api/notifications',
        '/api/discover/trending-hashtags',
      )
    await Promise.all(
      lists.map(async (path) => {
        const answer = await call('GET', path, { headers: bearer(who) })
        const text = await answer.text()
        expect([200, 404]).toContain(answer.status)
        const holds = path.includes('saved-posts') ? one.reader !== 'author' : path.includes(author.id)
        if (!sees) expect(text).not.toContain(post.id)
        else if (holds || (one.kind === 'free' && path.includes('freetag'))) expect(text).toContain(post.id)
        if (!reads && one.kind === 'premium') {
          expect(text).not.toContain(post.mediaId)
          const found = answer.status === 200 ? z.array(z.looseObject({})).parse(JSON.parse(text)) : []
          for (const item of found)
            if (item.id === post.id) expect(JSON.stringify(item)).not.toContain('paid for')
        }
        if (path.includes('paidtag')) expect(text).toBe('[]')
      }),
    )
    // A reply and a new comment are refused where the comments are.
    if (who && !reads) {
      const body = { content: 'Let me in', parentCommentId: post.commentId }
      await apiAs(who).expectError('POST', `/api/posts/${post.id}/comments`, sees ? 403 : 404, { body })
      await apiAs(who).expectError('GET', `/api/comments/${post.commentId}/replies`, 404)
    }
  })
})

describe('the Data API', () => {
  const rows = async (who: TestUser | null, path: string) => {
    const answer = await call('GET', `/rest/v1/${path}`, {
      headers: { apikey: stack.publishableKey, ...bearer(who) },
    })
    // A table that is not for visitors at all.
    if (!who && answer.status === 401) return []
    expect({ path, status: answer.status }).toEqual({ path, status: 200 })
    return z.array(z.looseObject({})).parse(await answer.json())
  }

  it.concurrent.each(cases)('$visibility, $kind: $reader', async (one) => {
    const { post, who, sees, reads } = scene(one)
    const found = await rows(who, `posts?id=eq.${post.id}`)
    expect(found.length).toBe(sees ? 1 : 0)
    if (one.kind === 'premium') {
      for (const row of found)
        expect(row).toMatchObject({ content: '', media_id: null, poster_id: null, alt_text: null })
      expect((await rows(who, `premium_contents?post_id=eq.${post.id}`)).length).toBe(reads ? 1 : 0)
      expect(await rows(who, `post_tags?post_id=eq.${post.id}`)).toEqual([])
    }
    expect((await rows(who, `comments?post_id=eq.${post.id}`)).length).toBe(reads ? 1 : 0)
    expect((await rows(who, `media?id=eq.${post.mediaId}`)).length).toBe(
      reads || one.reader === 'author' ? 1 : 0,
    )
    // Others' purchases are nobody's.
    for (const table of ['unlocks', 'payments']) {
      const seen = await rows(who, `${table}?post_id=eq.${post.id}`)
      const bought = one.kind === 'premium' && hasPaid.includes(one.reader) && one.reader !== 'author'
      expect({ table, rows: seen.length }).toEqual({ table, rows: bought ? 1 : 0 })
    }
  })
})

describe('Storage', () => {
  it.concurrent.each(cases)('$visibility, $kind: $reader', async (one) => {
    const { post, who } = scene(one)
    const headers = { apikey: stack.publishableKey, ...bearer(who) }
    // Whoever may see a file gets it from the API, which asks each time; nobody gets it from here by themselves.
    await Promise.all(
      ['object', 'object/authenticated', 'object/public', 'render/image/authenticated'].map(async (door) => {
        const answer = await call('GET', `/storage/v1/${door}/media/${post.path}`, { headers })
        expect({ door, refused: answer.status >= 400 }).toEqual({ door, refused: true })
        await answer.body?.cancel()
      }),
    )
    const [folder] = post.path.split('/')
    const listed = await call('POST', '/storage/v1/object/list/media', { headers, body: { prefix: folder } })
    expect(listed.ok ? await listed.json() : []).toEqual([])
    const signed = await call('POST', `/storage/v1/object/sign/media/${post.path}`, {
      headers,
      body: { expiresIn: 60 },
    })
    expect(signed.ok).toBe(false)
    const removed = await call('DELETE', `/storage/v1/object/media/${post.path}`, { headers })
    expect(removed.ok).toBe(false)
  })
})
