import { TopicMatch } from '@contract/discover.ts'
import { Post } from '@contract/post.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

// tests/rls/post-search.test.ts covers which posts each user can find.

const Posts = z.array(Post)
const word = `w${Date.now().toString(36)}`
let author: TestUser
let reader: TestUser

beforeAll(async () => {
  ;({ author, reader } = await createUsers('author', 'reader'))
  await makeCreator(author)
})

describe('GET /api/posts/search', () => {
  it('returns posts in the same form as other lists, in pages without gaps or duplicates', async () => {
    await sql`
      insert into public.posts (author_id, content, created_at)
      select ${author.id}, ${`Fresh ${word} #${word}`}, now() - n * interval '1 minute' from generate_series(1, 23) n`
    const first = await apiAs(reader).get(`/api/posts/search?q=${word}`, Posts)
    expect([first.body.length, first.next === null]).toEqual([10, false])
    expect(first.body[0]).toMatchObject({ userId: author.id, liked: false, mine: false })
    for (const limit of [5, 23, 50]) {
      const ids = (await apiAs(reader).getAllPages(`/api/posts/search?q=${word}&limit=${limit}`, Posts)).map(
        ({ id }) => id,
      )
      expect([limit, ids.length, new Set(ids).size]).toEqual([limit, 23, 23])
      expect(ids.slice(0, 10)).toEqual(first.body.map(({ id }) => id))
    }
  })

  it('finds premium posts by their teaser only, and returns them without their content', async () => {
    const price = { isPremium: true, premiumPrice: 5 }
    const body = { content: `Paid${word}`, teaser: `Teaser${word}`, ...price }
    const { id } = await createPost(author, body)
    const [found, ...others] = (await apiAs(reader).get(`/api/posts/search?q=teaser${word}`, Posts)).body
    expect([found?.id, found?.locked, found?.content, others]).toEqual([id, true, '', []])
    for (const user of [reader, author])
      expect((await apiAs(user).get(`/api/posts/search?q=paid${word}`, Posts)).body).toEqual([])
  })

  it('no longer finds the posts of users who turn "content discoverable" off', async () => {
    await apiAs(author).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: false })
    expect((await apiAs(reader).get(`/api/posts/search?q=${word}`, Posts)).body).toEqual([])
    expect((await apiAs(reader).get(`/api/topics/search?q=${word}`, z.array(TopicMatch))).body).toEqual([])
    await apiAs(author).patch('/api/settings/privacy', OwnUser, { contentDiscoverable: true })
  })

  it('requires a session, a valid cursor and a query that is not too long', async () => {
    for (const path of ['/api/posts/search', '/api/topics/search']) {
      expect((await apiAs(null).expectError('GET', `${path}?q=${word}`, 401)).code).toBe('unauthorized')
      await apiAs(reader).expectError('GET', `${path}?q=${'x'.repeat(101)}`, 400)
      expect((await apiAs(reader).get(`${path}?q=%20`, z.array(z.unknown()))).body).toEqual([])
    }
    const cursors = [
      'x',
      '_1',
      `2026-01-01T00:00:00.000000Z_${author.id}`,
      `2026-02-30T00:00:00.000000Z_${author.id}_1`,
    ]
    for (const cursor of cursors)
      await apiAs(reader).expectError('GET', `/api/posts/search?q=${word}&cursor=${cursor}`, 400)
  })
})

describe('GET /api/topics/search', () => {
  it('returns the topics with the number of posts that the caller can find, counted up to 20', async () => {
    const { body } = await apiAs(reader).get(`/api/topics/search?q=${word.slice(0, 6)}`, z.array(TopicMatch))
    expect(body.filter(({ tag }) => tag === word)).toEqual([{ tag: word, posts: 20 }])
  })
})
