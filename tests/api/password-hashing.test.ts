import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationHeader } from '../support/api.ts'
import { supabaseUrl } from '../support/function-server.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

// The hash is from the reference implementation:
// printf ovation-argon2-pw | argon2 'somesalt16bytes!' -id -v 13 -k 32768 -t 2 -p 1 -l 32 -e
const argon2 = {
  password: 'ovation-argon2-pw',
  hash: '$argon2id$v=19$m=32768,t=2,p=1$c29tZXNhbHQxNmJ5dGVzIQ$gvQh7Nwl79TuR7OkXPVOY8Pq9Kp9zecNLBxZjvul+2M',
}
let user: TestUser

beforeAll(async () => {
  ;({ user } = await createUsers('user'))
  await setBcryptHash(user.password)
})

/** Sets the user's password, with a bcrypt hash as in version 0.1. */
async function setBcryptHash(password: string): Promise<void> {
  await sql`
    update auth.users set encrypted_password = extensions.crypt(${password}, extensions.gen_salt('bf', 10))
    where id = ${user.id}`
}

async function setHash(hash: string | null): Promise<void> {
  await sql`update auth.users set encrypted_password = ${hash} where id = ${user.id}`
}

async function callAuth(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const startedAt = performance.now()
  const response = await fetch(`${supabaseUrl()}/auth/v1/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', apikey: stack.secretKey, ...headers },
    body: body && JSON.stringify(body),
  })
  await response.body?.cancel()
  return { status: response.status, durationMs: performance.now() - startedAt }
}

/** Signs in through Auth directly, as the API does after its own checks. */
const signIn = (email: string, password: string, network = '198.51.100.30') =>
  callAuth('POST', 'token?grant_type=password', { email, password }, { 'X-Forwarded-For': network })

describe('passwords', () => {
  it('are stored as Argon2id hashes with 32 MiB and two passes', async () => {
    const password = 'another-long-password'
    const headers = authorizationHeader(user)
    expect((await callAuth('PUT', 'user', { password }, headers)).status).toBe(200)
    const [row] = await sql<{ hash: string }[]>`
      select encrypted_password as hash from auth.users where id = ${user.id}`
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=32768,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect((await signIn(user.email, password)).status).toBe(200)
    expect((await signIn(user.email, `${password}!`)).status).toBe(400)
    await setBcryptHash(user.password)
  })

  it('match an Argon2id hash from the reference implementation', async () => {
    await setHash(argon2.hash)
    expect((await signIn(user.email, argon2.password)).status).toBe(200)
    expect((await signIn(user.email, `${argon2.password}!`)).status).toBe(400)
    await setBcryptHash(user.password)
  })

  it('match a bcrypt hash even if they are longer than the 72 bytes that bcrypt uses', async () => {
    const password = `${'ü'.repeat(40)}!`
    await setBcryptHash(password)
    expect((await signIn(user.email, password)).status).toBe(200)
    expect((await signIn(user.email, `x${password}`)).status).toBe(400)
    await setBcryptHash(user.password)
  })

  it('match bcrypt hashes with each of the prefixes that Supabase accepts', async () => {
    for (const prefix of ['$2a$', '$2b$', '$2y$']) {
      await sql`
        update auth.users set encrypted_password = ${prefix} || substr(encrypted_password, 5) where id = ${user.id}`
      expect([prefix, (await signIn(user.email, user.password)).status]).toEqual([prefix, 200])
      expect([prefix, (await signIn(user.email, 'wrong')).status]).toEqual([prefix, 400])
    }
  })

  it.each(['plain text', '', null, '$2a$10$short', '$argon2id$v=19$m=32768,t=2,p=1$short'])(
    'are rejected if the stored hash is %j',
    async (hash) => {
      await setHash(hash)
      for (const password of ['plain text', user.password])
        expect((await signIn(user.email, password)).status).toBe(400)
      await setBcryptHash(user.password)
    },
  )
})

// The time limits are relative to other measured durations, because hashing is slow on a busy machine.
describe('while many passwords wait to be hashed', () => {
  it('Auth answers other requests and sign-ins from other networks without waiting for the queue', async () => {
    // Checking a password against a bcrypt hash takes longer than against an Argon2id hash, so the queue lasts longer.
    await setBcryptHash(user.password)
    // The first requests after the stack has started are slow.
    const requestUser = () => callAuth('GET', 'user', undefined, authorizationHeader(user))
    await Promise.all([signIn(user.email, user.password, '198.51.100.32'), requestUser()])
    const startedAt = performance.now()
    const flood = Array.from({ length: 32 }, () => signIn(user.email, 'wrong', '198.51.100.31'))
    const [otherSignIn, userRequest] = await Promise.all([
      signIn(user.email, user.password, '198.51.100.32'),
      requestUser(),
    ])
    expect(otherSignIn.status).toBe(200)
    await Promise.all(flood)
    const floodMs = performance.now() - startedAt
    expect(otherSignIn.durationMs).toBeLessThan(floodMs / 2)
    expect(userRequest.status).toBe(200)
    expect(userRequest.durationMs).toBeLessThan(floodMs / 4)
  })

  it('a sign-in with an unknown email address takes at least half as long as one with a wrong password', async () => {
    await setHash(argon2.hash)
    const flood = Array.from({ length: 8 }, () => signIn(user.email, 'wrong', '198.51.100.33'))
    const [known, unknown] = await Promise.all([
      signIn(user.email, 'wrong', '198.51.100.33'),
      signIn('nobody@example.test', 'wrong', '198.51.100.33'),
    ])
    expect([known.status, unknown.status]).toEqual([400, 400])
    expect(unknown.durationMs).toBeGreaterThan(known.durationMs / 2)
    await Promise.all(flood)
  })

  it("sign-ins beyond a network's queue limit are refused, whether the account exists or not", async () => {
    await setHash(argon2.hash)
    const flood = Array.from({ length: 100 }, (_, n) =>
      signIn(n % 2 ? user.email : `nobody${n}@example.test`, 'wrong', '198.51.100.34'),
    )
    const other = await signIn(user.email, argon2.password, '198.51.100.35')
    const attempts = await Promise.all(flood)
    expect(other.status).toBe(200)
    const refused = attempts.flatMap(({ status }, n) => (status === 503 ? [n % 2] : []))
    expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([400, 503]))
    expect(new Set(refused)).toEqual(new Set([0, 1]))
    expect((await signIn(user.email, argon2.password)).status).toBe(200)
  })
})
