import { LoginAnswer } from '@contract/auth.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { as, call } from '../support/api.ts'
import { captcha } from '../support/captcha.ts'
import { startApi } from '../support/own-api.ts'
import { createPeople, type Person, signIn } from '../support/people.ts'
import { address, forgetRates, sql, stack } from '../support/stack.ts'

const visitor = as(null)
let person: Person
let other: Person

beforeAll(async () => {
  await forgetRates(address, 'sign_in_address')
  ;({ person, other } = await createPeople('person', 'other'))
})

describe('signing in', () => {
  it('answers the own record and a session that the API takes', async () => {
    const { email, password } = person
    const form = { email: ` ${email.toUpperCase()} `, password, recaptcha: await captcha() }
    const { body } = await visitor.post('/api/auth/login', LoginAnswer, form)
    expect(body.user).toMatchObject({ id: person.id, email })
    expect(body.session.token_type).toBe('bearer')
    expect(body.session.expires_at - Date.now() / 1000).toBeGreaterThan(60)
    const own = await as({ ...person, token: body.session.access_token }).get('/api/auth/user', OwnUser)
    expect(own.body).toEqual(body.user)
  })

  it('lets a browser in, whose name Auth would refuse beside the secret key', async () => {
    const { email, password } = person
    const response = await call('POST', '/api/auth/login', {
      body: { email, password, recaptcha: await captcha() },
      headers: {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
      },
    })
    expect(response.status).toBe(200)
  })

  it('answers a wrong password and an unknown address alike', async () => {
    const attempt = async (email: string) =>
      await visitor.refused('POST', '/api/auth/login', 401, {
        body: { email, password: 'wrong horse', recaptcha: await captcha() },
      })
    const expected = { message: 'Invalid email or password', code: 'invalid_credentials' }
    expect(await attempt(person.email)).toEqual(expected)
    expect(await attempt('nobody@example.test')).toEqual(expected)
  })

  it('names broken rules', async () => {
    const body = await visitor.refused('POST', '/api/auth/login', 400, { body: { email: 'x', password: '' } })
    expect(body.errors).toEqual({
      email: ['Please enter a valid email address'],
      password: ['Password is required'],
      recaptcha: ['Please complete the reCAPTCHA verification'],
    })
    const empty = await visitor.refused('POST', '/api/auth/login', 400, { body: {} })
    expect(empty.errors).toEqual(body.errors)
  })

  it('counts failures alone', async () => {
    const hits = async () =>
      (
        await sql`select coalesce(sum(hits), 0)::int as hits from private.rate_limits
                 where bucket = 'sign_in' and subject = ${`${person.email} ${address}`}`
      )[0]?.hits
    const before = await hits()
    await signIn(person.email, person.password)
    expect(await hits()).toBe(before)
  })

  it('stops after ten failures for one account and address, however many come at once, and wherever', async () => {
    const second = await startApi({})
    const doors = [`${stack.apiUrl}/api/auth/login`, `${second.url}/api/auth/login`]
    const attempts = await Promise.all(
      Array.from({ length: 14 }, async (_, at) =>
        fetch(doors[at % 2] ?? '', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...(at % 2 ? { 'X-Forwarded-For': address } : {}) },
          body: JSON.stringify({ email: other.email, password: 'wrong horse', recaptcha: await captcha() }),
        }),
      ),
    ).finally(() => second.stop())
    const statuses = attempts.map((response) => response.status).sort()
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    const locked = await visitor.refused('POST', '/api/auth/login', 429, {
      body: { email: other.email, password: other.password, recaptcha: await captcha() },
    })
    expect(locked.code).toBe('rate_limited')
    // Others behind the same address still get in.
    expect((await signIn(person.email, person.password)).user.id).toBe(person.id)
  })
})
