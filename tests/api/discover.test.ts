import { TrendingTag } from '@contract/discover.ts'
import { Post } from '@contract/post.ts'
import { FollowResponse, OwnUser, User } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { runJob } from '../support/run-job.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
let reader: TestUser
let open: TestUser
let quiet: TestUser
let closed: TestUser
let blocked: TestUser

beforeAll(async () => {
  ;({ reader, open, quiet, closed, blocked } = await createUsers(
    'reader',
    'open',
    'quiet',
    'closed',
    'blocked',
  ))
  const authors = [reader, open, quiet, closed, blocked].map(({ id }) => id)
  await sql`
    insert into public.posts (author_id, content, created_at)
    select a.id, 'Post ' || n, now() - (n / 3) * interval '1 second'
    from unnest(${authors}::uuid[]) a(id), generate_series(1, 4) n`
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${blocked.id}, ${reader.id})`
  await apiAs(quiet).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: false })
  await apiAs(closed).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'followers' })
})

/** Whose posts are among the first 50, each as often as it stands there. */
async function discovered(...among: TestUser[]): Promise<Record<string, number>> {
  const { body } = await apiAs(reader).get('/api/discover/posts?limit=50', Posts)
  const times = body.map(({ createdAt }) => createdAt)
  expect(times).toEqual([...times].sort().reverse())
  expect(body.some(({ mine }) => mine)).toBe(false)
  return Object.fromEntries(
    among.map(({ id, username }) => [username, body.filter(({ userId }) => userId === id).length]),
  )
}

describe('posts to discover', () => {
  it('are others’, newest first, by those who let them be discovered and whom the caller may see', async () => {
    expect(await discovered(reader, open, quiet, closed, blocked)).toEqual({
      [reader.username]: 0,
      [open.username]: 4,
      [quiet.username]: 0,
      [closed.username]: 0,
      [blocked.username]: 0,
    })
    await apiAs(reader).post(`/api/users/${quiet.id}/follow`, FollowResponse)
    await sql`insert into public.follows (follower_id, followee_id) values (${reader.id}, ${closed.id})`
    expect(await discovered(quiet, closed)).toEqual({ [quiet.username]: 0, [closed.username]: 4 })
  })

  it('come page by page without a gap or a double', async () => {
    const wanted = await sql<{ id: string }[]>`
      select id from public.posts where author_id in (${open.id}, ${closed.id}) order by created_at desc, id desc`
    const seen = (await apiAs(reader).getAllPages('/api/discover/posts?limit=23', Posts)).map(({ id }) => id)
    expect(new Set(seen).size).toBe(seen.length)
    const ours = new Set(wanted.map(({ id }) => id))
    expect(seen.filter((id) => ours.has(id))).toEqual(wanted.map(({ id }) => id))
  })

  it('are for people', async () => {
    expect((await apiAs(null).expectError('GET', '/api/discover/posts', 401)).code).toBe('unauthorized')
    await apiAs(reader).expectError('GET', '/api/discover/posts?cursor=x', 400)
  })
})

/** Counts again what is trending, as the schedule has it done. */
async function countTrending(): Promise<void> {
  const { status, body } = await runJob('trending')
  expect(status).toBe(200)
  expect(Job.parse(body).counted).toEqual({
    tags: expect.any(Number),
    creators: expect.any(Number),
  })
}
const Job = z.object({ counted: z.record(z.string(), z.number()) })

describe('what is trending', () => {
  const crowd: string[] = []
  afterAll(async () => {
    await sql`delete from auth.users where id = any(${crowd}::uuid[])`
  })

  /** People with accounts, made without the API: it takes many to be more than those of the demo data. */
  async function many(number: number): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      insert into auth.users (id, email, raw_user_meta_data)
      select id, id || '@example.test', jsonb_build_object('full_name', 'One of many', 'adult_confirmed', true,
        'username', 'm_' || left(replace(id::text, '-', ''), 20), 'phone_number', '+1 555 0100 200')
      from (select gen_random_uuid() as id from generate_series(1, ${number})) made returning id`
    const ids = rows.map(({ id }) => id)
    crowd.push(...ids)
    return ids
  }

  const write = (people: string[], content: string, times = 1, created = new Date()) => sql`
    insert into public.posts (author_id, content, created_at)
    select id, ${content}, ${created} from unnest(${people}::uuid[]) id, generate_series(1, ${times})`

  it('are topics, ranked by how many people used them in the last 7 days, of those who are open to all', async () => {
    const [people, hidden] = [await many(40), await many(40)]
    const mark = `x${Date.now()}`
    const [first, second, flood, old, unseen] = [
      `${mark}_one`,
      `${mark}_two`,
      `${mark}_flood`,
      `${mark}_old`,
      `${mark}_unseen`,
    ] as const
    await write(people, `#${first} twice in a post counts once: #${first.toUpperCase()}`)
    await write(people.slice(1), `#${second}`, 2)
    await write(people.slice(0, 1), `#${flood}`, 300)
    await write(people, `#${old}`, 1, new Date(Date.now() - 7 * 86_400_000 - 60_000))
    await sql`update public.profiles set content_discoverable = false where id = any(${hidden.slice(0, 10)}::uuid[])`
    await sql`update public.profiles set visibility = 'followers' where id = any(${hidden.slice(20, 30)}::uuid[])`
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = any(${hidden.slice(10, 20)}::uuid[])`
    await sql`update public.profiles set visibility = 'private' where id = any(${hidden.slice(30)}::uuid[])`
    await write(hidden, `#${unseen} #${first}`)
    // What is paid for in a post is no topic.
    await sql`
      with sold as (
        insert into public.posts (author_id, is_premium, premium_price, teaser)
        select id, true, 5, ${`#${second}`} from unnest(${people.slice(0, 1)}::uuid[]) id returning id, author_id)
      insert into public.premium_contents (post_id, author_id, content)
      select id, author_id, ${`#${unseen}`} from sold`

    await countTrending()
    const { body } = await apiAs(reader).get('/api/discover/trending-hashtags', z.array(TrendingTag))
    // Both have 40 people now: then the number of posts decides. One person alone moves nothing.
    const ours = body.filter(({ tag }) => tag.startsWith(mark))
    expect(ours.slice(0, 2)).toEqual([
      { tag: second, posts: 79, people: 40 },
      { tag: first, posts: 40, people: 40 },
    ])
    expect(body.length).toBeLessThanOrEqual(10)
    const counted = await sql<{ tag: string; people: number }[]>`
      select tag, people from private.trending_tags where starts_with(tag, ${mark}) and tag <> ${flood} order by tag`
    expect(counted.map((row) => ({ ...row }))).toEqual([first, second].map((tag) => ({ tag, people: 40 })))
    await write(await many(1), `#${first}`)
    await countTrending()
    const again = await apiAs(reader).get('/api/discover/trending-hashtags', z.array(TrendingTag))
    expect(again.body.filter(({ tag }) => tag.startsWith(mark)).slice(0, 2)).toMatchObject([
      { tag: first, posts: 41, people: 41 },
      { tag: second, posts: 79, people: 40 },
    ])
    await apiAs(null).expectError('GET', '/api/discover/trending-hashtags', 401)
    expect((await fetch(`${stack.jobsUrl}/trending`, { method: 'POST' })).status).toBe(401)
  })

  it('are creators, by what others did with their posts in the last 7 days, then by sign-up', async () => {
    const fans = await many(60)
    const creators = await many(8)
    const [star = '', runner = '', vain = '', shy = '', locked = '', late = '', early = '', quieted = ''] =
      creators
    const authors = [...creators, open.id, reader.id, blocked.id]
    await sql`update public.profiles set is_creator = true where id = any(${authors}::uuid[])`
    await sql`update public.profiles set content_discoverable = false where id = ${shy}`
    await sql`update public.profiles set visibility = 'private' where id = ${locked}`
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${quieted}`
    // Nobody signed up before these.
    await sql`update public.profiles set created_at = '2001-01-03' where id = ${vain}`
    await sql`update public.profiles set created_at = '2001-01-02' where id = ${late}`
    await sql`update public.profiles set created_at = '2001-01-01' where id = ${early}`
    await write(authors, 'By a creator')
    const act = async (people: string[], author: string, table: 'likes' | 'saves', since = new Date()) => sql`
      insert into ${sql(`public.${table}`)} (post_id, user_id, created_at)
      select p.id, f, ${since}
      from unnest(${people}::uuid[]) f, (select id from public.posts where author_id = ${author} limit 1) p`
    for (const author of [star, shy, locked, quieted, reader.id, blocked.id]) {
      await act(fans, author, 'likes')
      await act(fans, author, 'saves')
    }
    await act(fans, runner, 'likes')
    // The same for each, and more than other tests leave: otherwise these would be behind what is answered at most.
    for (const author of [early, late, vain]) await act(fans.slice(0, 40), author, 'likes')
    // What was done before, and what one does oneself, counts for nothing.
    await act(fans.slice(40), late, 'likes', new Date(Date.now() - 8 * 86_400_000))
    await sql`
      insert into public.comments (post_id, author_id, content)
      select p.id, p.author_id, 'My own ' || n from public.posts p, generate_series(1, 200) n
      where p.author_id = ${vain}`
    await countTrending()

    const featured = async (query = '') =>
      (await apiAs(reader).get(`/api/discover/featured-creators${query}`, z.array(User))).body
    const all = await featured('?limit=50')
    expect(all.every(({ isCreator }) => isCreator)).toBe(true)
    const among = (ids: string[]) => all.map(({ id }) => id).filter((id) => ids.includes(id))
    expect(among([...creators, reader.id, blocked.id])).toEqual([star, runner, early, late, vain])
    expect((await featured()).map(({ id }) => id)).toEqual(all.slice(0, 6).map(({ id }) => id))
    expect((await featured('?limit=3')).map(({ id }) => id)).toEqual(all.slice(0, 3).map(({ id }) => id))
    await apiAs(open).post(`/api/users/${star}/follow`, FollowResponse)
    const forOpen = (await apiAs(open).get('/api/discover/featured-creators?limit=50', z.array(User))).body
    expect(forOpen.find(({ id }) => id === star)?.following).toBe(true)
    expect(forOpen.some(({ id }) => id === open.id)).toBe(false)
    await apiAs(reader).expectError('GET', '/api/discover/featured-creators?limit=51', 400)
    await apiAs(null).expectError('GET', '/api/discover/featured-creators', 401)
  })
})
