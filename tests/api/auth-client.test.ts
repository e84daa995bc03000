import { beforeAll, describe, expect, it } from 'vitest'
import { stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ana: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ana, ben } = await createUsers('ana', 'ben'))
})

async function createClientOf({ token, refreshToken }: TestUser) {
  const client = createTestClient(stack)
  const { error } = await client.auth.setSession({ access_token: token, refresh_token: refreshToken })
  expect(error).toBeNull()
  return client
}

// tests/stack/supabase-compatibility.test.ts compares the backticked calls in the titles with
// docs/reference/supabase-compatibility.md.
describe('the Auth client of supabase-js', () => {
  it('accepts a session with `setSession` and reads its user with `getUser` and `getUserIdentities`', async () => {
    const { auth } = await createClientOf(ana)
    const { data, error } = await auth.getUser()
    expect([error, data.user?.email]).toEqual([null, ana.email])
    const identities = await auth.getUserIdentities()
    expect([identities.error, identities.data?.identities.map(({ provider }) => provider)]).toEqual([
      null,
      ['email'],
    ])
  })

  it('returns the claims of a valid token with `getClaims`', async () => {
    const { auth } = createTestClient(stack)
    const { data, error } = await auth.getClaims(ana.token)
    expect([error, data?.claims.sub]).toEqual([null, ana.id])
    const forged = await auth.getClaims(`${ana.token.slice(0, -4)}AAAA`)
    expect([forged.error === null, forged.data]).toEqual([false, null])
  })

  it('renews a session with `refreshSession` and ends it with `signOut`', async () => {
    const client = await createClientOf(ben)
    const { data, error } = await client.auth.refreshSession()
    expect([error, data.user?.id]).toEqual([null, ben.id])
    expect(data.session?.refresh_token).not.toBe(ben.refreshToken)
    expect((await client.auth.signOut()).error).toBeNull()
    const { error: ended } = await createTestClient(stack).auth.getUser(data.session?.access_token)
    expect(ended?.name).toBe('AuthSessionMissingError')
  })

  it('cannot sign in, sign up or change accounts, because only the API, which has a captcha and rate limits, can do so', async () => {
    const { auth: visitor } = createTestClient(stack)
    const { auth: user } = await createClientOf(ana)
    const { email, password } = ana
    const refusals = await Promise.all([
      visitor.signUp({ email: 'new@example.test', password }),
      visitor.signInWithPassword({ email, password }),
      visitor.signInWithOtp({ email }),
      visitor.signInAnonymously(),
      visitor.resetPasswordForEmail(email),
      visitor.verifyOtp({ email, token: '123456', type: 'email' }),
      visitor.resend({ email, type: 'signup' }),
      visitor.admin.listUsers(),
      user.updateUser({ password: 'another horse' }),
      user.reauthenticate(),
      user.mfa.enroll({ factorType: 'totp' }),
    ])
    expect(refusals.map(({ error }) => error?.status)).toEqual(refusals.map(() => 403))
    const { admin } = createTestClient(stack, null, stack.secretKey).auth
    expect((await admin.listUsers()).error?.status).toBe(403)
  })
})

describe('the Functions client of supabase-js', () => {
  it('calls the API with `invoke`', async () => {
    const { functions } = await createClientOf(ana)
    const { data, error } = await functions.invoke('api/auth/user', { method: 'GET' })
    expect([error, data?.id]).toEqual([null, ana.id])
  })
})

describe('a session refresh in Auth', () => {
  it.each(['null', '[]', '"x"', '{', '', '{"refresh_token":1}'])(
    'rejects a malformed request with 400: %j',
    async (body) => {
      const response = await fetch(`${stack.apiUrl}/auth/v1/token?grant_type=refresh_token`, {
        method: 'POST',
        headers: { apikey: stack.publishableKey, 'Content-Type': 'application/json' },
        body,
      })
      expect(response.status).toBe(400)
      await response.body?.cancel()
    },
  )
})
