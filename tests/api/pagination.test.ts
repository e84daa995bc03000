import { Post } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Posts = z.array(Post)
let author: TestUser
let reader: TestUser

beforeAll(async () => {
  ;({ author, reader } = await createUsers('author', 'reader'))
  // Several posts have the same time to the microsecond, so their IDs determine the order.
  await sql`
    insert into public.posts (author_id, content, created_at)
    select ${author.id}, 'Post ' || n, now() - interval '1 day' - (n / 4) * interval '1 microsecond'
    from generate_series(1, 43) n`
})

const storedIds = async () =>
  (
    await sql<{ id: string }[]>`
      select id from public.posts where author_id = ${author.id} order by created_at desc, id desc`
  ).map(({ id }) => id)

describe('pagination', () => {
  it('returns every post exactly once with cursors, even if posts are published between the requests', async () => {
    const expected = await storedIds()
    const path = `/api/users/${author.username}/posts`
    const ids: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const cursor: string = next === '' ? '' : `?cursor=${encodeURIComponent(next)}`
      const page: { body: Post[]; next: string | null } = await apiAs(reader).get(`${path}${cursor}`, Posts)
      expect(page.body.length).toBeLessThanOrEqual(10)
      ids.push(...page.body.map(({ id }) => id))
      next = page.next
      await sql`insert into public.posts (author_id, content) values (${author.id}, 'Meanwhile')`
    }
    expect(ids).toEqual(expected)
    await sql`delete from public.posts where author_id = ${author.id} and content = 'Meanwhile'`
  })

  it('returns no cursor on the last page, even if the page is full', async () => {
    const path = `/api/users/${author.id}/posts`
    const first = await apiAs(reader).get(`${path}?limit=42`, Posts)
    expect(first.body).toHaveLength(42)
    expect(first.next).not.toBeNull()
    expect((await apiAs(reader).get(`${path}?limit=43`, Posts)).next).toBeNull()
    expect((await apiAs(reader).get(`${path}?limit=50`, Posts)).next).toBeNull()
  })

  it('supports offsets', async () => {
    const expected = await storedIds()
    const path = `/api/users/${author.id}/posts?limit=10`
    const pages = await Promise.all(
      [0, 10, 20, 30, 40].map(async (offset) => {
        const { body } = await apiAs(reader).get(`${path}&offset=${offset}`, Posts)
        return body.map(({ id }) => id)
      }),
    )
    expect(pages.flat()).toEqual(expected)
    expect((await apiAs(null).get('/api/posts?limit=1&offset=1000', Posts)).body.length).toBeLessThanOrEqual(
      1,
    )
  })

  it('returns the whole feed to visitors and users', async () => {
    const expected = new Set(await storedIds())
    for (const client of [apiAs(null), apiAs(reader)]) {
      const feed = await client.getAllPages('/api/posts?limit=23', Posts)
      const ids = feed.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => expected.has(id))).toEqual([...expected])
      const times = feed.map(({ createdAt }) => createdAt)
      expect(times).toEqual([...times].sort().reverse())
    }
  })

  it('rejects invalid parameters', async () => {
    for (const query of [
      'limit=0',
      'limit=51',
      'limit=x',
      'limit=1.5',
      'offset=-1',
      'offset=1001',
      'cursor=x',
      'limit=1&limit=2',
    ]) {
      const body = await apiAs(reader).expectError('GET', `/api/posts?${query}`, 400)
      expect(Object.keys(body.errors ?? {})).toEqual([query.split('=')[0]])
    }
  })

  it('rejects a cursor with an impossible time', async () => {
    const { body, next } = await apiAs(reader).get('/api/posts?limit=1', Posts)
    expect(next).toContain(body[0]?.id)
    for (const time of [
      '2026-02-30T10:00:00.000000Z',
      '2026-13-01T10:00:00.000000Z',
      '2026-01-01T24:00:00.000000Z',
      '2026-01-01T23:59:60.000000Z',
      '0000-01-01T10:00:00.000000Z',
    ]) {
      for (const list of ['/api/posts', '/api/users', '/api/notifications', '/api/messages/conversations']) {
        const error = await apiAs(reader).expectError('GET', `${list}?cursor=${time}_${reader.id}`, 400)
        expect([time, list, error.errors]).toEqual([time, list, { cursor: ['This cursor is not valid.'] }])
      }
    }
  })
})
