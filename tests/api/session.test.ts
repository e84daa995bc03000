import { OwnUser } from '@contract/user.ts'
import { decodeJwt, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { apiAs, call } from '../support/api.ts'
import { startApiServer } from '../support/function-server.ts'
import { secrets, sql, stack } from '../support/stack.ts'
import { createUser, signInViaApi, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
const unauthorized = { message: 'Unauthorized', code: 'unauthorized' }
let user: TestUser

beforeAll(async () => {
  user = await createUser()
})

describe('the session', () => {
  it('is required for private data', async () => {
    expect(await visitor.expectError('GET', '/api/auth/user', 401)).toEqual(unauthorized)
  })

  it('is read from the cookie, whether whole, in chunks or as plain JSON', async () => {
    const session = JSON.stringify({ access_token: user.token, user: { name: 'Zoë'.repeat(800) } })
    const value = `base64-${Buffer.from(session).toString('base64url')}`
    const chunks = (value.match(/.{1,3180}/g) ?? []).map((chunk, part) => `ovation-auth.${part}=${chunk}`)
    expect(chunks.length).toBeGreaterThan(1)
    for (const cookie of [
      `theme=dark; ovation-auth=${value}`,
      `${chunks.join('; ')}; theme=dark`,
      `ovation-auth=${encodeURIComponent(JSON.stringify({ access_token: user.token }))}`,
    ]) {
      const { body } = await visitor.get('/api/auth/user', OwnUser, { headers: { Cookie: cookie } })
      expect(body.id).toBe(user.id)
    }
    const headers = { Cookie: 'ovation-auth=base64-nonsense' }
    await visitor.expectError('GET', '/api/auth/user', 401, { headers })
  })

  it('must be signed, unexpired and stored, and must belong to a user', async () => {
    const sign = (claims: Record<string, unknown>, secret = secrets.jwtSecret, expires = '1h') =>
      new SignJWT({ role: 'authenticated', session_id: user.id, ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(user.id)
        .setExpirationTime(expires)
        .sign(new TextEncoder().encode(secret))
    const tokens = await Promise.all([
      sign({}, 'another secret of a reasonable length!'),
      sign({}, secrets.jwtSecret, '-1s'),
      sign({ role: 'service_role' }),
      sign({ session_id: undefined }),
      // This token has a valid signature, but its session does not exist.
      sign({}),
    ])
    for (const token of [...tokens, stack.publishableKey, stack.secretKey, 'a.b.c']) {
      expect(await apiAs({ ...user, token }).expectError('GET', '/api/auth/user', 401)).toEqual(unauthorized)
    }
  })

  it('is rejected if the token or the cookie is too large', async () => {
    const sign = (padding: number) =>
      new SignJWT({ ...decodeJwt(user.token), padding: 'x'.repeat(padding) })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(secrets.jwtSecret))
    await apiAs({ ...user, token: await sign(1000) }).get('/api/auth/user', OwnUser)
    await apiAs({ ...user, token: await sign(4000) }).expectError('GET', '/api/auth/user', 401)
    const cookie = (padding: number) => ({
      Cookie: `ovation-auth=base64-${Buffer.from(
        JSON.stringify({ access_token: user.token, padding: 'x'.repeat(padding) }),
      ).toString('base64url')}`,
    })
    await visitor.get('/api/auth/user', OwnUser, { headers: cookie(8000) })
    await visitor.expectError('GET', '/api/auth/user', 401, { headers: cookie(12_500) })
  })

  it('ends as soon as it is deleted, even if the token has not expired, and is checked before the body', async () => {
    const { session } = await signInViaApi(user.email, user.password)
    const endedSession = apiAs({ ...user, token: session.access_token })
    await endedSession.get('/api/auth/user', OwnUser)
    await sql`delete from auth.sessions
              where id = (select session_id from auth.refresh_tokens where token = ${session.refresh_token})`
    expect(await endedSession.expectError('GET', '/api/auth/user', 401)).toEqual(unauthorized)
    await endedSession.expectError('POST', '/api/posts', 401, { body: { content: 'Still here?' } })
    await endedSession.expectError('POST', '/api/posts', 401, { body: { content: '' } })
    await endedSession.expectError('POST', '/api/posts', 401, { body: '{' })
    await endedSession.expectError('POST', '/api/posts', 401, {
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    })
    await endedSession.expectError('POST', '/api/posts', 401, { body: { content: 'x'.repeat(110_000) } })
    await endedSession.expectError('GET', '/api/user/blocked-users', 401)
    await endedSession.expectError('GET', '/api/posts', 401)
  })
})

describe('GET /api/login', () => {
  it('redirects to the sign-in page', async () => {
    const response = await call('GET', '/api/login')
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/login'])
  })
})

describe('GET /api/logout', () => {
  it('ends the session and clears the cookies, but not when called from another origin', async () => {
    const { session } = await signInViaApi(user.email, user.password)
    const value = Buffer.from(JSON.stringify(session)).toString('base64url')
    const cookie = `ovation-auth.0=base64-${value.slice(0, 100)}; ovation-auth.1=${value.slice(100)}; theme=dark`
    const signedIn = apiAs({ ...user, token: session.access_token })

    for (const site of ['cross-site', 'same-site']) {
      const response = await call('GET', '/api/logout', {
        headers: { Cookie: cookie, 'Sec-Fetch-Site': site },
      })
      expect([site, response.status, response.headers.getSetCookie()]).toEqual([site, 302, []])
    }
    await signedIn.get('/api/auth/user', OwnUser)

    const logout = await call('GET', '/api/logout', { headers: { Cookie: cookie } })
    expect([logout.status, logout.headers.get('Location')]).toEqual([302, '/'])
    expect(logout.headers.getSetCookie()).toEqual([
      'ovation-auth.0=; Path=/; Max-Age=0; SameSite=Lax',
      'ovation-auth.1=; Path=/; Max-Age=0; SameSite=Lax',
    ])
    await signedIn.expectError('GET', '/api/auth/user', 401)
    // Other sessions of the user stay valid.
    await apiAs(user).get('/api/auth/user', OwnUser)
  })

  it('ends a session whose access token has expired', async () => {
    const { session } = await signInViaApi(user.email, user.password)
    const { session_id: id } = decodeJwt(session.access_token)
    const countSessions = async () => (await sql`select from auth.sessions where id = ${String(id)}`).count
    const expiredToken = await new SignJWT(decodeJwt(session.access_token))
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('-1m')
      .sign(new TextEncoder().encode(secrets.jwtSecret))
    const value = JSON.stringify({ ...session, access_token: expiredToken })
    expect(await countSessions()).toBe(1)
    const headers = { Cookie: `ovation-auth=${encodeURIComponent(value)}`, 'Sec-Fetch-Site': 'same-origin' }
    expect((await call('GET', '/api/logout', { headers })).status).toBe(302)
    expect(await countSessions()).toBe(0)
    expect((await call('GET', '/api/logout', { headers })).status).toBe(302)
  })

  it('clears the cookies even if Auth is unavailable', async () => {
    const api = await startApiServer({ SUPABASE_URL: `http://127.0.0.1:${await freePort()}` })
    try {
      for (const storedSession of [
        { access_token: user.token },
        { access_token: 'a.b.c', refresh_token: user.refreshToken },
      ]) {
        const Cookie = `ovation-auth=${encodeURIComponent(JSON.stringify(storedSession))}`
        const response = await fetch(`${api.url}/api/logout`, { headers: { Cookie }, redirect: 'manual' })
        expect([response.status, response.headers.get('Location'), response.headers.getSetCookie()]).toEqual([
          302,
          '/',
          ['ovation-auth=; Path=/; Max-Age=0; SameSite=Lax'],
        ])
      }
    } finally {
      api.stop()
    }
  })
})
