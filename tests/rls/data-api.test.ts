import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'
import { webSocketTransport } from '../support/websocket-transport.ts'

/** A client as anybody could make it from what `GET /api/config` answers. */
const client = (token: string | null): SupabaseClient =>
  createClient(stack.apiUrl, stack.publishableKey, {
    realtime: { transport: webSocketTransport },
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token ? { accessToken: async () => token } : {}),
  })

/** Rows that a select answers; none when the table is refused altogether. */
async function rows(who: SupabaseClient, table: string, column?: string, value?: string): Promise<number> {
  // Of accounts not every column is given to their owners.
  const query = who.from(table).select(table === 'accounts' ? 'user_id' : '*')
  const { data } = await (column && value ? query.eq(column, value) : query)
  return data?.length ?? 0
}

let ana: TestUser
let ben: TestUser
let eve: TestUser
let as: Record<'ana' | 'ben' | 'eve' | 'visitor', SupabaseClient>
let postId: string

beforeAll(async () => {
  ;({ ana, ben, eve } = await createUsers('ana', 'ben', 'eve'))
  as = { ana: client(ana.token), ben: client(ben.token), eve: client(eve.token), visitor: client(null) }
  const { data, error } = await as.ana
    .from('posts')
    .insert({ content: 'By the Data API' })
    .select('id')
    .single()
  expect(error).toBeNull()
  postId = data?.id as string
  const sent = await as.ana.from('messages').insert({ receiver_id: ben.id, content: 'between two' })
  expect(sent.error).toBeNull()
})

describe('through the Data API', () => {
  it('a session signs in, reads its own record and refreshes', async () => {
    const session = client(null)
    const { data, error } = await session.auth.setSession({
      access_token: ana.token,
      refresh_token: ana.refreshToken,
    })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(ana.id)
    const own = await session.from('accounts').select('email')
    expect(own.data).toEqual([{ email: ana.email }])
  })

  it('the direct doors of Auth are shut', async () => {
    const up = await as.visitor.auth.signUp({ email: 'direct@example.test', password: 'password' })
    expect(up.error).not.toBeNull()
    const into = await as.visitor.auth.signInWithPassword({ email: ana.email, password: ana.password })
    expect(into.error).not.toBeNull()
    const otp = await as.visitor.auth.signInWithOtp({ email: ana.email })
    expect(otp.error).not.toBeNull()
    const reset = await as.visitor.auth.resetPasswordForEmail(ana.email)
    expect(reset.error).not.toBeNull()
  })

  it('messages and conversations are for their two people', async () => {
    expect(await rows(as.ana, 'messages')).toBe(1)
    expect(await rows(as.ben, 'messages')).toBe(1)
    for (const table of ['messages', 'conversations', 'conversation_members']) {
      expect(await rows(as.eve, table, undefined, undefined)).toBe(0)
      expect(await rows(as.visitor, table)).toBe(0)
    }
  })

  it('accounts, counters, notifications, likes, saves and blocks are their owner’s', async () => {
    await as.ana.from('likes').insert({ post_id: postId })
    await as.ana.from('blocks').insert({ blocked_id: eve.id })
    await as.ana.from('blocks').delete().eq('blocked_id', eve.id)
    for (const table of [
      'accounts',
      'user_counters',
      'notifications',
      'likes',
      'saves',
      'blocks',
      'follow_requests',
    ]) {
      expect(await rows(as.visitor, table)).toBe(0)
      const { data } = await as.eve.from(table).select('*')
      const owners = (data ?? []).map(
        (row: Record<string, string>) => row.user_id ?? row.blocker_id ?? row.follower_id,
      )
      expect(owners.every((id) => id === eve.id)).toBe(true)
    }
    expect(await rows(as.ana, 'likes')).toBe(1)
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
  ])('%s: %j is refused to the owner', async (table, change, column) => {
    const { error } = await as.ana.from(table).update(change).eq(column, ana.id)
    expect(error?.code).toBe('42501')
  })

  it('nothing of somebody else is changed or deleted', async () => {
    await as.eve.from('posts').delete().eq('id', postId)
    await as.eve.from('profiles').update({ visibility: 'private' }).eq('id', ana.id)
    await as.eve.from('messages').insert({ sender_id: ana.id, receiver_id: ben.id, content: 'forged' })
    await as.eve.from('follows').insert({ follower_id: ana.id, followee_id: eve.id })
    await as.visitor.from('posts').insert({ author_id: ana.id, content: 'forged' })
    const [left] = await sql`
      select (select count(*)::int from public.posts where id = ${postId}) as posts,
             (select visibility from public.profiles where id = ${ana.id}) as visibility,
             (select count(*)::int from public.messages where sender_id = ${ana.id}) as messages,
             (select count(*)::int from public.follows where follower_id = ${ana.id}) as follows,
             (select count(*)::int from public.posts where content = 'forged') as forged`
    expect({ ...left }).toEqual({ posts: 1, visibility: 'public', messages: 1, follows: 0, forged: 0 })
  })

  it.each(['settings', 'rate_limits', 'spent_captchas'])(
    'the private schema is not there: %s',
    async (table) => {
      const { error } = await as.ana.schema('private').from(table).select('*')
      expect(error).not.toBeNull()
      const plain = await as.ana.from(table).select('*')
      expect(plain.error).not.toBeNull()
    },
  )

  it('auth, storage, realtime and the stack’s own tables are not there either', async () => {
    for (const [schema, table] of [
      ['auth', 'users'],
      ['auth', 'sessions'],
      ['realtime', 'messages'],
      ['storage', 'objects'],
      ['ovation_stack', 'state'],
      ['supabase_migrations', 'schema_migrations'],
    ] as const) {
      const { data, error } = await as.ana.schema(schema).from(table).select('*')
      expect(error, `${schema}.${table}`).not.toBeNull()
      expect(data).toBeNull()
    }
  })

  it('an ended session reads nothing at once, though its token has not expired', async () => {
    const { leaver } = await createUsers('leaver')
    const who = client(leaver.token)
    expect(await rows(who, 'accounts')).toBe(1)
    await sql`delete from auth.sessions where user_id = ${leaver.id}`
    expect(await rows(who, 'accounts')).toBe(0)
    expect(await rows(who, 'posts', 'id', postId)).toBe(0)
    const { error } = await who.from('posts').insert({ content: 'late' })
    expect(error?.code).toBe('42501')
  })

  it('the bucket of profile pictures takes nothing from a client', async () => {
    const bytes = new Uint8Array([137, 80, 78, 71])
    for (const who of [as.ana, as.visitor]) {
      const { error } = await who.storage
        .from('avatars')
        .upload(`${ana.id}/x.png`, bytes, { contentType: 'image/png' })
      expect(error).not.toBeNull()
    }
    const listed = await as.ana.storage.from('avatars').list(ana.id)
    expect(listed.data ?? []).toEqual([])
  })
})

describe('what the Data API tells beside rows', () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${stack.apiUrl}/rest/v1/${path}`, {
      ...init,
      headers: { apikey: stack.publishableKey, Authorization: `Bearer ${eve.token}`, ...init.headers },
    })

  it.each(['exact', 'planned', 'estimated'])('is no count=%s of hidden rows', async (count) => {
    await sql`analyze public.messages, public.accounts`
    for (const [path, own] of [
      ['messages?select=id', '0'],
      ['accounts?select=user_id&email=lt.zzzz', '1'],
    ] as const) {
      const response = await ask(path, { method: 'HEAD', headers: { Prefer: `count=${count}` } })
      expect(response.headers.get('content-range')?.split('/')[1]).toBe(own)
    }
  })

  it.each([
    ['messages', { receiver_id: '00000000-0000-4000-8000-000000000000', content: ' ' }],
    ['posts', { content: 'x'.repeat(5001) }],
  ])('is no internal word about a wrong value in %s', async (table, row) => {
    const response = await ask(table, {
      method: 'POST',
      body: JSON.stringify(row),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(response.status).toBeLessThan(500)
    expect(await response.text()).not.toMatch(/PostgresError|_check/)
  })

  it('is not the database, table within table', async () => {
    const deep = 'comments(id,posts(id,comments(id)))'
    for (const select of [
      `id,${deep}`,
      `id,"))))":id,${deep}`,
      `"))":${deep}`,
      `id,product->x)),${deep}`,
      `id,)),${deep}`,
      `id,${Array.from({ length: 7 }, (_, n) => `a${n}:comments(id)`).join(',')}`,
    ]) {
      const answer = await ask(`posts?limit=1000&select=${encodeURIComponent(select)}`)
      expect([select, answer.status]).toEqual([select, 400])
    }
    // A column with brackets in its path asks for no table.
    expect((await ask('posts?limit=1&select=id,product->>name')).status).toBe(200)
    expect(
      (await ask('posts?limit=1&select=id,comments(id,profiles!comments_author_id_fkey(id))')).status,
    ).toBe(200)
  })

  it.each(['rest/v1/%ff', 'rest/v1/posts?content=eq.%00', 'storage/v1/object/public/avatars/%00'])(
    '%s is refused as unreadable',
    async (path) => {
      const response = await fetch(`${stack.apiUrl}/${path}`, { headers: { apikey: stack.publishableKey } })
      expect(response.status).toBe(400)
    },
  )
})
