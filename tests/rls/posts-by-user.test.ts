import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteAccounts } from '../support/deadlocks.ts'
import {
  getSqlState,
  insertBlock,
  insertFollow,
  insertUser,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'

// `private.list_posts_by_user` bypasses the policies, so these tests check that it returns nothing that the policies
// hide.

const createdIds: string[] = []
const readers = {} as Record<'stranger' | 'follower' | 'blocked' | 'admin', SessionUser>
const visibilities = ['public', 'followers', 'private'] as const
const authors = {} as Record<(typeof visibilities)[number], SessionUser>

beforeAll(async () => {
  const create = async (settings = {}) => {
    const user = await insertUser(settings)
    createdIds.push(user.id)
    return user
  }
  for (const name of ['stranger', 'follower', 'blocked'] as const) readers[name] = await create()
  readers.admin = await create({ admin: true })
  for (const visibility of visibilities) {
    const author = await create({ creator: true, visibility })
    authors[visibility] = author
    await insertFollow(readers.follower, author)
    await insertBlock(author, readers.blocked)
    await sql`
      insert into public.posts (author_id, content, media_type) values
        (${author.id}, 'A lantern photo', 'image'), (${author.id}, 'A lantern video', 'video'),
        (${author.id}, 'A lantern text', null), (${author.id}, 'A hidden lantern', null),
        (${author.id}, 'A removed lantern', null)`
    const [premium] = await sql<{ id: string }[]>`
      insert into public.posts (author_id, teaser, is_premium, premium_price, media_type)
      values (${author.id}, 'A lantern teaser', true, 5, 'image') returning id`
    await sql`
      insert into public.premium_contents (post_id, author_id, content)
      values (${premium?.id ?? ''}, ${author.id}, 'A secretword')`
    await sql`
      update public.posts set hidden = split_part(content, ' ', 2)
      where author_id = ${author.id} and content in ('A hidden lantern', 'A removed lantern')`
  }
})

afterAll(() => deleteAccounts(sql, createdIds))

const list = async (
  user: SessionUser | null,
  author: SessionUser,
  kind: string | null,
  query: string | null = null,
) => {
  const rows = await runAs(
    user,
    (tx) => tx<{ text: string }[]>`
      select coalesce(p.teaser, p.content) as text
      from private.list_posts_by_user(${author.id}, ${kind}, ${query}, null, null, null, 20) found (id)
      join public.posts p on p.id = found.id`,
  )
  return rows.map(({ text }) => text).sort()
}

describe('private.list_posts_by_user', () => {
  it('returns the posts of a kind, without hidden ones', async () => {
    for (const reader of [null, readers.stranger, readers.admin]) {
      expect(await list(reader, authors.public, 'image')).toEqual(['A lantern photo', 'A lantern teaser'])
      expect(await list(reader, authors.public, 'video')).toEqual(['A lantern video'])
      expect(await list(reader, authors.public, 'text')).toEqual(['A lantern text'])
      expect(await list(reader, authors.public, 'premium')).toEqual(['A lantern teaser'])
    }
  })

  it('returns hidden posts to their author, who cannot search them', async () => {
    expect(await list(authors.public, authors.public, 'text')).toEqual(['A hidden lantern', 'A lantern text'])
    expect(await list(authors.public, authors.public, 'text', 'lantern')).toEqual(['A lantern text'])
  })

  it('returns nothing to users who cannot view the profile', async () => {
    for (const [author, denied] of [
      [authors.public, [readers.blocked]],
      [authors.followers, [null, readers.stranger, readers.blocked]],
      [authors.private, [null, readers.stranger, readers.follower, readers.blocked]],
    ] as const) {
      for (const reader of denied) {
        expect(await list(reader, author, 'image')).toEqual([])
        expect(await list(reader, author, null, 'lantern')).toEqual([])
      }
    }
    expect(await list(readers.follower, authors.followers, 'video', 'LANTERNS')).toEqual([])
    expect(await list(readers.follower, authors.followers, 'video', 'lant')).toEqual(['A lantern video'])
  })

  it('never finds paid text', async () => {
    for (const reader of [...Object.values(readers), ...Object.values(authors)])
      expect(await list(reader, authors.public, null, 'secretword')).toEqual([])
  })

  it('returns nothing after the session has ended', async () => {
    const ended = { ...readers.stranger, sessionId: readers.follower.sessionId }
    const rows = runAs(
      ended,
      (tx) =>
        tx`select private.list_posts_by_user(${authors.public.id}, 'image', null, null, null, null, 20)`,
    )
    expect(await rows).toEqual([])
  })
})

describe('the numbers of posts', () => {
  it('stay correct when posts are added, hidden, restored and deleted', async () => {
    const read = async () => {
      const [row] = await sql`
        select posts, photos, videos, premium_posts from public.profile_counts where user_id = ${authors.public.id}`
      return Object.values(row ?? {})
    }
    expect(await read()).toEqual([4, 2, 1, 1])
    const setMediaPostsHidden = (hidden: string | null) => sql`
      update public.posts set hidden = ${hidden} where author_id = ${authors.public.id} and media_type is not null`
    await setMediaPostsHidden('hidden')
    expect(await read()).toEqual([1, 0, 0, 0])
    await setMediaPostsHidden(null)
    expect(await read()).toEqual([4, 2, 1, 1])
    await sql`delete from public.posts where author_id = ${authors.public.id} and is_premium`
    expect(await read()).toEqual([3, 1, 1, 0])
  })

  it('cannot be changed through the function that counts posts, which no user can call', async () => {
    const count = runAs(
      readers.admin,
      (tx) =>
        tx`select private.count_post(p, 1) from public.posts p where p.author_id = ${authors.public.id}`,
    )
    expect(await getSqlState(count)).toBe('42501')
  })
})
