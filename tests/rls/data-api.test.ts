import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationHeader } from '../support/api.ts'
import { sql, stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { createUsers, makeAdmin, type TestUser } from '../support/users.ts'

/** Returns the number of rows that a select returns, or 0 if access to the table is denied. */
async function countReadableRows(client: SupabaseClient, table: string): Promise<number> {
  // Users may not read every column of their own account, so `*` would be rejected.
  const { data } = await client.from(table).select(table === 'accounts' ? 'user_id' : '*')
  return data?.length ?? 0
}

let ana: TestUser
let ben: TestUser
let eve: TestUser
let clients: Record<'ana' | 'ben' | 'eve' | 'visitor', SupabaseClient>
let postId: string

beforeAll(async () => {
  ;({ ana, ben, eve } = await createUsers('ana', 'ben', 'eve'))
  clients = {
    ana: createTestClient(stack, ana.token),
    ben: createTestClient(stack, ben.token),
    eve: createTestClient(stack, eve.token),
    visitor: createTestClient(stack),
  }
  const { data, error } = await clients.ana
    .from('posts')
    .insert({ content: 'By the Data API' })
    .select('id')
    .single()
  expect(error).toBeNull()
  postId = data?.id as string
  const sent = await clients.ana.from('messages').insert({ receiver_id: ben.id, content: 'between two' })
  expect(sent.error).toBeNull()
})

describe('the Data API', () => {
  it('accepts a session and lets the user read their own account', async () => {
    const session = createTestClient(stack)
    const { data, error } = await session.auth.setSession({
      access_token: ana.token,
      refresh_token: ana.refreshToken,
    })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(ana.id)
    const own = await session.from('accounts').select('email')
    expect(own.data).toEqual([{ email: ana.email }])
  })

  it('returns messages only to the two members, and hides the conversation from others', async () => {
    expect(await countReadableRows(clients.ana, 'messages')).toBe(1)
    expect(await countReadableRows(clients.ben, 'messages')).toBe(1)
    for (const table of ['messages', 'conversations', 'conversation_members']) {
      expect(await countReadableRows(clients.eve, table)).toBe(0)
      expect(await countReadableRows(clients.visitor, table)).toBe(0)
    }
  })

  it('hides accounts, counters, notifications, likes, saves, blocks and follow requests from strangers', async () => {
    await clients.ana.from('likes').insert({ post_id: postId })
    await clients.ana.from('blocks').insert({ blocked_id: eve.id })
    await clients.ana.from('blocks').delete().eq('blocked_id', eve.id)
    for (const [table, owner] of [
      ['accounts', 'user_id'],
      ['user_counters', 'user_id'],
      ['notifications', 'user_id'],
      ['likes', 'user_id'],
      ['saves', 'user_id'],
      ['blocks', 'blocker_id'],
      ['follow_requests', 'follower_id'],
    ] as const) {
      expect(await countReadableRows(clients.visitor, table)).toBe(0)
      const { data, error } = await clients.eve.from(table).select(owner)
      expect(error).toBeNull()
      const owners = data?.map((row: Record<string, string>) => row[owner])
      expect(owners?.filter((id) => id !== eve.id)).toEqual([])
    }
    expect(await countReadableRows(clients.ana, 'likes')).toBe(1)
  })

  it.each([
    ['profiles', { is_admin: true }, 'id'],
    ['profiles', { is_creator: true }, 'id'],
    ['profile_counts', { followers: 9 }, 'user_id'],
    ['accounts', { email: 'x@y.test' }, 'user_id'],
    ['user_counters', { unread_messages: 0 }, 'user_id'],
    ['posts', { likes_count: 9 }, 'author_id'],
    ['conversation_members', { unread_count: 0 }, 'user_id'],
    ['notifications', { read_at: null }, 'user_id'],
  ])('does not let the owner of a row in %s set %j', async (table, change, column) => {
    const { error } = await clients.ana.from(table).update(change).eq(column, ana.id)
    expect(error?.code).toBe('42501')
  })

  it.each(['is_admin', 'show_in_directory', 'content_discoverable'])(
    'does not let visitors read profiles.%s, or filter or sort by it',
    async (column) => {
      const profiles = () => clients.visitor.from('profiles')
      const results = await Promise.all([
        profiles().select(`id,${column}`),
        profiles().select('id').is(column, false),
        profiles().select('id').or(`${column}.is.true,username.eq.x`),
        profiles().select('id').order(column),
        clients.visitor.from('posts').select(`id,profiles!posts_author_id_fkey(${column})`),
        clients.visitor
          .from('posts')
          .select('id,profiles!posts_author_id_fkey!inner(id)')
          .is(`profiles.${column}`, true),
      ])
      for (const { data, error } of results) {
        expect(error).not.toBeNull()
        expect(data).toBeNull()
      }
      const { data } = await profiles().select('id,username,full_name,visibility,created_at').eq('id', ana.id)
      expect(data).toMatchObject([{ id: ana.id, visibility: 'public' }])
    },
  )

  it('hides is_admin from visitors, but GET /api/users/:id shows them whether a user is an admin', async () => {
    const { boss } = await createUsers('boss')
    await makeAdmin(boss)
    const readUser = async (id: string) => (await fetch(`${stack.apiUrl}/api/users/${id}`)).json()
    expect(await readUser(boss.id)).toMatchObject({ id: boss.id, isAdmin: true })
    expect(await readUser(ana.id)).toMatchObject({ id: ana.id, isAdmin: false })
  })

  it('does not let users change, delete or forge other users’ rows', async () => {
    await clients.eve.from('posts').delete().eq('id', postId)
    await clients.eve.from('profiles').update({ visibility: 'private' }).eq('id', ana.id)
    await clients.eve.from('messages').insert({ sender_id: ana.id, receiver_id: ben.id, content: 'forged' })
    await clients.eve.from('follows').insert({ follower_id: ana.id, followee_id: eve.id })
    await clients.visitor.from('posts').insert({ author_id: ana.id, content: 'forged' })
    const [remaining] = await sql`
      select (select count(*)::int from public.posts where id = ${postId}) as posts,
             (select visibility from public.profiles where id = ${ana.id}) as visibility,
             (select count(*)::int from public.messages where sender_id = ${ana.id}) as messages,
             (select count(*)::int from public.follows where follower_id = ${ana.id}) as follows,
             (select count(*)::int from public.posts where content = 'forged') as forged`
    expect({ ...remaining }).toEqual({ posts: 1, visibility: 'public', messages: 1, follows: 0, forged: 0 })
  })

  it.each(['settings', 'rate_limits', 'spent_captchas'])('does not expose private.%s', async (table) => {
    const { error } = await clients.ana.schema('private').from(table).select('*')
    expect(error).not.toBeNull()
    const unqualified = await clients.ana.from(table).select('*')
    expect(unqualified.error).not.toBeNull()
  })

  it('does not expose the schemas of Auth, Storage, Realtime, the stack or the migrations', async () => {
    for (const [schema, table] of [
      ['auth', 'users'],
      ['auth', 'sessions'],
      ['realtime', 'messages'],
      ['storage', 'objects'],
      ['ovation_stack', 'state'],
      ['supabase_migrations', 'schema_migrations'],
    ] as const) {
      const { data, error } = await clients.ana.schema(schema).from(table).select('*')
      expect(error, `${schema}.${table}`).not.toBeNull()
      expect(data).toBeNull()
    }
  })

  it('does not let clients change PostgreSQL settings, which hold the JWT claims and the session state', async () => {
    const values = { setting_name: 'private.active_session', new_value: 'x', is_local: true }
    for (const client of [clients.ana, clients.visitor]) {
      for (const call of [
        client.rpc('set_config', values),
        client.schema('pg_catalog').rpc('set_config', values),
        client.schema('private').rpc('check_session'),
        client.from('pg_settings').update({ setting: 'x' }).eq('name', 'private.active_session'),
        client.from('profiles').select('set_config(private.active_session,x,true)'),
      ]) {
        const { data, error } = await call
        expect([data, error === null]).toEqual([null, false])
      }
    }
    // No function that the Data API exposes may change settings or run dynamic SQL.
    const exposed = await sql`
      select p.oid::regprocedure::text from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prosrc ~* 'set_config|\\mset\\M.*\\m(local|session)\\M|execute'`
    expect(exposed).toEqual([])
  })

  it('denies access to an ended session immediately, before the token expires', async () => {
    const { signedOut } = await createUsers('signedOut')
    const client = createTestClient(stack, signedOut.token)
    expect(await countReadableRows(client, 'accounts')).toBe(1)
    await sql`delete from auth.sessions where user_id = ${signedOut.id}`
    for (const call of [
      client.from('accounts').select('email'),
      client.from('posts').select('id').eq('id', postId),
      client.from('posts').insert({ content: 'late' }),
    ]) {
      const { error, status, data } = await call
      expect([status, error?.code, data]).toEqual([401, 'PGRST303', null])
    }
  })
})

describe('the Data API over HTTP', () => {
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${stack.apiUrl}/rest/v1/${path}`, {
      ...init,
      headers: { apikey: stack.publishableKey, ...authorizationHeader(eve), ...init.headers },
    })

  it.each(['exact', 'planned', 'estimated'])('does not include hidden rows in count=%s', async (count) => {
    await sql`analyze public.messages, public.accounts`
    for (const [path, visibleCount] of [
      ['messages?select=id', '0'],
      ['accounts?select=user_id&email=lt.zzzz', '1'],
    ] as const) {
      const response = await request(path, { method: 'HEAD', headers: { Prefer: `count=${count}` } })
      expect(response.headers.get('content-range')?.split('/')[1]).toBe(visibleCount)
    }
  })

  it.each([
    ['messages', { receiver_id: '00000000-0000-4000-8000-000000000000', content: ' ' }],
    ['posts', { content: 'x'.repeat(5001) }],
  ])('returns no internal error text for an invalid value in %s', async (table, row) => {
    const response = await request(table, {
      method: 'POST',
      body: JSON.stringify(row),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(response.status).toBeLessThan(500)
    expect(await response.text()).not.toMatch(/PostgresError|_check/)
  })

  it.each(['"', 'id::"', 'comments("', 'product->>"'])('rejects the malformed select %s', async (select) => {
    const response = await request(`posts?select=${encodeURIComponent(select)}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'PGRST100' })
  })

  it('rejects selects with too many or too deeply nested tables', async () => {
    const deep = 'comments(id,posts(id,comments(id)))'
    for (const select of [
      `id,${deep}`,
      `id,"))))":id,${deep}`,
      `"))":${deep}`,
      `id,product->x)),${deep}`,
      `id,)),${deep}`,
      `id,${Array.from({ length: 7 }, (_, n) => `a${n}:comments(id)`).join(',')}`,
    ]) {
      const response = await request(`posts?limit=1000&select=${encodeURIComponent(select)}`)
      expect([select, response.status]).toEqual([select, 400])
    }
    // JSON path operators do not select another table.
    expect((await request('posts?limit=1&select=id,product->>name')).status).toBe(200)
    expect(
      (await request('posts?limit=1&select=id,comments(id,profiles!comments_author_id_fkey(id))')).status,
    ).toBe(200)
  })

  it('rejects regular expressions and, for visitors, filters and sorting that no index supports', async () => {
    const visitorHeaders = { Authorization: `Bearer ${stack.publishableKey}` }
    for (const [query, status, message] of [
      ['content=match.^(.%2B)(.%2B)$', 400, 'Regular expressions are not supported.'],
      ['content=imatch(any).%7B%22^(.%2B)(.%2B)$%22%7D', 400, 'Regular expressions are not supported.'],
      ['content=ilike.*a*', 400, 'The filter ilike requires a signed-in user.'],
      ['order=content', 400, 'Sorting by content requires a signed-in user.'],
      ['order=created_at.desc&is_premium=is.true', 200, undefined],
    ] as const) {
      const response = await request(`posts?select=id&limit=1&${query}`, { headers: visitorHeaders })
      expect([query, response.status, (await response.json()).message]).toEqual([query, status, message])
    }
    expect((await request('posts?select=id&limit=1&content=ilike.*a*')).status).toBe(200)
    expect((await request('posts?select=id&limit=1&content=imatch.a')).status).toBe(400)
  })

  it('limits the number of rows and the size of a response', async () => {
    const { author } = await createUsers('author')
    await sql.begin(async (tx) => {
      // Disables the triggers, which would take too long.
      await tx`set local session_replication_role = replica`
      await tx`insert into public.posts (author_id, content)
               select ${author.id}, repeat('😀', 5000) from generate_series(1, 150)`
    })
    const embed = 'posts!posts_author_id_fkey'
    const profile = `profiles?id=eq.${author.id}&limit=1`
    const posts = await request(`posts?author_id=eq.${author.id}&select=id&limit=1000`)
    expect(await posts.json()).toHaveLength(100)
    const [row] = (await (await request(`${profile}&select=id,${embed}(id)`)).json()) as {
      posts: unknown[]
    }[]
    expect(row?.posts).toHaveLength(100)
    const lists = ['a', 'b', 'c'].map((alias) => `${alias}:${embed}(content)`)
    // On a busy machine, the query can time out before it reaches the size limit.
    await expect
      .poll(async () => (await (await request(`${profile}&select=id,${lists.join(',')}`)).json()).message, {
        timeout: 60_000,
      })
      .toBe('The response is larger than 5 MB. Request fewer rows or columns.')
    await sql`delete from public.posts where author_id = ${author.id}`
  })

  it('cancels a query that takes too long or whose client has disconnected', async () => {
    const countWaiting = async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'gallery_items' and usename = 'lite'`
      return row?.count
    }
    await sql.begin(async (tx) => {
      await tx`lock table public.gallery_items in access exclusive mode`
      const client = new AbortController()
      const aborted = request('gallery_items?select=id&limit=1', { signal: client.signal })
      await expect.poll(countWaiting).toBe(1)
      client.abort()
      await expect(aborted).rejects.toThrow()
      // Without the abort, the query would wait for 3 seconds, which is the time limit for signed-in users.
      await expect.poll(countWaiting, { timeout: 2000, interval: 20 }).toBe(0)
      const visitorHeaders = { Authorization: `Bearer ${stack.publishableKey}` }
      const response = await request('gallery_items?select=id&limit=1', { headers: visitorHeaders })
      expect([response.status, (await response.json()).code]).toEqual([504, 'unavailable'])
    })
  })
})

describe('Auth', () => {
  it('rejects sign-up, sign-in and password resets that bypass the API', async () => {
    const signUp = await clients.visitor.auth.signUp({ email: 'direct@example.test', password: 'password' })
    expect(signUp.error).not.toBeNull()
    const signIn = await clients.visitor.auth.signInWithPassword({ email: ana.email, password: ana.password })
    expect(signIn.error).not.toBeNull()
    const otp = await clients.visitor.auth.signInWithOtp({ email: ana.email })
    expect(otp.error).not.toBeNull()
    const reset = await clients.visitor.auth.resetPasswordForEmail(ana.email)
    expect(reset.error).not.toBeNull()
  })
})

describe('Storage', () => {
  it('does not let clients upload to or list the avatars bucket', async () => {
    const bytes = new Uint8Array([137, 80, 78, 71])
    for (const client of [clients.ana, clients.visitor]) {
      const { error } = await client.storage
        .from('avatars')
        .upload(`${ana.id}/x.png`, bytes, { contentType: 'image/png' })
      expect(error).not.toBeNull()
    }
    const listed = await clients.ana.storage.from('avatars').list(ana.id)
    expect(listed.data ?? []).toEqual([])
  })
})

it.each(['rest/v1/%ff', 'rest/v1/posts?content=eq.%00', 'storage/v1/object/public/avatars/%00'])(
  'rejects the malformed URL %s',
  async (path) => {
    const response = await fetch(`${stack.apiUrl}/${path}`, { headers: { apikey: stack.publishableKey } })
    expect(response.status).toBe(400)
  },
)
