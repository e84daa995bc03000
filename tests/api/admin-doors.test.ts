import { createClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call } from '../support/api.ts'
import { makeCreator } from '../support/creators.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'
import { webSocketTransport } from '../support/websocket-transport.ts'

let fan: TestUser
let creator: TestUser
let admin: TestUser

beforeAll(async () => {
  ;({ fan, creator, admin } = await createUsers('fan', 'creator', 'admin'))
  await makeCreator(creator)
  await sql`update public.profiles set is_admin = true where id = ${admin.id}`
})

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type Call = { method: (typeof methods)[number]; path: string }

/** Every call of admins that the API describes, each with an id in its path that there is. */
async function adminCalls(): Promise<Call[]> {
  const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  const { paths } = Document.parse(await (await call('GET', '/api/openapi.json')).json())
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/admin/'))
    .flatMap(([path, operations]) =>
      methods
        .filter((method) => method in operations)
        .map((method) => ({ method, path: path.replaceAll(/\{\w+\}/g, fan.id) })),
    )
}

/** What somebody may send: nothing, what is right in no call, what is no JSON, and no body of JSON at all. */
const bodies: RequestInit[] = [
  {},
  { body: '{}', headers: { 'Content-Type': 'application/json' } },
  { body: '{"userId":', headers: { 'Content-Type': 'application/json' } },
  { body: JSON.stringify('x'.repeat(101 * 1024)), headers: { 'Content-Type': 'application/json' } },
  { body: 'words', headers: { 'Content-Type': 'text/plain' } },
]

async function answersOf({ method, path }: Call, person: TestUser | null): Promise<string[]> {
  const wrong = `${path.replace(fan.id, 'nobody')}?limit=-1&cursor=x&from=never`
  const tries = [
    ...(method === 'get' ? bodies.slice(0, 1) : bodies).map((init) => ({ path, init })),
    { path: wrong, init: {} },
  ]
  return await Promise.all(
    tries.map(async ({ path, init }) => {
      const headers = new Headers(init.headers)
      if (person) headers.set('Authorization', `Bearer ${person.token}`)
      const answer = await fetch(`${stack.apiUrl}${path}`, { ...init, method: method.toUpperCase(), headers })
      const { code } = z.object({ code: z.string() }).parse(await answer.json())
      return `${answer.status} ${code}`
    }),
  )
}

describe('every call of admins', () => {
  it('refuses visitors, people and creators, whatever they send', async () => {
    const calls = await adminCalls()
    expect(calls.length).toBeGreaterThan(25)
    for (const one of calls) {
      const [visitor, ...members] = await Promise.all(
        [null, fan, creator].map((person) => answersOf(one, person)),
      )
      const name = `${one.method} ${one.path}`
      expect([name, new Set(visitor)]).toEqual([name, new Set(['401 unauthorized'])])
      expect([name, new Set(members.flat())]).toEqual([name, new Set(['403 forbidden'])])
    }
    // What there is not, too.
    expect(await answersOf({ method: 'post', path: '/api/admin/nothing' }, fan)).toContain('403 forbidden')
  })

  it('refuses a session that has ended', async () => {
    const { leaver } = await createUsers('leaver')
    await sql`update public.profiles set is_admin = true where id = ${leaver.id}`
    await sql`delete from auth.sessions where user_id = ${leaver.id}`
    for (const one of await adminCalls()) {
      expect(new Set(await answersOf(one, leaver)), one.path).toEqual(new Set(['401 unauthorized']))
    }
  })
})

/** Every function that asks who is an admin, as a statement that calls it with nothing. */
const guarded = () => sql<{ name: string; statement: string }[]>`
  select p.proname as name, format('select private.%I(%s)', p.proname, coalesce((
           select string_agg(format('null::%s', format_type(t.oid, null)), ', ' order by t.nth)
           from unnest(p.proargtypes) with ordinality t (oid, nth)), '')) as statement
  from pg_proc p
  where p.pronamespace = 'private'::regnamespace and not p.proisstrict
    and p.prosrc ~ 'perform private.require_(admin|manageable|post_for)[(]'
    and has_function_privilege('authenticated', p.oid, 'execute')
  order by 1`

async function outcome(person: TestUser, statement: string): Promise<string> {
  const undone = new Error('taken back')
  const attempt = sql.begin(async (tx) => {
    const [session] = await tx`select id from auth.sessions where user_id = ${person.id}`
    const claims = { sub: person.id, role: 'authenticated', session_id: session?.id }
    await tx`
      select set_config('role', 'authenticated', true), set_config('request.jwt.claim.sub', ${person.id}, true),
             set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
    await tx.unsafe(statement)
    throw undone
  })
  const error: unknown = await attempt.catch((thrown: unknown) => thrown)
  return error === undone ? 'done' : z.object({ code: z.string() }).parse(error).code
}

describe('beside the API', () => {
  it('the database’s functions refuse people and creators', async () => {
    const functions = await guarded()
    const names = functions.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'approve_account',
        'edit_person',
        'remove_person',
        'publish_post_for',
        'suspend_person',
      ]),
    )
    for (const { name, statement } of functions) {
      const codes = await Promise.all([fan, creator].map((person) => outcome(person, statement)))
      expect([name, codes]).toEqual([name, ['PT403', 'PT403']])
    }
  })

  it('the Data API has none of them, and takes none of these changes, not from admins either', async () => {
    const id = fan.id
    for (const person of [null, fan, creator, admin]) {
      const client = createClient(stack.apiUrl, stack.publishableKey, {
        realtime: { transport: webSocketTransport },
        auth: { persistSession: false, autoRefreshToken: false },
        ...(person ? { accessToken: async () => person.token } : {}),
      })
      for (const name of [
        'approve_account',
        'edit_person',
        'remove_person',
        'change_settings',
        'grant_admin',
      ]) {
        expect((await client.rpc(name, { person: id })).error, name).not.toBeNull()
        expect((await client.schema('private').rpc(name, { person: id })).error, name).not.toBeNull()
      }
      for (const [table, change, column] of [
        ['profiles', { is_admin: true }, 'id'],
        ['profiles', { is_creator: true }, 'id'],
        ['accounts', { approved_at: '2026-01-01' }, 'user_id'],
        ['accounts', { suspended_at: '2026-01-01', suspension_reason: 'x' }, 'user_id'],
        ['accounts', { read_only_reason: null }, 'user_id'],
        ['profile_about', { age: 30 }, 'user_id'],
        ['profile_details', { bio: 'x' }, 'user_id'],
      ] as const) {
        const { error } = await client.from(table).update(change).eq(column, id)
        expect([table, error?.code]).toEqual([table, '42501'])
      }
      const posted = await client.from('posts').insert({ author_id: creator.id, content: 'forged' })
      expect(posted.error === null).toBe(person === creator)
      const row = { actor_id: id, action: 'x', previous_hash: '', hash: '' }
      expect((await client.from('audit_entries').insert(row)).error?.code).toBe('42501')
      expect((await client.from('accounts').delete().eq('user_id', id)).error?.code).toBe('42501')
    }
    const [left] = await sql`
      select p.is_admin, p.is_creator, a.approved_at, a.suspended_at
      from public.profiles p join public.accounts a on a.user_id = p.id where p.id = ${id}`
    expect({ ...left }).toEqual({ is_admin: false, is_creator: false, approved_at: null, suspended_at: null })
  })
})
