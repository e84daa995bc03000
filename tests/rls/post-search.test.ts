import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
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

// For speed, the search functions bypass the policies, so these tests check that the functions find nothing that the
// policies hide.

const createdIds: string[] = []
const marker = `q${Date.now().toString(36)}`
const readers = {} as Record<'stranger' | 'follower' | 'blocked' | 'blocker' | 'buyer' | 'admin', SessionUser>
const visibilities = ['public', 'followers', 'private'] as const
type Kind = 'free' | 'premium' | 'undiscoverable' | 'hidden'
/** One author per profile visibility, and one who is not discoverable. */
const authors = {} as Record<(typeof visibilities)[number] | 'undiscoverable', SessionUser>
/** The post IDs, keyed by the author's name and the kind of post, such as `public free`. */
const postIds = new Map<string, string>()

beforeAll(async () => {
  const create = async (settings = {}) => {
    const user = await insertUser(settings)
    createdIds.push(user.id)
    return user
  }
  for (const name of ['stranger', 'follower', 'blocked', 'blocker', 'buyer'] as const)
    readers[name] = await create()
  readers.admin = await create({ admin: true })
  for (const name of [...visibilities, 'undiscoverable'] as const) {
    const author = await create({ creator: true, visibility: name === 'undiscoverable' ? 'public' : name })
    authors[name] = author
    await insertFollow(readers.follower, author)
    await insertBlock(author, readers.blocked)
    await insertBlock(readers.blocker, author)
    const kinds: Kind[] = name === 'undiscoverable' ? ['undiscoverable'] : ['free', 'premium', 'hidden']
    for (const kind of kinds) postIds.set(`${name} ${kind}`, await insertPost(author, kind))
  }
  await sql`update public.profiles set content_discoverable = false where id = ${authors.undiscoverable.id}`
})

afterAll(() => deleteAccounts(sql, createdIds))

async function insertPost(author: SessionUser, kind: Kind): Promise<string> {
  const id = randomUUID()
  const text = `Crème brûlée at dawn, ${marker}! #Tag_${marker}`
  await sql.begin(async (tx) => {
    if (kind === 'premium') {
      await tx`
        insert into public.posts (id, author_id, is_premium, premium_price, teaser) values (${id}, ${author.id}, true, 5, ${text})`
      await tx`
        insert into public.premium_contents (post_id, author_id, content)
        values (${id}, ${author.id}, ${`secret${marker} #secret${marker}`})`
      await tx`
        with paid as (
          insert into public.payments (kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider, state, settled_at)
          values ('unlock', ${readers.buyer.id}, ${author.id}, ${id}, 500, 50, 'test', 'paid', now()) returning id)
        insert into public.unlocks (user_id, post_id, payment_id) select ${readers.buyer.id}, ${id}, id from paid`
    } else {
      await tx`insert into public.posts (id, author_id, content) values (${id}, ${author.id}, ${text})`
      if (kind === 'hidden') await tx`update public.posts set hidden = 'hidden' where id = ${id}`
    }
  })
  return id
}

const searchPosts = async (user: SessionUser | null, query: string) =>
  (
    await runAs(
      user,
      (tx) => tx<{ id: string }[]>`
        select post_id as id from private.search_posts(${query}, null, null, 0, 50) order by place`,
    )
  ).map(({ id }) => id)

const searchTopics = async (user: SessionUser | null, query: string) =>
  (
    await runAs(
      user,
      (tx) =>
        tx<{ tag: string; posts: number }[]>`select tag, posts from private.search_topics(${query}, 20, 99)`,
    )
  ).map((row) => ({ ...row }))

const idsOf = (...names: string[]) => names.map((name) => postIds.get(name) ?? name).sort()

const publicPosts = ['public free', 'public premium']
/** The posts that each reader finds. `author` is the author whose profile is private. */
const expected: Record<keyof typeof readers | 'author', string[]> = {
  stranger: publicPosts,
  buyer: publicPosts,
  follower: [...publicPosts, 'followers free', 'followers premium', 'undiscoverable undiscoverable'],
  blocked: [],
  blocker: [],
  admin: [...publicPosts, 'followers free', 'followers premium', 'private free', 'private premium'],
  author: ['private free', 'private premium', ...publicPosts],
}

describe('post search', () => {
  it.each(Object.keys(expected) as (keyof typeof expected)[])(
    'finds only posts that the reader may read and discover: %s',
    async (reader) => {
      const user = reader === 'author' ? authors.private : readers[reader]
      const names = expected[reader]
      for (const query of [marker, `CREME brulee ${marker}`, `daw ${marker}`, `#tag_${marker}`]) {
        expect([query, (await searchPosts(user, query)).sort()]).toEqual([query, idsOf(...names)])
      }
      const readable = await runAs(
        user,
        (tx) => tx<{ id: string }[]>`select id from public.posts where id = any(${idsOf(...names)}::uuid[])`,
      )
      expect(readable).toHaveLength(names.length)
      const count = names.filter((name) => !name.startsWith('undiscoverable')).length
      expect(await searchTopics(user, `tag_${marker}`)).toEqual(
        count ? [{ tag: `tag_${marker}`, posts: count }] : [],
      )
    },
  )

  it('lets authors find their own posts, even if the authors are not discoverable', async () => {
    const found = await searchPosts(authors.undiscoverable, marker)
    expect(found).toContain(postIds.get('undiscoverable undiscoverable'))
  })

  it('never finds paid text, not even for buyers and authors', async () => {
    for (const user of [...Object.values(readers), ...Object.values(authors)]) {
      expect(await searchPosts(user, `secret${marker}`)).toEqual([])
      expect(await searchTopics(user, `secret${marker}`)).toEqual([])
    }
    const [row] = await sql`
      select exists (select from private.post_search where words @@ ${`secret${marker}`}::tsquery) as stored`
    expect(row?.stored).toBe(false)
  })

  it('is available to signed-in users with an active session only', async () => {
    expect(await getSqlState(searchPosts(null, marker))).toBe('42501')
    expect(await getSqlState(searchTopics(null, marker))).toBe('42501')
    const withForeignSession = { ...readers.stranger, sessionId: readers.buyer.sessionId }
    expect(await searchPosts(withForeignSession, marker)).toEqual([])
    expect(await searchTopics(withForeignSession, marker)).toEqual([])
    for (const table of ['post_search', 'topics', 'searchable_posts'])
      expect(await getSqlState(runAs(readers.admin, (tx) => tx`select from ${tx(`private.${table}`)}`))).toBe(
        '42501',
      )
  })

  it('reflects edits, hiding, restoring and deletion', async () => {
    const author = authors.public
    const id = randomUUID()
    const word = `edited${marker}`
    const find = async () => [
      await searchPosts(readers.stranger, word),
      (await searchTopics(readers.stranger, word)).map(({ tag }) => tag),
    ]
    await sql`insert into public.posts (id, author_id, content) values (${id}, ${author.id}, 'Nothing yet')`
    expect(await find()).toEqual([[], []])
    await sql`update public.posts set content = ${`Now #${word}`} where id = ${id}`
    expect(await find()).toEqual([[id], [word]])
    await sql`update public.posts set hidden = 'removed' where id = ${id}`
    expect(await find()).toEqual([[], []])
    await sql`update public.posts set hidden = null where id = ${id}`
    expect(await find()).toEqual([[id], [word]])
    await sql`update public.posts set content = 'Nothing again' where id = ${id}`
    expect(await find()).toEqual([[], []])
    await sql`delete from public.posts where id = ${id}`
    expect(await sql`select from private.post_search where post_id = ${id}`).toHaveLength(0)
  })

  it('treats operators, wildcards and quotes as separators, and accepts very long words', async () => {
    const oddQueries = [
      "'",
      '\\',
      '%',
      "a' | 'b",
      '!',
      ':*',
      '&',
      '<->',
      '😀',
      '()',
      "\\'",
      'é'.repeat(100),
      'x'.repeat(5000),
    ]
    for (const query of oddQueries) {
      expect([query, await searchPosts(readers.stranger, `${query} no${marker}`)]).toEqual([query, []])
      await searchTopics(readers.stranger, query)
      await searchPosts(readers.stranger, query)
    }
    expect((await searchPosts(readers.stranger, `'${marker}' & !dawn:*`)).sort()).toEqual(
      idsOf(...publicPosts),
    )
    // A post whose only word is too long for an index can still be inserted.
    await sql`insert into public.posts (author_id, content) values (${authors.public.id}, ${'長'.repeat(2500) + 'x'.repeat(2500)})`
  })
})

// Matches are split into windows of 100, from newest to oldest. Each window is sorted separately.
describe('the order of search results', () => {
  it('depends on whole-word matches first, then on likes, comments and age, with no gaps or overlaps between windows', async () => {
    const word = `order${marker}`
    const author = authors.public
    await sql`
      insert into public.posts (author_id, content, created_at, likes_count, comments_count)
      select ${author.id}, ${word} || case when n % 2 = 0 then 's' else '' end || ' ' || n, now() - n * interval '1 day',
             case when n = 51 then 1000 else 0 end, case when n = 41 then 3 else 0 end
      from generate_series(1, 230) n`
    const { ids, windows } = await searchAllPages(word, 30)
    expect(ids).toHaveLength(230)
    expect(new Set(ids).size).toBe(230)
    expect(windows).toBe(3)
    const rows = await sql<{ id: string; n: number }[]>`
      select p.id, split_part(p.content, ' ', 2)::int as n from public.posts p
      where p.author_id = ${author.id} and starts_with(p.content, ${word})`
    const numberById = new Map(rows.map(({ id, n }) => [id, n]))
    const order = ids.map((id) => numberById.get(id) ?? 0)
    // The posts with odd numbers match as whole words. Likes and comments outweigh an age difference of weeks.
    expect(order.slice(0, 4)).toEqual([51, 41, 1, 3])
    expect(order.slice(0, 50).every((n) => n % 2 === 1)).toBe(true)
    expect(order.slice(50, 100)).toEqual(Array.from({ length: 50 }, (_, index) => 2 * (index + 1)))
    expect(order.slice(100, 103)).toEqual([101, 103, 105])
  })

  async function searchAllPages(word: string, limit: number) {
    const ids: string[] = []
    const seen = new Set<string>()
    let start: string | null = null
    let after = 0
    for (;;) {
      const [at = null, id = null]: (string | null)[] = start?.split('_') ?? []
      const page: { post_id: string; place: number; this_window: string; next_window: string | null }[] =
        await runAs(
          readers.stranger,
          (tx) =>
            tx`select * from private.search_posts(${word}, ${at}::text::timestamptz, ${id}, ${after}, ${limit}) order by place`,
        )
      const last = page.at(-1)
      if (last) seen.add(last.this_window)
      ids.push(...page.map((row) => row.post_id))
      if (last && page.length === limit) [start, after] = [last.this_window, last.place]
      else if (last?.next_window) [start, after] = [last.next_window, 0]
      else return { ids, windows: seen.size }
    }
  }
})

describe('searches in large tables', () => {
  class Rollback extends Error {}

  /** Runs statements as the stranger after inserting many other rows, in a transaction that is rolled back. */
  async function withManyRows<T>(
    insert: (tx: postgres.TransactionSql) => Promise<unknown>,
    run: (tx: postgres.TransactionSql) => Promise<T>,
  ) {
    const { id, sessionId } = readers.stranger
    let result: T | undefined
    await sql
      .begin(async (tx) => {
        await tx`set local session_replication_role = replica`
        await insert(tx)
        await tx`set local session_replication_role = origin`
        const claims = JSON.stringify({ sub: id, role: 'authenticated', session_id: sessionId })
        await tx`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`
        result = await run(tx)
        throw new Rollback()
      })
      .catch((error) => {
        if (!(error instanceof Rollback)) throw error
      })
    return result
  }

  it('find posts behind thousands of newer posts', async () => {
    const found = await withManyRows(
      (tx) => tx`
        insert into private.post_search (post_id, created_at, words)
        select gen_random_uuid(), clock_timestamp(), to_tsvector('simple', 'other words') from generate_series(1, 6000)`,
      (tx) =>
        tx<
          { id: string }[]
        >`select post_id as id from private.search_posts(${`${marker} daw`}, null, null, 0, 50)`,
    )
    expect(found?.map(({ id }) => id).sort()).toEqual(idsOf(...publicPosts))
  })

  it('find the newest 100 matches, whether they keep scanning past the newest 500 posts or switch to the index', async () => {
    const word = `every${marker}`
    const results = await withManyRows(
      async (tx) => {
        await tx`create temp table many on commit drop as
          select gen_random_uuid() as id, now() - n * interval '1 minute' as at,
                 case when n % 10 = 0 then ${word} else 'another' end as word
          from generate_series(1, 3000) n`
        await tx`insert into public.posts (id, author_id, content, created_at) select id, ${authors.public.id}, word, at from many`
        await tx`insert into private.post_search (post_id, created_at, words)
                 select id, at, private.text_search_vector(word) from many`
      },
      async (tx) => {
        // The choice between the scan and the index depends on PostgreSQL's estimate of the number of posts.
        const search = async (postCount: number) => {
          await tx`set local role none`
          await tx`update pg_class set reltuples = ${postCount} where oid = 'private.post_search'::regclass`
          await tx`set local role authenticated`
          return await tx`select post_id as id from private.search_posts(${word}, null, null, 0, 100) order by 1`
        }
        const found = [await search(1000), await search(1e9)]
        await tx`set local role none`
        const newest = await tx`
          select id from (select id from many where word = ${word} order by at desc limit 100) m order by 1`
        return { found, newest }
      },
    )
    expect(results?.newest).toHaveLength(100)
    expect(results?.found).toEqual([results?.newest, results?.newest])
  })

  it('find users behind thousands of earlier users, by the start or another part of a name, or by the bio', async () => {
    const word = `zz${marker}`
    const queries = { start: word, inside: word.slice(1), bio: `bio${marker}` }
    const found = await withManyRows(
      async (tx) => {
        await tx`
          insert into public.profiles (id, username, full_name, created_at)
          select gen_random_uuid(), 'many_' || n, 'One of many', '1990-01-01' from generate_series(1, 2500) n`
        await tx`update public.profiles set full_name = ${`Aa ${word}`} where id = ${readers.buyer.id}`
        await tx`insert into public.profile_details (user_id, bio) values (${readers.admin.id}, ${`My bio${marker}`})
                 on conflict (user_id) do update set bio = excluded.bio`
      },
      async (tx) => {
        const results: Record<string, string[]> = {}
        for (const [kind, query] of Object.entries(queries)) {
          const rows = await tx<{ id: string; rank: number }[]>`
            select user_id as id, rank from private.search_users(${query}, -1, '', null, 50)`
          results[kind] = rows.map(({ id, rank }) => `${rank} ${id}`)
        }
        return results
      },
    )
    expect(found).toEqual({
      start: [`3 ${readers.buyer.id}`],
      inside: [`4 ${readers.buyer.id}`],
      bio: [`5 ${readers.admin.id}`],
    })
  })
})

describe('topic search', () => {
  it('returns the exact match, then prefix matches, then substring matches, each sorted by number of users', async () => {
    const key = `top${marker}`
    const tags = [`${key}_b`, `${key}_a`, key, `my_${key}`, `${key.slice(0, 3)}_${key.slice(3)}_c`]
    for (const [index, tag] of tags.entries())
      await sql`insert into public.posts (author_id, content)
                select id, ${`#${tag}`} from unnest(${createdIds.slice(0, index === 0 ? 3 : 1)}::uuid[]) id`
    await sql`select private.refresh_topics()`
    const search = async (query: string) =>
      (await searchTopics(readers.stranger, query)).map(({ tag }) => tag)
    expect(await search(`#${key.toUpperCase()}`)).toEqual([key, `${key}_b`, tags[4], `${key}_a`, `my_${key}`])
    expect(await search(`${key.slice(0, 3)} ${key.slice(3)} b`)).toEqual([`${key}_b`])
    await sql`delete from public.posts where content = ${`#${key}`} and author_id = any(${createdIds}::uuid[])`
    expect(await search(key)).not.toContain(key)
    await sql`select private.refresh_topics()`
    expect(await sql`select from private.topics where tag = ${key}`).toHaveLength(0)
  })

  it('finds a topic again after a refresh deleted the topic while its first post was being inserted', async () => {
    const tag = `again${marker}`
    await sql`insert into public.posts (author_id, content) values (${createdIds[0] ?? ''}, ${`#${tag}`})`
    await sql`delete from private.topics where tag = ${tag}`
    await sql`select private.refresh_topics(1)`
    expect(await searchTopics(readers.stranger, tag)).toMatchObject([{ tag }])
  })
})
