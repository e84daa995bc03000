import { createServer } from 'node:http'
import { RegisterResponse } from '@contract/auth.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, call } from '../support/api.ts'
import { startApiServer, supabaseUrl } from '../support/function-server.ts'
import { listen } from '../support/listen.ts'
import {
  clearRateLimits,
  clientAddress,
  exhaustRateLimit,
  sql,
  withRegistrationLock,
} from '../support/stack.ts'
import { createUser, registrationForm, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
let user: TestUser

beforeAll(async () => {
  user = await createUser()
})

const countAccounts = async (username: string) =>
  (await sql`select from public.profiles where lower(username) = lower(${username})`).count

describe('POST /api/auth/register', () => {
  it('creates a complete account and leaves no session', async () => {
    const form = await registrationForm({ fullName: '  Ada Lovelace ' })
    const { body } = await visitor.post('/api/auth/register', RegisterResponse, form, 201)
    expect(body.user).toMatchObject({
      username: form.username,
      handle: form.username,
      fullName: 'Ada Lovelace',
      displayName: 'Ada Lovelace',
      email: form.email,
      phoneNumber: form.phoneNumber,
      profileVisibility: 'public',
      isAdmin: false,
      isCreator: false,
      canView: true,
      canMessage: false,
    })
    const [account] = await sql`
      select a.adult_confirmed_at > now() - interval '1 minute' as confirmed,
             (select count(*)::int from auth.sessions s where s.user_id = a.user_id) as sessions
      from public.accounts a where a.user_id = ${body.user.id}`
    expect(account).toEqual({ confirmed: true, sessions: 0 })
    await sql`delete from auth.users where id = ${body.user.id}`
  })

  it('signs the new user in and records the session if `sign_in_after_registration` is on', async () => {
    const form = await registrationForm()
    await sql`select private.set_setting('sign_in_after_registration', 'true')`
    const { body } = await visitor
      .post('/api/auth/register', RegisterResponse, form, 201)
      .finally(() => sql`select private.set_setting('sign_in_after_registration', 'false')`)
    const { user: newUser, session } = body
    const response = await call('GET', '/api/auth/user', {
      headers: { Authorization: `Bearer ${session?.access_token}` },
    })
    expect(response.status).toBe(200)
    const sessions = await sql`
      select s.id from auth.sessions s where s.user_id = ${newUser.id}`
    expect(sessions).toHaveLength(1)
    // Signing in does not confirm the email address.
    expect(newUser).toMatchObject({ emailConfirmed: false, onboarded: false })
    await sql`delete from auth.users where id = ${newUser.id}`
  })

  it('succeeds even if Auth cannot end the session of the new account', async () => {
    const server = createServer(async (request, response) => {
      if (request.url?.includes('/logout')) return void request.socket.destroy()
      let body = ''
      for await (const chunk of request) body += chunk
      const { method = 'GET', url, headers } = request
      const authResponse = await fetch(`${supabaseUrl()}${url}`, {
        method,
        headers: { apikey: String(headers.apikey), 'Content-Type': 'application/json' },
        body,
      })
      response
        .writeHead(authResponse.status, { 'Content-Type': 'application/json' })
        .end(await authResponse.text())
    })
    const auth = await listen(server)
    const api = await startApiServer({ SUPABASE_URL: auth.url, CAPTCHA_PROVIDER: 'none' })
    try {
      const form = await registrationForm()
      const response = await fetch(`${api.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.20' },
        body: JSON.stringify(form),
      })
      const { user: createdUser } = RegisterResponse.parse(await response.json())
      expect([response.status, createdUser.username]).toEqual([201, form.username])
      await sql`delete from auth.users where id = ${createdUser.id}`
    } finally {
      api.stop()
      await auth.stop()
    }
  })

  it('returns the message of every violated rule', async () => {
    const body = await visitor.expectError('POST', '/api/auth/register', 400, {
      body: {
        fullName: 'A',
        username: 'a!',
        email: 'nobody',
        phoneNumber: '123',
        password: '123',
        confirmPassword: '1234567',
        recaptcha: '',
      },
    })
    expect(body).toEqual({
      message: 'Full name must be at least 2 characters',
      code: 'validation_failed',
      errors: {
        fullName: ['Full name must be at least 2 characters'],
        username: [
          'Username must be at least 3 characters',
          'Username can only contain letters, numbers, and underscores',
        ],
        email: ['Please enter a valid email address'],
        phoneNumber: ['Please enter a valid phone number'],
        password: ['Password must be at least 6 characters'],
        confirmPassword: ["Passwords don't match"],
        recaptcha: ['Please complete the reCAPTCHA verification'],
      },
    })
  })

  it('returns a message for every missing field', async () => {
    const body = await visitor.expectError('POST', '/api/auth/register', 400, { body: {} })
    expect(body.errors).toEqual({
      fullName: ['Full name must be at least 2 characters'],
      username: ['Username must be at least 3 characters'],
      email: ['Please enter a valid email address'],
      phoneNumber: ['Please enter a valid phone number'],
      password: ['Password must be at least 6 characters'],
      confirmPassword: ['Please confirm your password'],
      recaptcha: ['Please complete the reCAPTCHA verification'],
    })
  })

  it('rejects a taken username or email, ignoring case', async () => {
    const body = await visitor.expectError('POST', '/api/auth/register', 409, {
      body: await registrationForm({
        username: user.username.toUpperCase(),
        email: user.email.toUpperCase(),
      }),
    })
    expect(body).toEqual({
      message: 'Username is already taken',
      code: 'username_taken',
      errors: { username: ['Username is already taken'], email: ['Email is already registered'] },
    })
    const second = await visitor.expectError('POST', '/api/auth/register', 409, {
      body: await registrationForm({ email: user.email }),
    })
    expect(second).toMatchObject({ message: 'Email is already registered', code: 'email_taken' })
  })

  it('gives a username to only one of several parallel requests and leaves no incomplete account', async () => {
    const forms = await Promise.all([1, 2, 3, 4].map(() => registrationForm()))
    const name = forms[0]?.username ?? ''
    const emails = forms.map((form) => form.email)
    const responses = await Promise.all(
      forms.map((form) => call('POST', '/api/auth/register', { body: { ...form, username: name } })),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([201, 409, 409, 409])
    expect(await countAccounts(name)).toBe(1)
    const [created] = await sql`
      select count(*)::int as accounts, count(p.id)::int as profiles
      from auth.users u left join public.profiles p on p.id = u.id where u.email = any(${emails})`
    expect(created).toEqual({ accounts: 1, profiles: 1 })
    await sql`delete from auth.users where email = any(${emails})`
  })

  it('stops revealing taken values after 300 rejections per network per hour', async () => {
    const api = await startApiServer({ CAPTCHA_PROVIDER: 'none' })
    const form = await registrationForm({ email: user.email, recaptcha: 'none' })
    const registerFrom = async (from: string) => {
      const response = await fetch(`${api.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
        body: JSON.stringify(form),
      })
      await response.body?.cancel()
      return response.status
    }
    await exhaustRateLimit('register_refused', '2001:db8:5:6::/64', 299, '1 hour')
    try {
      expect(await registerFrom('2001:db8:5:6::1')).toBe(409)
      expect(await registerFrom('2001:db8:5:6:ffff::2')).toBe(429)
      expect(await registerFrom('2001:db8:5:7::1')).toBe(409)
    } finally {
      api.stop()
    }
  })

  it('is limited to 100 registrations per network per hour', async () => {
    const form = await registrationForm()
    await withRegistrationLock(async () => {
      await clearRateLimits(clientAddress, 'register')
      await exhaustRateLimit('register', clientAddress, 100, '1 hour')
      const body = await visitor.expectError('POST', '/api/auth/register', 429, { body: form })
      expect(body.code).toBe('rate_limited')
      await clearRateLimits(clientAddress, 'register')
    })
    expect(await countAccounts(form.username)).toBe(0)
  })
})
