import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call } from '../support/api.ts'
import { sql, stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

let fan: TestUser
let creator: TestUser
let admin: TestUser

beforeAll(async () => {
  ;({ fan, creator, admin } = await createUsers('fan', 'creator', 'admin'))
  await makeCreator(creator)
  await makeAdmin(admin)
})

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type Call = { method: (typeof methods)[number]; path: string }

/** Returns every admin call in the OpenAPI document. The path parameters are replaced with a user's ID. */
async function listAdminCalls(): Promise<Call[]> {
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

/** Request bodies: no body, an invalid object, malformed JSON, a string that is too large, and plain text. */
const bodies: RequestInit[] = [
  {},
  { body: '{}', headers: { 'Content-Type': 'application/json' } },
  { body: '{"userId":', headers: { 'Content-Type': 'application/json' } },
  { body: JSON.stringify('x'.repeat(101 * 1024)), headers: { 'Content-Type': 'application/json' } },
  { body: 'words', headers: { 'Content-Type': 'text/plain' } },
]

async function statusesOf({ method, path }: Call, user: TestUser | null): Promise<string[]> {
  const invalidPath = `${path.replace(fan.id, 'nobody')}?limit=-1&cursor=x&from=never`
  const requests = [
    ...(method === 'get' ? bodies.slice(0, 1) : bodies).map((init) => ({ path, init })),
    { path: invalidPath, init: {} },
  ]
  return await Promise.all(
    requests.map(async ({ path, init }) => {
      const headers = new Headers(init.headers)
      if (user) headers.set('Authorization', `Bearer ${user.token}`)
      const response = await fetch(`${stack.apiUrl}${path}`, {
        ...init,
        method: method.toUpperCase(),
        headers,
      })
      const { code } = z.object({ code: z.string() }).parse(await response.json())
      return `${response.status} ${code}`
    }),
  )
}

describe('every admin endpoint', () => {
  it('rejects visitors, users and creators, whatever the request contains', async () => {
    const calls = await listAdminCalls()
    expect(calls.length).toBeGreaterThan(25)
    for (const adminCall of calls) {
      const [visitorStatuses, ...userStatuses] = await Promise.all(
        [null, fan, creator].map((user) => statusesOf(adminCall, user)),
      )
      const name = `${adminCall.method} ${adminCall.path}`
      expect([name, new Set(visitorStatuses)]).toEqual([name, new Set(['401 unauthorized'])])
      expect([name, new Set(userStatuses.flat())]).toEqual([name, new Set(['403 forbidden'])])
    }
    // The same applies to unknown admin paths.
    expect(await statusesOf({ method: 'post', path: '/api/admin/nothing' }, fan)).toContain('403 forbidden')
  })

  it('rejects an ended session', async () => {
    const { signedOutAdmin } = await createUsers('signedOutAdmin')
    await makeAdmin(signedOutAdmin)
    await sql`delete from auth.sessions where user_id = ${signedOutAdmin.id}`
    for (const adminCall of await listAdminCalls()) {
      expect(new Set(await statusesOf(adminCall, signedOutAdmin)), adminCall.path).toEqual(
        new Set(['401 unauthorized']),
      )
    }
  })
})

/**
 * Returns the functions that signed-in users can execute and that require an admin, each with a statement that calls it
 * with null arguments.
 */
const listGuardedFunctions = () => sql<{ name: string; statement: string }[]>`
  select p.proname as name, format('select private.%I(%s)', p.proname, coalesce((
           select string_agg(format('null::%s', format_type(t.oid, null)), ', ' order by t.nth)
           from unnest(p.proargtypes) with ordinality t (oid, nth)), '')) as statement
  from pg_proc p
  where p.pronamespace = 'private'::regnamespace and not p.proisstrict
    and p.prosrc ~ 'perform private.require_(admin|manageable|can_post_for)[(]'
    and has_function_privilege('authenticated', p.oid, 'execute')
  order by 1`

async function callAs(user: TestUser, statement: string): Promise<string> {
  const rollback = new Error('rolled back')
  const attempt = sql.begin(async (tx) => {
    const [session] = await tx`select id from auth.sessions where user_id = ${user.id}`
    const claims = { sub: user.id, role: 'authenticated', session_id: session?.id }
    await tx`
      select set_config('role', 'authenticated', true), set_config('request.jwt.claim.sub', ${user.id}, true),
             set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
    await tx.unsafe(statement)
    throw rollback
  })
  const error: unknown = await attempt.catch((thrown: unknown) => thrown)
  return error === rollback ? 'done' : z.object({ code: z.string() }).parse(error).code
}

describe('without the API', () => {
  it('the database functions reject users and creators', async () => {
    const functions = await listGuardedFunctions()
    const names = functions.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'approve_account',
        'update_user_profile',
        'remove_user',
        'publish_post_for',
        'suspend_user',
      ]),
    )
    for (const { name, statement } of functions) {
      const codes = await Promise.all([fan, creator].map((user) => callAs(user, statement)))
      expect([name, codes]).toEqual([name, ['PT403', 'PT403']])
    }
  })

  it('the Data API exposes no admin function and rejects writes to accounts and profiles, even by admins', async () => {
    const id = fan.id
    for (const user of [null, fan, creator, admin]) {
      const client = createTestClient(stack, user?.token)
      for (const name of [
        'approve_account',
        'update_user_profile',
        'remove_user',
        'update_instance_settings',
        'grant_admin',
      ]) {
        expect((await client.rpc(name, { target_user_id: id })).error, name).not.toBeNull()
        expect((await client.schema('private').rpc(name, { target_user_id: id })).error, name).not.toBeNull()
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
      expect(posted.error === null).toBe(user === creator)
      const row = { actor_id: id, action: 'x', previous_hash: '', hash: '' }
      expect((await client.from('audit_entries').insert(row)).error?.code).toBe('42501')
      expect((await client.from('accounts').delete().eq('user_id', id)).error?.code).toBe('42501')
    }
    const [unchanged] = await sql`
      select p.is_admin, p.is_creator, a.approved_at, a.suspended_at
      from public.profiles p join public.accounts a on a.user_id = p.id where p.id = ${id}`
    expect({ ...unchanged }).toEqual({
      is_admin: false,
      is_creator: false,
      approved_at: null,
      suspended_at: null,
    })
  })
})
