import { LoginResponse } from '@contract/auth.ts'
import { OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs, call } from '../support/api.ts'
import { createCaptchaToken } from '../support/captcha.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { clearRateLimits, clientAddress, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, registrationForm, signInViaApi, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
let user: TestUser
let other: TestUser
/** An API server without captchas, which takes the client address from the `X-Forwarded-For` header. */
let apiWithoutCaptcha: FunctionServer

beforeAll(async () => {
  await clearRateLimits(clientAddress, 'sign_in_address')
  ;[{ user, other }, apiWithoutCaptcha] = await Promise.all([
    createUsers('user', 'other'),
    startApiServer({ CAPTCHA_PROVIDER: 'none' }),
  ])
})

afterAll(() => apiWithoutCaptcha?.stop())

/** Tries to sign in through the API server without captchas. */
async function signInFrom(from: string, email: string, password: string) {
  const started = performance.now()
  const response = await fetch(`${apiWithoutCaptcha.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify({ email, password, recaptcha: 'none' }),
  })
  await response.body?.cancel()
  const retryAfter = Number(response.headers.get('Retry-After'))
  return { status: response.status, retryAfter, durationMs: performance.now() - started }
}

/** Waits for the next 15-minute rate limit window if this one is almost over, because each window counts separately. */
async function avoidWindowBoundary(): Promise<void> {
  const remainingMs = 900_000 - (Date.now() % 900_000)
  if (remainingMs < 10_000) await new Promise((resolve) => setTimeout(resolve, remainingMs))
}

/** Returns the number of hits counted for a subject in a rate limit bucket. */
async function hitsOf(bucket: string, subject: string): Promise<number> {
  const [row] = await sql<{ hits: number }[]>`
    select coalesce(sum(hits), 0)::int as hits from private.rate_limits
    where bucket = ${bucket} and subject = ${subject}`
  return row?.hits ?? 0
}

describe('POST /api/auth/login', () => {
  it('returns the signed-in user and a valid session', async () => {
    const { email, password } = user
    const form = { email: ` ${email.toUpperCase()} `, password, recaptcha: await createCaptchaToken() }
    const { body } = await visitor.post('/api/auth/login', LoginResponse, form)
    expect(body.user).toMatchObject({ id: user.id, email })
    expect(body.session.token_type).toBe('bearer')
    expect(body.session.expires_at - Date.now() / 1000).toBeGreaterThan(60)
    const ownUser = await apiAs({ ...user, token: body.session.access_token }).get('/api/auth/user', OwnUser)
    expect(ownUser.body).toEqual(body.user)
  })

  it("accepts a browser's User-Agent, although Auth rejects it in combination with the secret key", async () => {
    const { email, password } = user
    const response = await call('POST', '/api/auth/login', {
      body: { email, password, recaptcha: await createCaptchaToken() },
      headers: {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
      },
    })
    expect(response.status).toBe(200)
  })

  it('returns the same error for a wrong password and an unknown email', async () => {
    const attempt = async (email: string) =>
      await visitor.expectError('POST', '/api/auth/login', 401, {
        body: { email, password: 'wrong horse', recaptcha: await createCaptchaToken() },
      })
    const expected = { message: 'Invalid email or password', code: 'invalid_credentials' }
    expect(await attempt(user.email)).toEqual(expected)
    expect(await attempt('nobody@example.test')).toEqual(expected)
  })

  it('lists validation errors', async () => {
    const body = await visitor.expectError('POST', '/api/auth/login', 400, {
      body: { email: 'x', password: '' },
    })
    expect(body.errors).toEqual({
      email: ['Please enter a valid email address'],
      password: ['Password is required'],
      recaptcha: ['Please complete the reCAPTCHA verification'],
    })
    const empty = await visitor.expectError('POST', '/api/auth/login', 400, { body: {} })
    expect(empty.errors).toEqual(body.errors)
  })

  it('does not count successful attempts', async () => {
    const hits = () => hitsOf('sign_in', `${user.email} ${clientAddress}`)
    const before = await hits()
    await signInViaApi(user.email, user.password)
    expect(await hits()).toBe(before)
  })

  it('does not count an attempt with the right password if its session cannot be recorded', async () => {
    await sql`
      create function private.reject_session() returns trigger language plpgsql as $$
      begin
        raise exception 'The test rejects this session.' using errcode = '53100';
      end $$`
    await sql.unsafe(`
      create trigger reject_session before update on auth.sessions for each row
      when (new.user_id = '${user.id}') execute function private.reject_session()`)
    try {
      const { status, retryAfter } = await signInFrom('198.51.100.21', user.email, user.password)
      expect([status, retryAfter > 0]).toEqual([503, true])
    } finally {
      await sql`drop function private.reject_session() cascade`
    }
    expect(await hitsOf('sign_in', `${user.email} 198.51.100.21`)).toBe(0)
    expect((await signInFrom('198.51.100.21', user.email, user.password)).status).toBe(200)
  })

  it('allows ten failures per account and address across servers and parallel requests', async () => {
    const secondServer = await startApiServer({})
    await avoidWindowBoundary()
    const urls = [`${stack.apiUrl}/api/auth/login`, `${secondServer.url}/api/auth/login`]
    const attempts = await Promise.all(
      Array.from({ length: 14 }, async (_, index) =>
        fetch(urls[index % 2] ?? '', {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            ...(index % 2 ? { 'X-Forwarded-For': clientAddress } : {}),
          },
          body: JSON.stringify({
            email: other.email,
            password: 'wrong horse',
            recaptcha: await createCaptchaToken(),
          }),
        }),
      ),
    ).finally(() => secondServer.stop())
    const statuses = attempts.map((response) => response.status).sort()
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    const limited = await visitor.expectError('POST', '/api/auth/login', 429, {
      body: { email: other.email, password: other.password, recaptcha: await createCaptchaToken() },
    })
    expect(limited.code).toBe('rate_limited')
    // Other users at the same address can still sign in.
    expect((await signInViaApi(user.email, user.password)).user.id).toBe(user.id)
  })
})

describe('password guessing', () => {
  const clientIp = '198.51.100.20'

  it('is rate limited without affecting another user at the same address', async () => {
    const subject = `${other.email} ${clientIp}`
    await avoidWindowBoundary()
    await clearRateLimits(subject, 'sign_in')
    await clearRateLimits(clientIp, 'sign_in_address')
    const statuses: number[] = []
    const waits: number[] = []
    const guess = async () => {
      const { status, retryAfter } = await signInFrom(clientIp, other.email, 'wrong horse')
      statuses.push(status)
      if (status === 429) waits.push(retryAfter)
    }
    // Ten loops of guesses run in parallel. Another user signs in during and after the guessing.
    const signInOtherUser = () => signInFrom(clientIp, user.email, user.password)
    const guesses = Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let n = 0; n < 100; n++) await guess()
      }),
    )
    expect((await signInOtherUser()).status).toBe(200)
    await guesses
    expect((await signInOtherUser()).status).toBe(200)

    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(990)
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(15 * 60)
    // Even the correct password is rejected from this address, but not from another address.
    expect((await signInFrom(clientIp, other.email, other.password)).status).toBe(429)
    expect((await signInFrom('198.51.100.21', other.email, other.password)).status).toBe(200)
    // Rate-limited attempts count toward neither the limit per account and address nor the limit per address.
    expect([await hitsOf('sign_in', subject), await hitsOf('sign_in_address', clientIp)]).toEqual([10, 10])
  })

  it('against many accounts from one address is limited to 300 attempts an hour', async () => {
    await exhaustRateLimit('sign_in_address', '198.51.100.22', 297, '1 hour')
    const attempts = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signInFrom('198.51.100.22', `nobody${n}@example.test`, 'wrong')),
    )
    expect(attempts.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(401),
      ...Array(7).fill(429),
    ])
  })

  it('does not reveal through the response time whether an email address is known', async () => {
    // Sets a hash as in version 0.1. It takes longer to compare than Auth's own hashes and those of test accounts.
    await sql`
      update auth.users set encrypted_password = extensions.crypt(${user.password}, extensions.gen_salt('bf', 10))
      where id = ${user.id}`
    const fastestMs = async (email: string) => {
      const durations = []
      for (let n = 0; n < 4; n++)
        durations.push((await signInFrom('198.51.100.23', email, 'wrong')).durationMs)
      return Math.min(...durations)
    }
    const [knownMs, unknownMs] = await Promise.all([fastestMs(user.email), fastestMs('nobody@example.test')])
    for (const durationMs of [knownMs, unknownMs]) expect(durationMs).toBeGreaterThan(590)
    expect(Math.abs(knownMs - unknownMs)).toBeLessThan(150)
  })

  it('uses up a captcha per attempt, and an attempt with an invalid captcha is not counted', async () => {
    const subject = `${other.email} ${clientAddress}`
    const form = { email: other.email, password: 'wrong horse' }
    const before = await hitsOf('sign_in', subject)
    await visitor.expectError('POST', '/api/auth/login', 400, { body: { ...form, recaptcha: 'bad' } })
    expect(await hitsOf('sign_in', subject)).toBe(before)
    await exhaustRateLimit('sign_in', subject, 10, '15 minutes')
    const body = { ...form, recaptcha: await createCaptchaToken() }
    await visitor.expectError('POST', '/api/auth/login', 429, { body })
    const repeated = await visitor.expectError('POST', '/api/auth/login', 400, { body })
    expect(repeated.code).toBe('captcha_failed')
  })
})

describe('registration', () => {
  it('is limited to 100 accounts an hour per network', async () => {
    await exhaustRateLimit('register', '198.51.100.24', 98, '1 hour')
    const forms = await Promise.all(Array.from({ length: 10 }, () => registrationForm({ recaptcha: 'none' })))
    const statuses = await Promise.all(
      forms.map(async (form) => {
        const response = await fetch(`${apiWithoutCaptcha.url}/api/auth/register`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.24' },
          body: JSON.stringify(form),
        })
        await response.body?.cancel()
        return response.status
      }),
    )
    expect(statuses.sort()).toEqual([201, 201, ...Array(8).fill(429)])
    const deleted = await sql`delete from auth.users where email = any(${forms.map(({ email }) => email)})`
    expect(deleted.count).toBe(2)
  })
})
