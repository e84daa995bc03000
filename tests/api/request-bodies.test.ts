import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUser, registrationForm, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
let user: TestUser
let other: TestUser

beforeAll(async () => {
  ;[user, other] = await Promise.all([createUser(), createUser()])
})

describe('request bodies', () => {
  const expectPostError = (status: number, body: unknown, type = 'application/json') =>
    apiAs(user).expectError('POST', '/api/posts', status, { body, headers: { 'Content-Type': type } })

  it('must be JSON of at most 100 kB', async () => {
    expect((await expectPostError(415, 'content=x', 'application/x-www-form-urlencoded')).code).toBe(
      'unsupported_media_type',
    )
    expect((await expectPostError(400, '{"content":')).message).toBe('The request body is not valid JSON.')
    expect((await expectPostError(413, { content: 'x'.repeat(102_400) })).code).toBe('payload_too_large')
    await expectPostError(400, '')
    await expectPostError(400, '[]')
    await expectPostError(400, 'null')
    const response = await call('POST', '/api/posts', {
      body: JSON.stringify({ content: 'With a charset' }),
      headers: { ...authorizationHeader(user), 'Content-Type': 'application/json; charset=utf-8' },
    })
    expect(response.status).toBe(201)
  })

  it('must contain only text that can be stored', async () => {
    // PostgreSQL can store neither a NUL character nor unpaired surrogates.
    for (const invalid of ['\0', '\ud83d', '\ude00']) {
      const text = `abcd${invalid}efgh`
      const bodies = [
        ['/api/posts', { content: text }, 'content'],
        ['/api/messages', { receiverId: other.id, content: text }, 'content'],
        ['/api/auth/login', { email: 'a@example.test', password: text, recaptcha: 'x' }, 'password'],
        ['/api/auth/register', await registrationForm({ fullName: text, recaptcha: 'x' }), 'fullName'],
        [
          '/api/auth/register',
          await registrationForm({ password: text, confirmPassword: text, recaptcha: 'x' }),
          'password',
        ],
      ] as const
      for (const [path, body, field] of bodies) {
        const error = await apiAs(user).expectError('POST', path, 400, { body })
        expect([path, Object.keys(error.errors ?? {})]).toEqual([path, [field]])
      }
      for (const fieldName of ['email', 'recaptcha', 'username', 'phoneNumber'] as const) {
        const body = await registrationForm({ recaptcha: 'x', [fieldName]: text })
        await visitor.expectError('POST', '/api/auth/register', 400, { body })
      }
    }
    for (const query of ['users/search?q=a%00b', 'posts?cursor=%00', 'posts?limit=%00']) {
      await apiAs(user).expectError('GET', `/api/${query}`, 400)
    }
  })

  it('are not read before the session check', async () => {
    await visitor.expectError('POST', '/api/posts', 401, {
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    })
    await visitor.expectError('POST', '/api/posts', 401, { body: { content: 'x'.repeat(102_400) } })
    await visitor.expectError('POST', '/api/posts', 401, { body: '{' })
  })

  it('are not rejected before the access check', async () => {
    const readOnlyUser = await createUser()
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${readOnlyUser.id}`
    for (const [body, type] of [
      ['{', 'application/json'],
      ['x', 'text/plain'],
      ['{}', 'application/json'],
    ] as const) {
      const headers = { 'Content-Type': type }
      const error = await apiAs(readOnlyUser).expectError('POST', '/api/posts', 403, { body, headers })
      expect(error.code).toBe('account_read_only')
    }
  })
})
