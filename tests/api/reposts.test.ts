import { Count } from '@contract/common.ts'
import { Notification } from '@contract/notification.ts'
import { Post, RepostResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse, OwnUser, UserStats } from '@contract/user.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { sql } from '../support/stack.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
const visitor = apiAs(null)
const following = '/api/posts?feed=following'

const repost = async (user: TestUser, id: string) =>
  (await apiAs(user).post(`/api/posts/${id}/repost`, RepostResponse)).body
const undo = async (user: TestUser, id: string) =>
  (await apiAs(user).delete(`/api/posts/${id}/repost`, RepostResponse)).body
const readPost = async (user: TestUser | null, id: string) =>
  (await apiAs(user).get(`/api/posts/${id}`, Post)).body
const follow = (follower: TestUser, { id }: TestUser) =>
  apiAs(follower).post(`/api/users/${id}/follow`, FollowResponse)
const setRepostTime = (user: TestUser, id: string, hoursAgo: number) => sql`
  update public.reposts set created_at = now() - ${hoursAgo} * interval '1 hour'
  where post_id = ${id} and user_id = ${user.id}`

/** Returns the ID of each post, with the username of the user who reposted it, or null without a repost. */
const summarize = (posts: Post[]) =>
  posts.map(({ id, repostedBy }) => [id, repostedBy?.user.username ?? null])

describe('POST and DELETE /api/posts/:id/repost', () => {
  it('set the state and the count, and can be repeated', async () => {
    const { author, user } = await createUsers('author', 'user')
    const { id } = await createPost(author, 'Worth sharing')
    expect(await readPost(user, id)).toMatchObject({ reposted: false, repostsCount: 0, repostedBy: null })
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await repost(user, id)).toEqual({ reposted: true, repostsCount: 1 })
    expect(await readPost(user, id)).toMatchObject({ reposted: true, repostsCount: 1, repostedBy: null })
    for (const other of [author, null])
      expect(await readPost(other, id)).toMatchObject({ reposted: false, repostsCount: 1 })
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await undo(user, id)).toEqual({ reposted: false, repostsCount: 0 })
  })

  it('reject visitors, unknown posts, and other users’ posts if the author is not discoverable', async () => {
    const { author, user } = await createUsers('author', 'user')
    const { id } = await createPost(author, 'Not for everyone')
    for (const method of ['POST', 'DELETE'] as const)
      await visitor.expectError(method, `/api/posts/${id}/repost`, 401)
    await apiAs(user).expectError('POST', `/api/posts/${crypto.randomUUID()}/repost`, 404)
    await apiAs(author).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: false })
    expect(await apiAs(user).expectError('POST', `/api/posts/${id}/repost`, 403)).toMatchObject({
      message: "This post can't be reposted.",
    })
    expect((await readPost(user, id)).canQuote).toBe(false)
    expect(await repost(author, id)).toEqual({ reposted: true, repostsCount: 1 })
  })
})

describe('reposts in the Following feed', () => {
  it('list a post once, at the time of the latest repost by a followed user', async () => {
    const { reader, ana, ben, stranger } = await createUsers('reader', 'ana', 'ben', 'stranger')
    for (const user of [ana, ben]) await follow(reader, user)
    const [old, byStranger, plain, own] = [
      (await createPost(ana, 'By a followed user')).id,
      (await createPost(stranger, 'By a stranger')).id,
      (await createPost(ben, 'Without reposts')).id,
      (await createPost(reader, 'My own')).id,
    ]
    const ages: [string, number][] = [
      [old, 50],
      [byStranger, 40],
      [plain, 30],
      [own, 20],
    ]
    for (const [id, hours] of ages)
      await sql`update public.posts set created_at = now() - ${hours} * interval '1 hour' where id = ${id}`
    const list = async (path = following) => summarize(await apiAs(reader).getAllPages(path, Posts))
    expect(await list()).toEqual([
      [own, null],
      [plain, null],
      [old, null],
    ])
    for (const [user, id, hours] of [
      [ana, byStranger, 10],
      [ben, byStranger, 5],
      [ben, old, 35],
      [ana, own, 15],
      // Reposts by users whom the reader does not follow, and the reader's own, do not count.
      [stranger, plain, 1],
      [reader, plain, 1],
    ] as const) {
      await repost(user, id)
      await setRepostTime(user, id, hours)
    }
    const expected = [
      [byStranger, ben.username],
      [own, ana.username],
      [plain, null],
      [old, ben.username],
    ]
    for (const limit of [1, 2, 3, 10]) expect(await list(`${following}&limit=${limit}`)).toEqual(expected)
    const [first] = (await apiAs(reader).get(following, Posts)).body
    expect(first).toMatchObject({ repostsCount: 2, repostedBy: { user: { id: ben.id } } })

    // A user who follows many others gets the same feed.
    await sql`update public.profile_counts set following = 501 where user_id = ${reader.id}`
    for (const limit of [1, 2, 3, 10]) expect(await list(`${following}&limit=${limit}`)).toEqual(expected)
    await sql`update public.profile_counts set following = 2 where user_id = ${reader.id}`

    // With `until`, the feed is as it was at that time.
    const until = new Date(Date.now() - 7 * 3_600_000).toISOString()
    expect(await list(`${following}&limit=1&until=${until}`)).toEqual([
      [byStranger, ana.username],
      [own, ana.username],
      [plain, null],
      [old, ben.username],
    ])
    for (const followed of [2, 501, 2]) {
      await sql`update public.profile_counts set following = ${followed} where user_id = ${reader.id}`
      const count = await apiAs(reader).get(`/api/posts/new-count?feed=following&since=${until}`, Count)
      expect(count.body.count).toBe(1)
    }

    const forYou = (await apiAs(reader).get('/api/posts?limit=50', Posts)).body
    expect(forYou.every(({ repostedBy }) => repostedBy === null)).toBe(true)
    await follow(reader, ben)
    expect(await list()).toEqual([
      [byStranger, ana.username],
      [own, ana.username],
      [old, null],
    ])
  })

  it('do not repeat a post on a later page if it is reposted in the meantime', async () => {
    const { reader, ana, stranger } = await createUsers('reader', 'ana', 'stranger')
    await follow(reader, ana)
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.unshift((await createPost(stranger, `Post ${n}`)).id)
    for (const [index, id] of ids.entries()) {
      await repost(ana, id)
      await setRepostTime(ana, id, index + 1)
    }
    const first = await apiAs(reader).get(`${following}&limit=2`, Posts)
    expect(first.body.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const until = encodeURIComponent(first.body[0]?.repostedBy?.at ?? '')
    const ben = await createUser()
    await follow(reader, ben)
    for (const id of [ids[0], ids[3]]) await repost(ben, id ?? '')
    const nextPage = `${following}&limit=2&cursor=${encodeURIComponent(first.next ?? '')}`
    expect((await apiAs(reader).get(nextPage, Posts)).body.map(({ id }) => id)).toEqual([ids[2]])
    expect((await apiAs(reader).get(`${nextPage}&until=${until}`, Posts)).body.map(({ id }) => id)).toEqual(
      ids.slice(2),
    )
  })

  it('are complete even if many of a user’s latest reposts are not shown', async () => {
    const { reader, ana, closed, author } = await createUsers('reader', 'ana', 'closed', 'author')
    await follow(reader, ana)
    const insert = async (user: TestUser, firstAge: number) => {
      const rows = await sql<{ id: string }[]>`
        insert into public.posts (author_id, content, created_at)
        select ${user.id}, 'Post', now() - interval '10 days' from generate_series(1, 9) returning id`
      for (const [index, { id }] of rows.entries()) {
        await sql`insert into public.reposts (post_id, user_id, created_at)
          values (${id}, ${ana.id}, now() - ${firstAge + index} * interval '1 hour')`
      }
      return rows.map(({ id }) => id)
    }
    await insert(closed, 1)
    const ids = await insert(author, 20)
    await apiAs(closed).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'private' })
    for (const limit of [1, 2, 3, 8, 9])
      expect(
        (await apiAs(reader).getAllPages(`${following}&limit=${limit}`, Posts)).map(({ id }) => id),
      ).toEqual(ids)
  })

  it('disappear after blocks between the reader, the reposter and the author, and while the author is private or cannot be discovered', async () => {
    const { reader, ana, author } = await createUsers('reader', 'ana', 'author')
    await follow(reader, ana)
    const { id } = await createPost(author, 'Soon hidden')
    await repost(ana, id)
    const isListed = async () => {
      const posts = (await apiAs(reader).get(following, Posts)).body
      const since = '2026-01-01T00:00:00Z'
      const { body } = await apiAs(reader).get(`/api/posts/new-count?feed=following&since=${since}`, Count)
      expect(body.count).toBe(posts.length)
      return posts.length > 0
    }
    expect(await isListed()).toBe(true)
    for (const [blocker, blocked] of [
      [reader, author],
      [author, reader],
      [author, ana],
      [ana, author],
    ] as const) {
      await apiAs(blocker).post(`/api/users/${blocked.id}/block`, BlockResponse)
      expect(await isListed()).toBe(false)
      await apiAs(blocker).expectNoContent('DELETE', `/api/users/${blocked.id}/block`)
      expect(await isListed()).toBe(true)
    }
    for (const changes of [{ contentDiscoverable: false }, { profileVisibility: 'private' }]) {
      await apiAs(author).patch('/api/settings/privacy', OwnUser, changes)
      expect(await isListed()).toBe(false)
      await apiAs(author).patch('/api/settings/privacy', OwnUser, {
        contentDiscoverable: true,
        profileVisibility: 'public',
      })
      expect(await isListed()).toBe(true)
    }
    await apiAs(ana).post(`/api/users/${reader.id}/block`, BlockResponse)
    expect(await isListed()).toBe(false)
  })

  it('show only the public part of a premium post', async () => {
    const { reader, ana, author } = await createUsers('reader', 'ana', 'author')
    await makeCreator(author)
    await follow(reader, ana)
    const { id } = await createPost(author, {
      content: 'The secret text',
      isPremium: true,
      premiumPrice: 5,
      teaser: 'The teaser',
    })
    await repost(ana, id)
    const { body } = await apiAs(reader).get(following, Posts)
    expect(body).toMatchObject([{ id, locked: true, teaser: 'The teaser', content: '' }])
    expect(JSON.stringify(body)).not.toContain('secret')
  })
})

describe('GET /api/users/:identifier/reposts', () => {
  it('lists the posts that a user reposted, most recently reposted first, if the caller may see them', async () => {
    const { user, author, other, reader } = await createUsers('user', 'author', 'other', 'reader')
    const path = `/api/users/${user.username}/reposts`
    const hasReposts = async (viewer: TestUser | null) =>
      (await apiAs(viewer).get(`/api/users/${user.id}/stats`, UserStats)).body.hasReposts
    expect(await hasReposts(null)).toBe(false)
    const [a, b, c] = [
      (await createPost(author, 'A')).id,
      (await createPost(other, 'B')).id,
      (await createPost(user, 'C')).id,
    ]
    for (const id of [a, c, b]) await repost(user, id)
    const name = user.username
    for (const viewer of [visitor, apiAs(reader), apiAs(user)]) {
      expect(summarize(await viewer.getAllPages(`${path}?limit=2`, Posts))).toEqual([
        [b, name],
        [c, name],
        [a, name],
      ])
    }
    expect(await hasReposts(null)).toBe(true)
    await undo(user, c)
    await apiAs(author).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: false })
    await apiAs(other).post(`/api/users/${reader.id}/block`, BlockResponse)
    expect(summarize((await apiAs(reader).get(path, Posts)).body)).toEqual([])
    expect(await hasReposts(reader)).toBe(false)
    expect(summarize((await visitor.get(path, Posts)).body)).toEqual([[b, name]])
    // Users see all of their own reposts, so that they can undo them.
    expect(summarize((await apiAs(user).get(path, Posts)).body)).toEqual([
      [b, name],
      [a, name],
    ])
    await apiAs(user).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'private' })
    expect((await visitor.get(path, Posts)).body).toEqual([])
    expect(await hasReposts(null)).toBe(false)
    await visitor.expectError('GET', '/api/users/nobody_by_this_name/reposts', 404)
  })
})

describe('notifications about reposts', () => {
  it('are grouped, are withdrawn when a repost is undone, and can be turned off together with those about quotes', async () => {
    const { author, ana, ben } = await createUsers('author', 'ana', 'ben')
    const { id } = await createPost(author, 'Worth sharing')
    const list = async () =>
      (await apiAs(author).get('/api/notifications?filter=likes', z.array(Notification))).body
    await repost(author, id)
    expect(await list()).toEqual([])
    await repost(ana, id)
    await repost(ben, id)
    expect(await list()).toMatchObject([
      {
        kind: 'repost',
        title: 'New repost',
        message: 'Test Person and 1 other reposted your post.',
        href: `/post/${id}`,
        othersCount: 1,
      },
    ])
    await undo(ben, id)
    expect(await list()).toMatchObject([{ message: 'Test Person reposted your post.' }])
    await undo(ana, id)
    await apiAs(author).patch('/api/settings/notifications', OwnUser, { newQuotes: false })
    await repost(ben, id)
    expect(await list()).toEqual([])
  })
})
