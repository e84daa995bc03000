import { randomUUID } from 'node:crypto'
import { Count } from '@contract/common.ts'
import { Post, UnlockResponse } from '@contract/post.ts'
import { BlockResponse, CreatorUpdate, FollowResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sendRawRequest } from '../stack/raw-request.ts'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost, subscribe } from '../support/content-api.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, getOwnUser, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
const visitor = apiAs(null)
const following = '/api/posts?feed=following'
const newCount = '/api/posts/new-count?feed=following&since='

const listIds = async (user: TestUser, path: string) =>
  (await apiAs(user).get(path, Posts)).body.map(({ id }) => id)
const follow = (follower: TestUser, { id }: TestUser) =>
  apiAs(follower).post(`/api/users/${id}/follow`, FollowResponse)
const setPrivacy = (user: TestUser, changes: Record<string, unknown>) =>
  apiAs(user).patch('/api/settings/privacy', OwnUser, changes)

describe('GET /api/posts?feed=following', () => {
  let reader: TestUser
  let ana: TestUser
  let ben: TestUser
  let stranger: TestUser
  /** The IDs of the posts in the reader's feed, in the database's sort order. */
  let expected: string[]

  beforeAll(async () => {
    ;({ reader, ana, ben, stranger } = await createUsers('reader', 'ana', 'ben', 'stranger'))
    for (const user of [ana, ben]) await follow(reader, user)
    const authors = [reader, ana, ben, stranger].map(({ id }) => id)
    // Several posts by different authors were created in the same microsecond. Ben's two posts are among the oldest.
    await sql`
      insert into public.posts (author_id, content, created_at)
      select a.id, 'Post ' || n, now() - interval '1 hour' - (n / 3) * interval '1 microsecond'
      from unnest(${authors}::uuid[]) a(id), generate_series(1, 14) n
      where a.id <> ${ben.id} or n > 12`
    const rows = await sql<{ id: string }[]>`
      select id from public.posts where author_id in (${reader.id}, ${ana.id}, ${ben.id}) order by created_at desc, id desc`
    expected = rows.map(({ id }) => id)
  })

  it("returns the posts of followed users and the reader's own, newest first, on pages without gaps", async () => {
    expect(expected).toHaveLength(30)
    for (const limit of [4, 7, 29, 30, 50]) {
      const feed = await apiAs(reader).getAllPages(`${following}&limit=${limit}`, Posts)
      expect(feed.map(({ id }) => id)).toEqual(expected)
    }
    expect(await listIds(reader, `${following}&limit=10&offset=25`)).toEqual(expected.slice(25))
    const [, , third] = (await apiAs(reader).get(following, Posts)).body
    const until = `&until=${encodeURIComponent(third?.createdAt ?? '')}`
    const older = (await apiAs(reader).getAllPages(`${following}&limit=4${until}`, Posts)).map(({ id }) => id)
    // `until` includes all posts with the same time as the third one, even those that are listed before it.
    expect(expected.slice(2)).toEqual(older.slice(-28))
    expect(expected.slice(-older.length)).toEqual(older)
  })

  it('returns the same posts to a user who follows more than 500 users', async () => {
    await sql`update public.profile_counts set following = 501 where user_id = ${reader.id}`
    const feed = await apiAs(reader).getAllPages(`${following}&limit=4`, Posts)
    await sql`update public.profile_counts set following = 2 where user_id = ${reader.id}`
    expect(feed.map(({ id }) => id)).toEqual(expected)
  })

  it('rejects visitors, an unknown feed, and an invalid time or cursor', async () => {
    expect((await visitor.expectError('GET', following, 401)).code).toBe('unauthorized')
    await visitor.expectError('GET', `${newCount}2026-01-01T00:00:00Z`, 401)
    expect(
      Object.keys((await apiAs(reader).expectError('GET', '/api/posts?feed=all', 400)).errors ?? {}),
    ).toEqual(['feed'])
    await apiAs(reader).expectError('GET', `${following}&until=2026-02-30T00:00:00Z`, 400)
    await apiAs(reader).expectError('GET', `${following}&cursor=x`, 400)
  })

  it('reflects visibility, moderation, follows and blocks immediately, in the posts and their count', async () => {
    const since = new Date(Date.now() - 1000).toISOString()
    const post = await createPost(ana, 'Just now')
    const own = await createPost(reader, 'My own')
    await createPost(stranger, 'By a stranger')
    const countNew = async () => (await apiAs(reader).get(newCount + since, Count)).body.count
    const state = async () => {
      const posts = await listIds(reader, `${following}&limit=2`)
      const count = await countNew()
      // The count is the same for a user who follows more than 500 users.
      await sql`update public.profile_counts set following = following + 500 where user_id = ${reader.id}`
      expect(await countNew()).toBe(count)
      await sql`update public.profile_counts set following = following - 500 where user_id = ${reader.id}`
      return { posts: posts.filter((id) => [post.id, own.id].includes(id)), count }
    }
    const shown = { posts: [own.id, post.id], count: 1 }
    const hidden = { posts: [own.id], count: 0 }
    expect(await state()).toEqual(shown)
    await setPrivacy(ana, { profileVisibility: 'followers' })
    expect(await state()).toEqual(shown)
    await setPrivacy(ana, { profileVisibility: 'private' })
    expect(await state()).toEqual(hidden)
    await setPrivacy(ana, { profileVisibility: 'public' })
    await sql`update public.posts set hidden = 'hidden' where id in (${post.id}, ${own.id})`
    // Authors still see their own hidden posts.
    expect(await state()).toEqual(hidden)
    await sql`update public.posts set hidden = 'removed' where id = ${own.id}`
    expect(await state()).toEqual({ posts: [], count: 0 })
    await sql`update public.posts set hidden = null where id in (${post.id}, ${own.id})`
    expect(await state()).toEqual(shown)
    await follow(reader, ana)
    expect(await state()).toEqual(hidden)
    await follow(reader, ana)
    expect(await state()).toEqual(shown)
    await apiAs(ana).post(`/api/users/${reader.id}/block`, BlockResponse)
    expect(await state()).toEqual(hidden)
    // Even if a follow still exists despite the block, it reveals no posts.
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`insert into public.follows (follower_id, followee_id) values (${reader.id}, ${ana.id})`
    })
    expect(await state()).toEqual(hidden)
  })

  it('is empty for a user who follows nobody and has not posted', async () => {
    const { newcomer } = await createUsers('newcomer')
    expect(await listIds(newcomer, following)).toEqual([])
    expect((await apiAs(newcomer).get(`${newCount}1970-01-01T00:00:00Z`, Count)).body.count).toBe(0)
  })
})

describe('GET /api/posts?feed=subscriptions', () => {
  const path = '/api/posts?feed=subscriptions'

  it('returns the posts of creators to whom the caller is subscribed, newest first, on pages without gaps', async () => {
    const { fan, ana, ben, stranger } = await createUsers('fan', 'ana', 'ben', 'stranger')
    for (const creator of [ana, ben]) {
      await makeCreator(creator)
      await subscribe(fan, creator)
    }
    await follow(fan, stranger)
    // Several posts were created in the same microsecond.
    await sql`
      insert into public.posts (author_id, content, created_at)
      select a.id, 'Post ' || n, now() - interval '1 hour' - (n / 3) * interval '1 microsecond'
      from unnest(${[fan, ana, ben, stranger].map(({ id }) => id)}::uuid[]) a(id), generate_series(1, 9) n`
    const expected = await sql<{ id: string }[]>`
      select id from public.posts where author_id in (${ana.id}, ${ben.id}) order by created_at desc, id desc`
    for (const limit of [4, 17, 18, 50]) {
      const pages = await apiAs(fan).getAllPages(`${path}&limit=${limit}`, Posts)
      expect(pages.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    }
    expect(await listIds(fan, `${path}&limit=5&offset=16`)).toEqual(expected.slice(16).map(({ id }) => id))
    expect(await listIds(ana, path)).toEqual([])
    expect([(await getOwnUser(fan)).isSubscriber, (await getOwnUser(ana)).isSubscriber]).toEqual([
      true,
      false,
    ])
    await visitor.expectError('GET', path, 401)
  })

  it('reflects visibility, moderation, blocks and the end of a subscription, in the posts and their count', async () => {
    const { fan, star } = await createUsers('fan', 'star')
    await makeCreator(star)
    await subscribe(fan, star)
    const since = new Date(Date.now() - 1000).toISOString()
    const { id, createdAt } = await createPost(star, 'Just now')
    const until = encodeURIComponent(createdAt)
    const state = async () => {
      const count = (await apiAs(fan).get(`/api/posts/new-count?feed=subscriptions&since=${since}`, Count))
        .body.count
      return [await listIds(fan, path), await listIds(fan, `${path}&until=${until}`), count]
    }
    const shown = [[id], [id], 1]
    const hidden = [[], [], 0]
    expect(await state()).toEqual(shown)
    await createPost(star, 'Later')
    expect(await listIds(fan, `${path}&until=${until}`)).toEqual([id])
    await sql`delete from public.posts where author_id = ${star.id} and id <> ${id}`
    await sql`update public.posts set hidden = 'hidden' where id = ${id}`
    expect(await state()).toEqual(hidden)
    await sql`update public.posts set hidden = null where id = ${id}`
    await setPrivacy(star, { profileVisibility: 'private' })
    expect(await state()).toEqual(hidden)
    await setPrivacy(star, { profileVisibility: 'public' })
    await sql`update public.subscriptions set cancelled_at = now() where subscriber_id = ${fan.id}`
    expect(await state()).toEqual(shown)
    await sql`update public.subscriptions set period_end = now() where subscriber_id = ${fan.id}`
    expect(await state()).toEqual(hidden)
    await sql`update public.subscriptions set period_end = now() + interval '1 day' where subscriber_id = ${fan.id}`
    await apiAs(star).post(`/api/users/${fan.id}/block`, BlockResponse)
    expect(await state()).toEqual(hidden)
  })
})

describe('contentDiscoverable', () => {
  const viewerKinds = ['visitor', 'stranger', 'follower', 'subscriber', 'blocked', 'owner', 'admin'] as const
  type Viewer = (typeof viewerKinds)[number]
  const viewers = {} as Record<Viewer, TestUser | null>
  const tag = `d${randomUUID().slice(0, 8)}`
  let post: Post

  beforeAll(async () => {
    const users = await createUsers('stranger', 'follower', 'subscriber', 'blocked', 'owner', 'admin')
    const { owner, follower, subscriber, blocked, admin } = users
    Object.assign(viewers, { visitor: null, ...users })
    await makeAdmin(admin)
    await makeCreator(owner)
    await follow(follower, owner)
    await subscribe(subscriber, owner)
    await apiAs(owner).post(`/api/users/${blocked.id}/block`, BlockResponse)
    post = await createPost(owner, `About #${tag}`)
  })

  /** Returns the names of the lists and pages that show the post to a viewer. */
  async function surfacesWithPost(viewer: Viewer): Promise<string[]> {
    const user = viewers[viewer]
    const { id, userId, createdAt } = post
    // The lists start just above the post. Otherwise, newer posts by other tests could push it to the second page.
    const above = `${new Date(Date.parse(createdAt) + 1).toISOString().slice(0, -1)}000Z_${userId}`
    const surfaces: Record<string, string> = {
      'For you': `/api/posts?cursor=${above}`,
      Following: `${following}&cursor=${above}`,
      Discover: `/api/discover/posts?cursor=${above}`,
      topic: `/api/topics/${tag}/posts`,
      profile: `/api/users/${userId}/posts`,
      link: `/api/posts/${id}`,
    }
    const found: string[] = []
    for (const [surface, path] of Object.entries(surfaces)) {
      const response = await call('GET', path, {
        headers: authorizationHeader(user),
      })
      const text = await response.text()
      expect([200, 401, 404], `${surface}: ${text}`).toContain(response.status)
      if (response.ok && text.includes(id)) found.push(surface)
    }
    return found
  }
  const accessByViewer = async () =>
    Object.fromEntries(
      await Promise.all(viewerKinds.map(async (viewer) => [viewer, await surfacesWithPost(viewer)])),
    )

  it('shows the posts everywhere if it is on', async () => {
    const everywhere = ['For you', 'Discover', 'topic', 'profile', 'link']
    expect(await accessByViewer()).toEqual({
      visitor: ['For you', 'topic', 'profile', 'link'],
      stranger: everywhere,
      follower: ['For you', 'Following', 'Discover', 'topic', 'profile', 'link'],
      subscriber: everywhere,
      blocked: [],
      owner: ['For you', 'Following', 'topic', 'profile', 'link'],
      admin: everywhere,
    })
  })

  it('when off, shows the posts only on the profile, through links and in the feeds of followers and the owner', async () => {
    await setPrivacy(viewers.owner as TestUser, { contentDiscoverable: false })
    expect(await accessByViewer()).toEqual({
      visitor: ['profile', 'link'],
      stranger: ['profile', 'link'],
      follower: ['For you', 'Following', 'profile', 'link'],
      subscriber: ['profile', 'link'],
      blocked: [],
      owner: ['For you', 'Following', 'profile', 'link'],
      admin: ['profile', 'link'],
    })
  })

  it('when off, keeps search engines from indexing the profile and the post', async () => {
    const port = Number(new URL(stack.apiUrl).port)
    const readRobotsTags = () =>
      Promise.all(
        [`/profile/${viewers.owner?.username}`, `/post/${post.id}`].map(async (path) => {
          // `fetch` sends `Sec-Fetch-Mode: cors`, so the gateway would not treat its requests as page loads.
          const { status, headers } = await sendRawRequest(port, path, { accept: 'text/html' })
          return [status, headers['x-robots-tag']]
        }),
      )
    await setPrivacy(viewers.owner as TestUser, { contentDiscoverable: true })
    // A busy server can send a page without its preview. Such a page also has `noindex`, so the request is repeated.
    await expect.poll(readRobotsTags).toEqual(Array(2).fill([200, undefined]))
    await setPrivacy(viewers.owner as TestUser, { contentDiscoverable: false })
    expect(await readRobotsTags()).toEqual(Array(2).fill([200, 'noindex']))
  })
})

describe('GET /api/user/creator-updates', () => {
  const path = '/api/user/creator-updates'
  const listCreators = async (user: TestUser, query = '') =>
    (await apiAs(user).get(`${path}${query}`, z.array(CreatorUpdate))).body.map((update) => update.user.id)
  /** Inserts a post that is `ageHours` hours old, and returns its creation time. */
  const insertPost = async (author: TestUser, ageHours: number, hidden: string | null = null) => {
    const [post] = await sql<{ at: Date }[]>`
      insert into public.posts (author_id, content, created_at, hidden)
      values (${author.id}, 'Post', now() - ${ageHours} * interval '1 hour', ${hidden}) returning created_at as at`
    return post?.at.toISOString()
  }
  const insertSubscription = (subscriber: TestUser, creator: TestUser, periodDays: number) =>
    sql`insert into public.subscriptions
          (subscriber_id, creator_id, state, price_cents, started_at, period_end, cancelled_at)
        values (${subscriber.id}, ${creator.id}, 'active', 999, now() - interval '9 days',
                now() + ${periodDays} * interval '1 day', now() - interval '9 days')`

  it('lists the creators whom the caller follows or is subscribed to, newest post first', async () => {
    const users = await createUsers('reader', 'followed', 'paid', 'ended', 'stranger', 'quiet', 'fan')
    const { reader, followed, paid, ended, stranger, quiet, fan } = users
    await makeCreator(reader, followed, paid, ended, stranger, quiet)
    for (const user of [followed, quiet, fan]) await follow(reader, user)
    await insertSubscription(reader, paid, 3)
    await insertSubscription(reader, ended, -1)
    await insertPost(followed, 30)
    const newestAt = await insertPost(followed, 5)
    await insertPost(paid, 2)
    for (const user of [reader, ended, stranger, fan]) await insertPost(user, 1)
    // One of these posts is older than two weeks, and moderators hid the other.
    await insertPost(quiet, 15 * 24)
    await insertPost(quiet, 1, 'hidden')

    expect(await listCreators(reader)).toEqual([paid.id, followed.id])
    expect(await listCreators(reader, '?limit=1')).toEqual([paid.id])
    const { body } = await apiAs(reader).get(path, z.array(CreatorUpdate))
    expect(new Date(body[1]?.latestPostAt ?? '').toISOString()).toBe(newestAt)
    expect(body[1]?.latestPost).toMatchObject({
      text: 'Post',
      isPremium: false,
      locked: false,
      imageUrl: null,
    })
    expect(await listCreators(stranger)).toEqual([])
  })

  it('shows only the teaser of a premium post until the caller has unlocked it', async () => {
    const { reader, buyer, seller } = await createUsers('reader', 'buyer', 'seller')
    await makeCreator(seller)
    for (const user of [reader, buyer]) await follow(user, seller)
    const request = { content: 'Secret', teaser: 'Teaser', isPremium: true, premiumPrice: 2 }
    const post = await createPost(seller, request)
    await apiAs(buyer).post(`/api/posts/${post.id}/unlock`, UnlockResponse, { amount: 2 })
    const latestPost = async (user: TestUser) =>
      (await apiAs(user).get(path, z.array(CreatorUpdate))).body[0]?.latestPost
    expect(await latestPost(reader)).toMatchObject({
      id: post.id,
      text: 'Teaser',
      isPremium: true,
      locked: true,
    })
    expect(await latestPost(buyer)).toMatchObject({
      id: post.id,
      text: 'Secret',
      isPremium: true,
      locked: false,
    })
  })

  it('leaves out creators whose posts the caller can no longer see', async () => {
    const { reader, hidden, blocking, open } = await createUsers('reader', 'hidden', 'blocking', 'open')
    await makeCreator(hidden, blocking, open)
    for (const user of [hidden, blocking, open]) {
      await follow(reader, user)
      await insertSubscription(reader, user, 3)
      await insertPost(user, 1)
    }
    expect(await listCreators(reader)).toHaveLength(3)
    await setPrivacy(hidden, { profileVisibility: 'private' })
    await apiAs(blocking).post(`/api/users/${reader.id}/block`, BlockResponse)
    expect(await listCreators(reader)).toEqual([open.id])
  })

  it('rejects visitors', async () => {
    expect((await visitor.expectError('GET', path, 401)).code).toBe('unauthorized')
  })
})
