import { FeaturedCreator, TrendingTag } from '@contract/discover.ts'
import { Post } from '@contract/post.ts'
import { FollowResponse, OwnUser } from '@contract/user.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { deleteAccounts } from '../support/deadlocks.ts'
import { runJob } from '../support/run-job.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
let reader: TestUser
let discoverable: TestUser
let undiscoverable: TestUser
let followersOnly: TestUser
let blocker: TestUser

beforeAll(async () => {
  ;({ reader, discoverable, undiscoverable, followersOnly, blocker } = await createUsers(
    'reader',
    'discoverable',
    'undiscoverable',
    'followersOnly',
    'blocker',
  ))
  const authors = [reader, discoverable, undiscoverable, followersOnly, blocker].map(({ id }) => id)
  await sql`
    insert into public.posts (author_id, content, created_at)
    select a.id, 'Post ' || n, now() - (n / 3) * interval '1 second'
    from unnest(${authors}::uuid[]) a(id), generate_series(1, 4) n`
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${blocker.id}, ${reader.id})`
  await apiAs(undiscoverable).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: false })
  await apiAs(followersOnly).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'followers' })
})

/**
 * Returns how many of the first 50 posts are by each author, keyed by username. Also checks that the posts are sorted
 * and that none of them is by the reader.
 */
async function discoveredCounts(...authors: TestUser[]): Promise<Record<string, number>> {
  const { body } = await apiAs(reader).get('/api/discover/posts?limit=50', Posts)
  const times = body.map(({ createdAt }) => createdAt)
  expect(times).toEqual([...times].sort().reverse())
  expect(body.some(({ mine }) => mine)).toBe(false)
  return Object.fromEntries(
    authors.map(({ id, username }) => [username, body.filter(({ userId }) => userId === id).length]),
  )
}

describe('GET /api/discover/posts', () => {
  it("returns visible posts by discoverable authors, newest first, without the caller's own", async () => {
    expect(await discoveredCounts(reader, discoverable, undiscoverable, followersOnly, blocker)).toEqual({
      [reader.username]: 0,
      [discoverable.username]: 4,
      [undiscoverable.username]: 0,
      [followersOnly.username]: 0,
      [blocker.username]: 0,
    })
    await apiAs(reader).post(`/api/users/${undiscoverable.id}/follow`, FollowResponse)
    await sql`insert into public.follows (follower_id, followee_id) values (${reader.id}, ${followersOnly.id})`
    expect(await discoveredCounts(undiscoverable, followersOnly)).toEqual({
      [undiscoverable.username]: 0,
      [followersOnly.username]: 4,
    })
  })

  it('returns pages without gaps or duplicates', async () => {
    const expected = await sql<{ id: string }[]>`
      select id from public.posts where author_id in (${discoverable.id}, ${followersOnly.id}) order by created_at desc, id desc`
    const listed = (await apiAs(reader).getAllPages('/api/discover/posts?limit=23', Posts)).map(
      ({ id }) => id,
    )
    expect(new Set(listed).size).toBe(listed.length)
    const expectedIds = new Set(expected.map(({ id }) => id))
    expect(listed.filter((id) => expectedIds.has(id))).toEqual(expected.map(({ id }) => id))
  })

  it('requires a session and a valid cursor', async () => {
    expect((await apiAs(null).expectError('GET', '/api/discover/posts', 401)).code).toBe('unauthorized')
    await apiAs(reader).expectError('GET', '/api/discover/posts?cursor=x', 400)
  })
})

describe('GET /api/discover/posts?sort=popular', () => {
  it('lists posts with a topic, most interactions first, and no posts by blocked or undiscoverable authors', async () => {
    const topic = `p${Date.now()}`
    const authors = [reader, discoverable, undiscoverable, followersOnly, blocker].map(({ id }) => id)
    const rows = await sql<{ id: string; author: string; n: number }[]>`
      insert into public.posts (author_id, content, created_at)
      select a.id, '#' || ${topic} || ' ' || n, now() - make_interval(mins => n, days => case when n = 5 then 8 else 0 end)
      from unnest(${authors}::uuid[]) a(id), generate_series(1, 5) n
      returning id, author_id as author, right(content, 1)::int as n`
    // Of each author's posts, the third has one like, and the fourth and the fifth have three each. The fifth is too
    // old to be ranked.
    const likers = await createUsers('one', 'two', 'three')
    for (const { id, n } of rows)
      for (const user of Object.values(likers).slice(0, n === 3 ? 1 : n > 3 ? 3 : 0))
        await sql`insert into public.likes (user_id, post_id) values (${user.id}, ${id})`
    const listed = async (query: string) =>
      (
        await apiAs(reader).getAllPages(`/api/discover/posts?topic=${topic.toUpperCase()}&${query}`, Posts)
      ).map(({ id }) => rows.find((row) => row.id === id))
    await sql`select private.refresh_trending()`
    for (const limit of [50, 2, 1]) {
      const posts = await listed(`sort=popular&limit=${limit}`)
      expect(posts.filter((row) => row?.author === discoverable.id).map((row) => row?.n)).toEqual([
        4, 3, 1, 2, 5,
      ])
      // The reader follows this author (see above). Posts that only followers can see are not ranked.
      expect(posts.filter((row) => row?.author === followersOnly.id).map((row) => row?.n)).toEqual([
        1, 2, 3, 4, 5,
      ])
      expect(posts).toHaveLength(10)
    }
    expect((await listed('limit=3')).map((row) => row?.n)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    // A change takes effect before the next run of the job.
    await sql`update public.profiles set content_discoverable = false where id = ${discoverable.id}`
    expect((await listed('sort=popular')).every((row) => row?.author === followersOnly.id)).toBe(true)
    await sql`update public.profiles set content_discoverable = true where id = ${discoverable.id}`
    await sql`insert into public.blocks (blocker_id, blocked_id) values (${reader.id}, ${discoverable.id})`
    expect((await listed('sort=popular')).every((row) => row?.author === followersOnly.id)).toBe(true)
    await sql`delete from public.blocks where blocker_id = ${reader.id}`
    await apiAs(reader).expectError('GET', '/api/discover/posts?topic=%23', 400)
    await apiAs(reader).expectError('GET', '/api/discover/posts?sort=random', 400)
  })
})

async function runTrendingJob(): Promise<void> {
  const { status, body } = await runJob('trending')
  expect(status).toBe(200)
  expect(TrendingResult.parse(body).counted).toEqual({
    tags: expect.any(Number),
    creators: expect.any(Number),
  })
}
const TrendingResult = z.object({ counted: z.record(z.string(), z.number()) })

describe('the trending job', () => {
  const createdIds: string[] = []
  afterAll(() => deleteAccounts(sql, createdIds))

  /** Inserts users directly into the database, so that a test can create enough of them to outrank the demo data. */
  async function createMany(count: number): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      insert into auth.users (id, email, raw_user_meta_data)
      select id, id || '@example.test', jsonb_build_object('full_name', 'One of many', 'adult_confirmed', true,
        'username', 'm_' || left(replace(id::text, '-', ''), 20), 'phone_number', '+1 555 0100 200')
      from (select gen_random_uuid() as id from generate_series(1, ${count})) made returning id`
    const ids = rows.map(({ id }) => id)
    createdIds.push(...ids)
    return ids
  }

  const insertPosts = (userIds: string[], content: string, times = 1, createdAt = new Date()) => sql`
    insert into public.posts (author_id, content, created_at)
    select id, ${content}, ${createdAt} from unnest(${userIds}::uuid[]) id, generate_series(1, ${times})`

  it('ranks hashtags by the number of public, discoverable authors in the last 7 days', async () => {
    const [userIds, hidden] = [await createMany(40), await createMany(40)]
    const prefix = `x${Date.now()}`
    const [first, second, flood, old, unseen] = [
      `${prefix}_one`,
      `${prefix}_two`,
      `${prefix}_flood`,
      `${prefix}_old`,
      `${prefix}_unseen`,
    ] as const
    await insertPosts(userIds, `#${first} twice in a post counts once: #${first.toUpperCase()}`)
    await insertPosts(userIds.slice(1), `#${second}`, 2)
    await insertPosts(userIds.slice(0, 1), `#${flood}`, 300)
    await insertPosts(userIds, `#${old}`, 1, new Date(Date.now() - 7 * 86_400_000 - 60_000))
    await sql`update public.profiles set content_discoverable = false where id = any(${hidden.slice(0, 10)}::uuid[])`
    await sql`update public.profiles set visibility = 'followers' where id = any(${hidden.slice(20, 30)}::uuid[])`
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = any(${hidden.slice(10, 20)}::uuid[])`
    await sql`update public.profiles set visibility = 'private' where id = any(${hidden.slice(30)}::uuid[])`
    await insertPosts(hidden, `#${unseen} #${first}`)
    // The hashtag in the teaser counts, but the one in the premium content does not.
    await sql`
      with sold as (
        insert into public.posts (author_id, is_premium, premium_price, teaser)
        select id, true, 5, ${`#${second}`} from unnest(${userIds.slice(0, 1)}::uuid[]) id returning id, author_id)
      insert into public.premium_contents (post_id, author_id, content)
      select id, author_id, ${`#${unseen}`} from sold`

    await runTrendingJob()
    const { body } = await apiAs(reader).get('/api/discover/trending-hashtags', z.array(TrendingTag))
    // Both hashtags have 40 authors, so the number of posts decides. The hashtag in one author's 300 posts ranks lower.
    const ownTags = body.filter(({ tag }) => tag.startsWith(prefix))
    expect(ownTags.slice(0, 2)).toEqual([
      { tag: second, posts: 79, people: 40 },
      { tag: first, posts: 40, people: 40 },
    ])
    expect(body.length).toBeLessThanOrEqual(10)
    const counted = await sql<{ tag: string; people: number }[]>`
      select tag, people from private.trending_tags where starts_with(tag, ${prefix}) and tag <> ${flood} order by tag`
    expect(counted.map((row) => ({ ...row }))).toEqual([first, second].map((tag) => ({ tag, people: 40 })))
    await insertPosts(await createMany(1), `#${first}`)
    await runTrendingJob()
    const updated = await apiAs(reader).get('/api/discover/trending-hashtags', z.array(TrendingTag))
    expect(updated.body.filter(({ tag }) => tag.startsWith(prefix)).slice(0, 2)).toMatchObject([
      { tag: first, posts: 41, people: 41 },
      { tag: second, posts: 79, people: 40 },
    ])
    await apiAs(null).expectError('GET', '/api/discover/trending-hashtags', 401)
    expect((await fetch(`${stack.jobsUrl}/trending`, { method: 'POST' })).status).toBe(401)
  })

  it('ranks creators by the interactions of others in the last 7 days, then by sign-up date', async () => {
    const fans = await createMany(60)
    const creators = await createMany(8)
    const [
      popularId = '',
      likedId = '',
      selfCommentedId = '',
      optedOutId = '',
      privateId = '',
      newerId = '',
      oldestId = '',
      readOnlyId = '',
    ] = creators
    const authors = [...creators, discoverable.id, reader.id, blocker.id]
    await sql`update public.profiles set is_creator = true where id = any(${authors}::uuid[])`
    await sql`update public.profiles set content_discoverable = false where id = ${optedOutId}`
    await sql`update public.profiles set visibility = 'private' where id = ${privateId}`
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${readOnlyId}`
    // These users signed up before all others.
    await sql`update public.profiles set created_at = '2001-01-03' where id = ${selfCommentedId}`
    await sql`update public.profiles set created_at = '2001-01-02' where id = ${newerId}`
    await sql`update public.profiles set created_at = '2001-01-01' where id = ${oldestId}`
    await insertPosts(authors, 'By a creator')
    const react = async (
      userIds: string[],
      author: string,
      table: 'likes' | 'saves',
      createdAt = new Date(),
    ) => sql`
      insert into ${sql(`public.${table}`)} (post_id, user_id, created_at)
      select p.id, f, ${createdAt}
      from unnest(${userIds}::uuid[]) f, (select id from public.posts where author_id = ${author} limit 1) p`
    for (const author of [popularId, optedOutId, privateId, readOnlyId, reader.id, blocker.id]) {
      await react(fans, author, 'likes')
      await react(fans, author, 'saves')
    }
    await react(fans, likedId, 'likes')
    // These creators have equal counts, which exceed those of creators in other tests, so the response includes them.
    for (const author of [oldestId, newerId, selfCommentedId]) await react(fans.slice(0, 40), author, 'likes')
    // Interactions older than 7 days and the creator's own interactions do not count.
    await react(fans.slice(40), newerId, 'likes', new Date(Date.now() - 8 * 86_400_000))
    await sql`
      insert into public.comments (post_id, author_id, content)
      select p.id, p.author_id, 'My own ' || n from public.posts p, generate_series(1, 200) n
      where p.author_id = ${selfCommentedId}`
    await runTrendingJob()

    const featured = async (query = '') =>
      (await apiAs(reader).get(`/api/discover/featured-creators${query}`, z.array(FeaturedCreator))).body
    const all = await featured('?limit=50')
    expect(all.every(({ isCreator }) => isCreator)).toBe(true)
    const orderOf = (ids: string[]) => all.map(({ id }) => id).filter((id) => ids.includes(id))
    expect(orderOf([...creators, reader.id, blocker.id])).toEqual([
      popularId,
      likedId,
      oldestId,
      newerId,
      selfCommentedId,
    ])
    expect((await featured()).map(({ id }) => id)).toEqual(all.slice(0, 6).map(({ id }) => id))
    expect((await featured('?limit=3')).map(({ id }) => id)).toEqual(all.slice(0, 3).map(({ id }) => id))

    // Creators whom the caller follows come last, in the same order.
    const featuredFor = async (user: TestUser) => {
      const body = (
        await apiAs(user).get('/api/discover/featured-creators?limit=50', z.array(FeaturedCreator))
      ).body
      expect(body.some(({ id }) => id === user.id)).toBe(false)
      return body.filter(({ id }) => creators.includes(id)).map(({ id, following }) => ({ id, following }))
    }
    const ranked = [popularId, likedId, oldestId, newerId, selfCommentedId]
    expect(await featuredFor(discoverable)).toEqual(ranked.map((id) => ({ id, following: false })))
    await apiAs(discoverable).post(`/api/users/${popularId}/follow`, FollowResponse)
    expect((await featuredFor(discoverable)).slice(0, 4)).toEqual(
      ranked.slice(1).map((id) => ({ id, following: false })),
    )
    for (const id of ranked.slice(1))
      await apiAs(discoverable).post(`/api/users/${id}/follow`, FollowResponse)
    // Without the API's limit, the list also contains the followed creators, at the end.
    const everyone = await sql.begin(async (tx) => {
      const claims = decodeJwt(discoverable.token)
      await tx`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
      await tx`set local role authenticated`
      return await tx<{ id: string }[]>`
        select user_id as id from private.list_featured_creators(100000) order by place`
    })
    expect(everyone.slice(-ranked.length).map(({ id }) => id)).toEqual(ranked)

    // The response contains counts and followers only if the creator shows them. It never contains photos of hidden
    // posts.
    const findFeatured = async (id: string) => {
      const { body } = await apiAs(reader).get(
        '/api/discover/featured-creators?limit=50',
        z.array(FeaturedCreator),
      )
      return body.find((creator) => creator.id === id)
    }
    await sql`insert into public.follows (follower_id, followee_id) values (${reader.id}, ${discoverable.id})`
    const [{ posts, followers } = { posts: 0, followers: 0 }] = await sql<
      { posts: number; followers: number }[]
    >`
      select posts, followers from public.profile_counts where user_id = ${newerId}`
    expect(await findFeatured(newerId)).toMatchObject({
      postsCount: posts,
      followersCount: followers,
      followedBy: { user: { id: discoverable.id }, othersCount: 0 },
      photos: [],
    })
    const images = await sql<{ id: string }[]>`
      with image as (
        insert into public.media (owner_id, kind, state, path, content_type, bytes)
        select ${newerId}, 'image', 'ready', gen_random_uuid()::text, 'image/webp', 1 from generate_series(1, 6)
        returning id
      ), published as (
        insert into public.posts (author_id, media_type, media_id, hidden, created_at)
        select ${newerId}, 'image', id, case when place = 6 then 'hidden' end, now() + place * interval '1 millisecond'
        from (select id, row_number() over () as place from image) numbered
        returning media_id, created_at
      )
      select media_id as id from published order by created_at desc`
    expect((await findFeatured(newerId))?.photos).toEqual(
      images.slice(1, 4).map(({ id }) => ({ imageUrl: `/api/media/${id}`, placeholder: null })),
    )
    // A photo with the same alt text as a newer photo comes after the others.
    await sql`
      update public.posts set alt_text = 'A bowl' where media_id in ${sql(images.slice(1, 4).map(({ id }) => id))}`
    expect((await findFeatured(newerId))?.photos.map(({ imageUrl }) => imageUrl)).toEqual(
      [1, 4, 5].map((index) => `/api/media/${images[index]?.id}`),
    )
    await sql`update public.profiles set show_follower_count = false where id = ${newerId}`
    expect(await findFeatured(newerId)).toMatchObject({
      postsCount: null,
      followersCount: null,
      followedBy: null,
    })
    await apiAs(reader).expectError('GET', '/api/discover/featured-creators?limit=51', 400)
    await apiAs(null).expectError('GET', '/api/discover/featured-creators', 401)
  })
})
