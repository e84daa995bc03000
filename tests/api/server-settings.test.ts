import { createServer } from 'node:http'
import { SeenClientAddress } from '@contract/admin.ts'
import { CaptchaResponse } from '@contract/auth.ts'
import { Config, Health } from '@contract/config.ts'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ZodType } from 'zod'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { authorizationHeader } from '../support/api.ts'
import { type FunctionServer, getApiStartupError, startApiServer } from '../support/function-server.ts'
import { type LocalServer, listen } from '../support/listen.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, makeAdmin, type TestUser } from '../support/users.ts'

const verifyRequests: URLSearchParams[] = []
/** A fake Turnstile server. It accepts `good …`, rejects `bad`, and closes the connection for any other token. */
let turnstileServer: LocalServer
let api: FunctionServer
let user: TestUser

beforeAll(async () => {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    verifyRequests.push(form)
    const outcome = form.get('response')?.split(' ')[0]
    if (outcome !== 'good' && outcome !== 'bad') return void response.destroy()
    response.end(JSON.stringify({ success: outcome === 'good' }))
  })
  turnstileServer = await listen(server)
  const unreachableUrl = `http://127.0.0.1:${await freePort()}/`
  ;[api, user] = await Promise.all([
    startApiServer({
      CAPTCHA_PROVIDER: 'turnstile',
      TURNSTILE_SITE_KEY: 'site-key',
      TURNSTILE_SECRET_KEY: 'turnstile-secret',
      TURNSTILE_VERIFY_URL: `${turnstileServer.url}/siteverify`,
      TRUST_PROXY: '2',
      ALLOWED_ORIGINS: 'https://app.example.test, https://other.example.test/',
      DEMO_DATA: 'on',
      APP_NAME: 'Encore',
      EMBEDDED_HEALTH: JSON.stringify({
        auth: stack.apiUrl,
        storage: unreachableUrl,
        realtime: `${stack.apiUrl}/api/nowhere`,
        dataApi: unreachableUrl,
      }),
    }),
    createUser(),
  ])
})

afterAll(async () => {
  api?.stop()
  await turnstileServer?.stop()
})

async function get<T>(path: string, schema: ZodType<T>, status = 200, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}${path}`, { headers })
  expect(response.status).toBe(status)
  return schema.parse(await response.json())
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { code?: string; message?: string } }
}

/** Returns a valid captcha token that has not been used. */
const newToken = () => `good ${crypto.randomUUID()}`

const login = (recaptcha: string, headers: Record<string, string> = {}, password = user.password) =>
  post('/api/auth/login', { email: user.email, password, recaptcha }, headers)

describe('with Turnstile', () => {
  it('the client configuration names the provider', async () => {
    const config = await get('/api/config', Config)
    expect(config.captcha).toEqual({ provider: 'turnstile', siteKey: 'site-key' })
    expect(await get('/api/auth/captcha', CaptchaResponse)).toEqual({ provider: 'turnstile' })
  })

  it('Turnstile verifies the captcha, and sign-in fails if Turnstile does not respond', async () => {
    const token = newToken()
    expect((await login(token, { 'X-Forwarded-For': '203.0.113.7, 10.0.0.1' })).status).toBe(200)
    expect(Object.fromEntries(verifyRequests.at(-1) ?? [])).toEqual({
      secret: 'turnstile-secret',
      response: token,
      remoteip: '203.0.113.7',
    })
    expect(await login('bad')).toMatchObject({ status: 400, body: { code: 'captcha_failed' } })
    const unanswered = await login('hangs up')
    expect(unanswered).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(JSON.stringify(unanswered.body)).not.toMatch(/127\.0\.0\.1|fetch|socket/i)
  })
})

describe('behind proxies', () => {
  it('the client address is the one that the outermost trusted proxy saw', async () => {
    await clearRateLimits('203.0.113.9', 'sign_in_address')
    await login(newToken(), { 'X-Forwarded-For': '198.51.100.1, 203.0.113.9, 10.0.0.1' }, 'wrong horse')
    const rows = await sql`select subject from private.rate_limits where bucket = 'sign_in_address'
                           and subject in ('198.51.100.1', '203.0.113.9', '10.0.0.1')`
    expect(rows.map(({ subject }) => subject)).toEqual(['203.0.113.9'])
  })

  it('an address is limited to 300 failed sign-ins per hour', async () => {
    await clearRateLimits('203.0.113.10', 'sign_in_address')
    await exhaustRateLimit('sign_in_address', '203.0.113.10', 300, '1 hour')
    const limited = await login(newToken(), { 'X-Forwarded-For': '203.0.113.10, 10.0.0.1' })
    expect(limited).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  })
})

describe('with a proxy secret', () => {
  const secret = 'a-secret-of-the-static-host'
  let behindProxy: FunctionServer
  let admin: TestUser

  beforeAll(async () => {
    ;[behindProxy, admin] = await Promise.all([
      // If the API applied this hop count to requests without the secret, a client could choose its own address.
      startApiServer({ CAPTCHA_PROVIDER: 'none', PROXY_SECRET: secret, TRUST_PROXY: '3' }),
      createUser(),
    ])
    await makeAdmin(admin)
  })

  afterAll(() => behindProxy?.stop())

  const hops = '198.51.100.1, 198.51.100.2, 198.51.100.3'
  async function seenAddress(headers: Record<string, string>) {
    const response = await fetch(`${behindProxy.url}/api/admin/whoami`, {
      headers: { ...authorizationHeader(admin), 'X-Forwarded-For': hops, ...headers },
    })
    expect(response.status).toBe(200)
    return SeenClientAddress.parse(await response.json())
  }

  it('the client address is the one that the proxy reports', async () => {
    expect(await seenAddress({ 'X-Proxy-Secret': secret, 'X-Client-Address': '203.0.113.20' })).toEqual({
      address: '203.0.113.20',
      network: '203.0.113.20',
      source: 'proxy',
      forwardedFor: hops.split(', '),
    })
    expect(
      await seenAddress({ 'X-Proxy-Secret': secret, 'X-Client-Address': '2001:db8:1:2:3::4' }),
    ).toMatchObject({ network: '2001:db8:1:2::/64', source: 'proxy' })
  })

  it('the client address is the last hop if the secret or a valid address is missing', async () => {
    const lastHop = { address: '198.51.100.3', source: 'forwarded' }
    const forged = { 'X-Client-Address': '203.0.113.21' }
    expect(await seenAddress(forged)).toMatchObject(lastHop)
    expect(await seenAddress({ ...forged, 'X-Proxy-Secret': 'a guess' })).toMatchObject(lastHop)
    for (const address of ['', 'unknown', '203.0.113.21, 203.0.113.22', "'; select 1"]) {
      expect(
        await seenAddress({ 'X-Proxy-Secret': secret, 'X-Client-Address': address }),
        address,
      ).toMatchObject(lastHop)
    }
  })

  it('clients behind the proxy have separate rate limits', async () => {
    await clearRateLimits('203.0.113.22', 'sign_in_address')
    await exhaustRateLimit('sign_in_address', '203.0.113.22', 300, '1 hour')
    const signIn = async (address: string) => {
      const response = await fetch(`${behindProxy.url}/api/auth/login`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Proxy-Secret': secret,
          'X-Client-Address': address,
        },
        body: JSON.stringify({ email: user.email, password: 'wrong horse', recaptcha: 'none' }),
      })
      return response.status
    }
    expect(await signIn('203.0.113.22')).toBe(429)
    expect(await signIn('203.0.113.23')).toBe(401)
  })

  it('only admins can look up their client address', async () => {
    for (const [token, status] of [
      [user.token, 403],
      ['', 401],
    ] as const) {
      const headers = { 'X-Proxy-Secret': secret, ...(token && { Authorization: `Bearer ${token}` }) }
      expect((await fetch(`${behindProxy.url}/api/admin/whoami`, { headers })).status).toBe(status)
    }
  })
})

describe('other settings', () => {
  it('set the app name, show the demo accounts and allow more origins', async () => {
    const config = await get('/api/config', Config)
    expect(config.appName).toBe('Encore')
    expect(config.demoAccounts?.map(({ email }) => email)).toEqual([
      'creator@demo.test',
      'fan@demo.test',
      'admin@demo.test',
    ])
    for (const origin of ['https://app.example.test', 'https://other.example.test']) {
      expect((await login('bad', { Origin: origin })).body.code).toBe('captcha_failed')
    }
    expect((await login('bad', { Origin: 'https://example.test' })).body.code).toBe('origin_refused')
  })

  it('determine the health checks, which report unreachable services', async () => {
    expect(await get('/api/health', Health, 503)).toEqual({
      status: 'failing',
      checks: { database: 'ok', auth: 'ok', storage: 'failing', realtime: 'failing', dataApi: 'failing' },
    })
  })

  it('that are missing or invalid are listed, and the server does not start', async () => {
    const output = await getApiStartupError({
      PUBLIC_URL: 'nowhere',
      JWT_SECRET: '',
      JOB_SECRET: 'short',
      DEMO_DATA: 'yes',
    })
    for (const line of [
      'PUBLIC_URL must be an http(s) URL',
      'JWT_SECRET is missing: set JWT_SECRET or SUPABASE_JWKS so that the API can verify sessions',
      'JOB_SECRET must have at least 16 characters',
      'DEMO_DATA must be on or off',
    ]) {
      expect(output).toContain(line)
    }
  })
})

describe('with public keys instead of a shared secret', () => {
  it('the shared secret is required if the set of keys is empty', async () => {
    for (const keys of ['{"keys":[]}', '[]']) {
      expect(await getApiStartupError({ JWT_SECRET: '', SUPABASE_JWKS: keys })).toContain(
        'JWT_SECRET is missing: SUPABASE_JWKS contains no keys, so sessions are signed with a shared secret',
      )
    }
    const apiWithSecret = await startApiServer({ SUPABASE_JWKS: '{"keys":[]}' })
    try {
      const headers = authorizationHeader(user)
      expect((await fetch(`${apiWithSecret.url}/api/auth/user`, { headers })).status).toBe(200)
    } finally {
      apiWithSecret.stop()
    }
  })

  it('a session token is valid only if it is signed with one of the keys', async () => {
    const ownKeys = await generateKeyPair('ES256')
    const otherKeys = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(ownKeys.publicKey)), kid: 'ours', alg: 'ES256' }
    const apiWithKeys = await startApiServer({
      JWT_SECRET: '',
      SUPABASE_JWKS: JSON.stringify({ keys: [jwk] }),
    })
    const claims = decodeJwt(user.token)
    const requestWith = async (key: CryptoKey) => {
      const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'ours' }).sign(key)
      const headers = { Authorization: `Bearer ${token}` }
      return (await fetch(`${apiWithKeys.url}/api/auth/user`, { headers })).status
    }
    try {
      expect(await requestWith(ownKeys.privateKey)).toBe(200)
      expect(await requestWith(otherKeys.privateKey)).toBe(401)
      const headers = authorizationHeader(user)
      expect((await fetch(`${apiWithKeys.url}/api/auth/user`, { headers })).status).toBe(401)
    } finally {
      apiWithKeys.stop()
    }
  })
})
