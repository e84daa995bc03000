import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationHeader } from '../support/api.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ann: TestUser
let ben: TestUser
let eve: TestUser

beforeAll(async () => {
  ;({ ann, ben, eve } = await createUsers('ann', 'ben', 'eve'))
  for (const [receiver, content] of [
    [ben, 'to Ben'],
    [eve, 'to Eve'],
  ] as const) {
    await request('messages', ann, { method: 'POST', body: { receiver_id: receiver.id, content } })
  }
  await request('posts', ann, { method: 'POST', body: { content: 'A post' } })
})

async function request(
  path: string,
  user: TestUser | null,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: object } = {},
) {
  const response = await fetch(`${stack.apiUrl}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: stack.publishableKey,
      ...authorizationHeader(user),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const names = ['content-type', 'content-range', 'content-location', 'access-control-allow-origin']
  return {
    status: response.status,
    headers: names.map((name) => response.headers.get(name)),
    body: text === '' ? null : JSON.parse(text),
  }
}

/**
 * Returns how many reads have run as prepared statements, bypassing `@supabase/lite`. Each such read checks its role
 * with the query that this function counts.
 */
async function countPreparedReads(): Promise<number> {
  const [row] = await sql<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::int as calls from extensions.pg_stat_statements
    where query like 'select current_setting(%) as role'`
  return row?.calls ?? 0
}

/** Repeats a read until it runs as a prepared statement, and returns the first and the last response. */
async function repeat(path: string, user: TestUser | null) {
  const before = await countPreparedReads()
  const first = await request(path, user)
  let last = first
  await expect
    .poll(async () => {
      last = await request(path, user)
      return await countPreparedReads()
    })
    .toBeGreaterThan(before)
  return { first, last }
}

describe('a repeated read', () => {
  it.each([
    // The public reads return the oldest rows, because other tests add rows at the same time.
    ['posts?select=id,author_id,content,created_at&order=created_at&limit=3', true],
    ['posts?select=*&order=created_at&limit=3&offset=2', true],
    ['profiles?select=name:full_name,id,profile_counts(*)&order=created_at,id&limit=2', true],
    ['conversations?select=id,messages(id,content)&order=id', false],
    ['posts?select=id&order=created_at&limit=2', true],
  ])('has the same response as the first: %s', async (path, isPublic) => {
    const { first, last } = await repeat(path, ann)
    expect(first.status).toBe(200)
    expect(last).toEqual(first)
    expect(first.body.length).toBeGreaterThan(0)
    if (!isPublic) return
    const visitorResponses = await repeat(path, null)
    expect(visitorResponses.last).toEqual(visitorResponses.first)
  })

  it('returns to each caller only the rows that the caller may see', async () => {
    const path = 'messages?select=content,sender_id&order=id&limit=50'
    expect((await repeat(path, ann)).last.body).toHaveLength(2)
    expect((await request(path, ben)).body).toEqual([{ content: 'to Ben', sender_id: ann.id }])
    expect((await request(path, eve)).body).toEqual([{ content: 'to Eve', sender_id: ann.id }])
    expect((await request(path, null)).body).not.toContainEqual(
      expect.objectContaining({ sender_id: ann.id }),
    )
    const responses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const user = [ann, ben, eve][n % 3] ?? null
        return [n % 3, (await request(path, user)).body.length]
      }),
    )
    expect(responses).toEqual(responses.map(([n]) => [n, n === 0 ? 2 : 1]))
  })

  it('returns rows that were added since the previous read, and no deleted rows', async () => {
    const path = `posts?select=id,content&author_id=eq.${ann.id}&order=created_at.desc`
    await repeat(path, ben)
    const content = `New ${randomUUID()}`
    await request('posts', ann, { method: 'POST', body: { content } })
    expect((await request(path, ben)).body[0].content).toBe(content)
    await request(`posts?content=eq.${encodeURIComponent(content)}`, ann, { method: 'DELETE' })
    expect((await request(path, ben)).body[0].content).toBe('A post')
    await sql`delete from public.posts where author_id = ${ann.id}`
    const empty = await request(path, ben)
    expect([empty.status, empty.body, empty.headers[1]]).toEqual([200, [], '*/*'])
    await request('posts', ann, { method: 'POST', body: { content: 'A post' } })
  })

  it('returns 401 for a session that has ended, and for an invalid token or key', async () => {
    const { mia } = await createUsers('mia')
    const path = 'profiles?select=id&order=id&limit=1'
    expect((await repeat(path, mia)).last.status).toBe(200)
    await sql`delete from auth.sessions where user_id = ${mia.id}`
    expect((await request(path, mia)).status).toBe(401)
    expect((await request(path, { ...mia, token: `${mia.token}x` })).status).toBe(401)
    expect((await request(path, null, { headers: { apikey: 'sb_publishable_other' } })).status).toBe(401)
    expect((await request(path, ann)).status).toBe(200)
  })

  it('respects the row limit', async () => {
    const path = 'profiles?select=id,posts(id)&limit=5000'
    const { first, last } = await repeat(path, ann)
    // Other tests write at the same time, so the rows may differ.
    for (const { status, body } of [first, last]) {
      expect(status).toBe(200)
      expect(body).toHaveLength(100)
      expect(Object.keys(body[0] ?? {})).toEqual(['id', 'posts'])
    }
  })

  it('reflects changes to the schema and to privileges', async () => {
    const table = `repeated_${randomUUID().replaceAll('-', '').slice(0, 12)}`
    try {
      await sql.unsafe(`create table public.${table} (id int primary key)`)
      await sql.unsafe(`insert into public.${table} values (1)`)
      await sql.unsafe(`grant select on public.${table} to authenticated`)
      await expect.poll(async () => (await request(`${table}?select=*`, ann)).status).toBe(200)
      expect((await repeat(`${table}?select=*`, ann)).last.body).toEqual([{ id: 1 }])
      await sql.unsafe(`alter table public.${table} add column note text default 'new'`)
      await expect
        .poll(async () => (await request(`${table}?select=*`, ann)).body)
        .toEqual([{ id: 1, note: 'new' }])
      await repeat(`${table}?select=id,note`, ann)
      await sql.unsafe(`alter table public.${table} drop column note`)
      await expect.poll(async () => (await request(`${table}?select=id,note`, ann)).status).toBe(400)
      await sql.unsafe(`revoke select on public.${table} from authenticated`)
      expect((await request(`${table}?select=*`, ann)).status).toBe(403)
    } finally {
      await sql.unsafe(`drop table if exists public.${table}`)
    }
  })
})
