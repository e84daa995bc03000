import { createServer, type Server } from 'node:http'
import { CaptchaResponse } from '@contract/auth.ts'
import { Config, Health } from '@contract/config.ts'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ZodType } from 'zod'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { type FunctionServer, getApiStartupError, startApiServer } from '../support/function-server.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, type TestUser } from '../support/users.ts'

/** Stands where Cloudflare is: takes `good …`, refuses `bad`, and hangs up on anything else. */
const asked: URLSearchParams[] = []
let cloudflare: Server
let api: FunctionServer
let person: TestUser

beforeAll(async () => {
  cloudflare = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    asked.push(form)
    const word = form.get('response')?.split(' ')[0]
    if (word !== 'good' && word !== 'bad') return void response.destroy()
    response.end(JSON.stringify({ success: word === 'good' }))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => cloudflare.listen(port, '127.0.0.1', resolve))
  const nowhere = `http://127.0.0.1:${await freePort()}/`
  ;[api, person] = await Promise.all([
    startApiServer({
      CAPTCHA_PROVIDER: 'turnstile',
      TURNSTILE_SITE_KEY: 'site-key',
      TURNSTILE_SECRET_KEY: 'turnstile-secret',
      TURNSTILE_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
      TRUST_PROXY: '2',
      ALLOWED_ORIGINS: 'https://app.example.test, https://other.example.test/',
      DEMO_DATA: 'on',
      APP_NAME: 'Encore',
      EMBEDDED_HEALTH: JSON.stringify({
        auth: stack.apiUrl,
        storage: nowhere,
        realtime: `${stack.apiUrl}/api/nowhere`,
      }),
    }),
    createUser(),
  ])
})

afterAll(() => {
  api?.stop()
  cloudflare?.close()
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

/** A token that nobody used before. */
const good = () => `good ${crypto.randomUUID()}`

const login = (recaptcha: string, headers: Record<string, string> = {}, password = person.password) =>
  post('/api/auth/login', { email: person.email, password, recaptcha }, headers)

describe('with Turnstile', () => {
  it('pages are told so', async () => {
    const config = await get('/api/config', Config)
    expect(config.captcha).toEqual({ provider: 'turnstile', siteKey: 'site-key' })
    expect(await get('/api/auth/captcha', CaptchaResponse)).toEqual({ provider: 'turnstile' })
  })

  it('its word decides, and its silence is not taken for a yes', async () => {
    const token = good()
    expect((await login(token, { 'X-Forwarded-For': '203.0.113.7, 10.0.0.1' })).status).toBe(200)
    expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({
      secret: 'turnstile-secret',
      response: token,
      remoteip: '203.0.113.7',
    })
    expect(await login('bad')).toMatchObject({ status: 400, body: { code: 'captcha_failed' } })
    const silent = await login('hangs up')
    expect(silent).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(JSON.stringify(silent.body)).not.toMatch(/127\.0\.0\.1|fetch|socket/i)
  })
})

describe('behind proxies', () => {
  it('the address is the one that the trusted proxies saw', async () => {
    await clearRateLimits('203.0.113.9', 'sign_in_address')
    await login(good(), { 'X-Forwarded-For': '198.51.100.1, 203.0.113.9, 10.0.0.1' }, 'wrong horse')
    const rows = await sql`select subject from private.rate_limits where bucket = 'sign_in_address'
                           and subject in ('198.51.100.1', '203.0.113.9', '10.0.0.1')`
    expect(rows.map(({ subject }) => subject)).toEqual(['203.0.113.9'])
  })

  it('300 failures an hour are enough for one address', async () => {
    await clearRateLimits('203.0.113.10', 'sign_in_address')
    await exhaustRateLimit('sign_in_address', '203.0.113.10', 300, '1 hour')
    const refused = await login(good(), { 'X-Forwarded-For': '203.0.113.10, 10.0.0.1' })
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  })
})

describe('the other settings', () => {
  it('are taken: name, demo accounts, further origins', async () => {
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

  it('name the parts that fail: one that is not there, and one whose address is wrong', async () => {
    expect(await get('/api/health', Health, 503)).toEqual({
      status: 'failing',
      checks: { database: 'ok', auth: 'ok', storage: 'failing', realtime: 'failing' },
    })
  })

  it('that are missing or wrong are listed, and nothing starts', async () => {
    const said = await getApiStartupError({
      PUBLIC_URL: 'nowhere',
      JWT_SECRET: '',
      JOB_SECRET: 'short',
      DEMO_DATA: 'yes',
    })
    for (const line of [
      'PUBLIC_URL must be an http(s) address',
      'JWT_SECRET is missing: set it, or SUPABASE_JWKS, to check sessions',
      'JOB_SECRET must have at least 16 characters',
      'DEMO_DATA must be on or off',
    ]) {
      expect(said).toContain(line)
    }
  })
})

describe('with keys in place of a shared secret', () => {
  it('a session is what one of them signed', async () => {
    const ours = await generateKeyPair('ES256')
    const others = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(ours.publicKey)), kid: 'ours', alg: 'ES256' }
    const hosted = await startApiServer({ JWT_SECRET: '', SUPABASE_JWKS: JSON.stringify({ keys: [jwk] }) })
    const claims = decodeJwt(person.token)
    const ask = async (key: CryptoKey) => {
      const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'ours' }).sign(key)
      const headers = { Authorization: `Bearer ${token}` }
      return (await fetch(`${hosted.url}/api/auth/user`, { headers })).status
    }
    try {
      expect(await ask(ours.privateKey)).toBe(200)
      expect(await ask(others.privateKey)).toBe(401)
      const headers = { Authorization: `Bearer ${person.token}` }
      expect((await fetch(`${hosted.url}/api/auth/user`, { headers })).status).toBe(401)
    } finally {
      hosted.stop()
    }
  })
})
