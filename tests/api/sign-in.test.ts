import { LoginResponse } from '@contract/auth.ts'
import { OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs, call } from '../support/api.ts'
import { createCaptchaToken } from '../support/captcha.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { clearRateLimits, clientAddress, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, registrationForm, signInViaApi, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
let person: TestUser
let other: TestUser
/** Without a captcha, and with an address that its caller names. */
let open: FunctionServer

beforeAll(async () => {
  await clearRateLimits(clientAddress, 'sign_in_address')
  ;[{ person, other }, open] = await Promise.all([
    createUsers('person', 'other'),
    startApiServer({ CAPTCHA_PROVIDER: 'none' }),
  ])
})

afterAll(() => open?.stop())

/** A try at the API without captchas. */
async function tryFrom(from: string, email: string, password: string) {
  const started = performance.now()
  const response = await fetch(`${open.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify({ email, password, recaptcha: 'none' }),
  })
  await response.body?.cancel()
  const wait = Number(response.headers.get('Retry-After'))
  return { status: response.status, wait, time: performance.now() - started }
}

/** Waits until a window of 15 minutes begins, should this one end within seconds: each counts anew. */
async function inOneWindow(): Promise<void> {
  const left = 900_000 - (Date.now() % 900_000)
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left))
}

/** What is counted for a subject now. */
async function hitsOf(bucket: string, subject: string): Promise<number> {
  const [row] = await sql<{ hits: number }[]>`
    select coalesce(sum(hits), 0)::int as hits from private.rate_limits
    where bucket = ${bucket} and subject = ${subject}`
  return row?.hits ?? 0
}

describe('signing in', () => {
  it('answers the own record and a session that the API takes', async () => {
    const { email, password } = person
    const form = { email: ` ${email.toUpperCase()} `, password, recaptcha: await createCaptchaToken() }
    const { body } = await visitor.post('/api/auth/login', LoginResponse, form)
    expect(body.user).toMatchObject({ id: person.id, email })
    expect(body.session.token_type).toBe('bearer')
    expect(body.session.expires_at - Date.now() / 1000).toBeGreaterThan(60)
    const own = await apiAs({ ...person, token: body.session.access_token }).get('/api/auth/user', OwnUser)
    expect(own.body).toEqual(body.user)
  })

  it('lets a browser in, whose name Auth would refuse beside the secret key', async () => {
    const { email, password } = person
    const response = await call('POST', '/api/auth/login', {
      body: { email, password, recaptcha: await createCaptchaToken() },
      headers: {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
      },
    })
    expect(response.status).toBe(200)
  })

  it('answers a wrong password and an unknown address alike', async () => {
    const attempt = async (email: string) =>
      await visitor.expectError('POST', '/api/auth/login', 401, {
        body: { email, password: 'wrong horse', recaptcha: await createCaptchaToken() },
      })
    const expected = { message: 'Invalid email or password', code: 'invalid_credentials' }
    expect(await attempt(person.email)).toEqual(expected)
    expect(await attempt('nobody@example.test')).toEqual(expected)
  })

  it('names broken rules', async () => {
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

  it('counts failures alone', async () => {
    const hits = () => hitsOf('sign_in', `${person.email} ${clientAddress}`)
    const before = await hits()
    await signInViaApi(person.email, person.password)
    expect(await hits()).toBe(before)
  })

  it('stops after ten failures for one account and address, however many come at once, and wherever', async () => {
    const second = await startApiServer({})
    await inOneWindow()
    const doors = [`${stack.apiUrl}/api/auth/login`, `${second.url}/api/auth/login`]
    const attempts = await Promise.all(
      Array.from({ length: 14 }, async (_, at) =>
        fetch(doors[at % 2] ?? '', {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            ...(at % 2 ? { 'X-Forwarded-For': clientAddress } : {}),
          },
          body: JSON.stringify({
            email: other.email,
            password: 'wrong horse',
            recaptcha: await createCaptchaToken(),
          }),
        }),
      ),
    ).finally(() => second.stop())
    const statuses = attempts.map((response) => response.status).sort()
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    const locked = await visitor.expectError('POST', '/api/auth/login', 429, {
      body: { email: other.email, password: other.password, recaptcha: await createCaptchaToken() },
    })
    expect(locked.code).toBe('rate_limited')
    // Others behind the same address still get in.
    expect((await signInViaApi(person.email, person.password)).user.id).toBe(person.id)
  })
})

describe('guessing passwords', () => {
  const everywhere = '198.51.100.20'

  it('a thousand times is slowed, while another person at the same address signs in unhindered', async () => {
    const subject = `${other.email} ${everywhere}`
    await inOneWindow()
    await clearRateLimits(subject, 'sign_in')
    await clearRateLimits(everywhere, 'sign_in_address')
    const statuses: number[] = []
    const waits: number[] = []
    const guess = async () => {
      const { status, wait } = await tryFrom(everywhere, other.email, 'wrong horse')
      statuses.push(status)
      if (status === 429) waits.push(wait)
    }
    // Ten at a time; somebody else comes in the middle of it and at its end.
    const neighbour = () => tryFrom(everywhere, person.email, person.password)
    const guessing = Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let n = 0; n < 100; n++) await guess()
      }),
    )
    expect((await neighbour()).status).toBe(200)
    await guessing
    expect((await neighbour()).status).toBe(200)

    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(990)
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(15 * 60)
    // Even the right password has to wait there, but not somewhere else.
    expect((await tryFrom(everywhere, other.email, other.password)).status).toBe(429)
    expect((await tryFrom('198.51.100.21', other.email, other.password)).status).toBe(200)
    // What was refused counts for nothing: neither against the address nor for longer.
    expect([await hitsOf('sign_in', subject), await hitsOf('sign_in_address', everywhere)]).toEqual([10, 10])
  })

  it('of many accounts from one address ends at 300 an hour, however many come at once', async () => {
    await exhaustRateLimit('sign_in_address', '198.51.100.22', 297, '1 hour')
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, n) => tryFrom('198.51.100.22', `nobody${n}@example.test`, 'wrong')),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(3).fill(401), ...Array(7).fill(429)])
  })

  it('and accounts for the taking end there at 100 an hour', async () => {
    await exhaustRateLimit('register', '198.51.100.24', 98, '1 hour')
    const forms = await Promise.all(Array.from({ length: 10 }, () => registrationForm({ recaptcha: 'none' })))
    const answers = await Promise.all(
      forms.map(async (form) => {
        const response = await fetch(`${open.url}/api/auth/register`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.24' },
          body: JSON.stringify(form),
        })
        await response.body?.cancel()
        return response.status
      }),
    )
    expect(answers.sort()).toEqual([201, 201, ...Array(8).fill(429)])
    const gone = await sql`delete from auth.users where email = any(${forms.map(({ email }) => email)})`
    expect(gone.count).toBe(2)
  })

  it('does not tell by its time whether the address is known', async () => {
    const best = async (email: string) => {
      const times = []
      for (let n = 0; n < 2; n++) times.push((await tryFrom('198.51.100.23', email, 'wrong')).time)
      return Math.min(...times)
    }
    const [known, unknown] = await Promise.all([best(person.email), best('nobody@example.test')])
    for (const time of [known, unknown]) expect(time).toBeGreaterThan(590)
    expect(Math.abs(known - unknown)).toBeLessThan(150)
  })

  it('costs a captcha each time: one is spent before anything is counted, and a bad one counts for nothing', async () => {
    const subject = `${other.email} ${clientAddress}`
    const form = { email: other.email, password: 'wrong horse' }
    const before = await hitsOf('sign_in', subject)
    await visitor.expectError('POST', '/api/auth/login', 400, { body: { ...form, recaptcha: 'bad' } })
    expect(await hitsOf('sign_in', subject)).toBe(before)
    await exhaustRateLimit('sign_in', subject, 10, '15 minutes')
    const body = { ...form, recaptcha: await createCaptchaToken() }
    await visitor.expectError('POST', '/api/auth/login', 429, { body })
    const again = await visitor.expectError('POST', '/api/auth/login', 400, { body })
    expect(again.code).toBe('captcha_failed')
  })
})
