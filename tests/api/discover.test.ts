import { Post } from '@contract/post.ts'
import { FollowAnswer, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { as } from '../support/api.ts'
import { createPeople, type Person } from '../support/people.ts'
import { sql } from '../support/stack.ts'

const Posts = z.array(Post)
let reader: Person
let open: Person
let quiet: Person
let closed: Person
let blocked: Person

beforeAll(async () => {
  ;({ reader, open, quiet, closed, blocked } = await createPeople(
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
  await as(quiet).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: false })
  await as(closed).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'followers' })
})

/** Whose posts are among the first 50, each as often as it stands there. */
async function discovered(...among: Person[]): Promise<Record<string, number>> {
  const { body } = await as(reader).get('/api/discover/posts?limit=50', Posts)
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
    await as(reader).post(`/api/users/${quiet.id}/follow`, FollowAnswer)
    await sql`insert into public.follows (follower_id, followee_id) values (${reader.id}, ${closed.id})`
    expect(await discovered(quiet, closed)).toEqual({ [quiet.username]: 0, [closed.username]: 4 })
  })

  it('come page by page without a gap or a double', async () => {
    const wanted = await sql<{ id: string }[]>`
      select id from public.posts where author_id in (${open.id}, ${closed.id}) order by created_at desc, id desc`
    const seen = (await as(reader).all('/api/discover/posts?limit=23', Posts)).map(({ id }) => id)
    expect(new Set(seen).size).toBe(seen.length)
    const ours = new Set(wanted.map(({ id }) => id))
    expect(seen.filter((id) => ours.has(id))).toEqual(wanted.map(({ id }) => id))
  })

  it('are for people', async () => {
    expect((await as(null).refused('GET', '/api/discover/posts', 401)).code).toBe('unauthorized')
    await as(reader).refused('GET', '/api/discover/posts?cursor=x', 400)
  })
})
