import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, call } from '../support/api.ts'
import { createUser, registrationForm, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
let person: TestUser
let other: TestUser

beforeAll(async () => {
  ;[person, other] = await Promise.all([createUser(), createUser()])
})

describe('bodies', () => {
  const refused = (status: number, body: unknown, type = 'application/json') =>
    apiAs(person).expectError('POST', '/api/posts', status, { body, headers: { 'Content-Type': type } })

  it('are JSON, of at most 100 kB', async () => {
    expect((await refused(415, 'content=x', 'application/x-www-form-urlencoded')).code).toBe(
      'unsupported_media_type',
    )
    expect((await refused(400, '{"content":')).message).toBe('The request body is not valid JSON.')
    expect((await refused(413, { content: 'x'.repeat(102_400) })).code).toBe('payload_too_large')
    await refused(400, '')
    await refused(400, '[]')
    await refused(400, 'null')
    const sent = await call('POST', '/api/posts', {
      body: JSON.stringify({ content: 'With a charset' }),
      headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json; charset=utf-8' },
    })
    expect(sent.status).toBe(201)
  })

  it('hold texts that can be stored', async () => {
    // A NUL, and each half of a character alone.
    for (const wrong of ['\0', '\ud83d', '\ude00']) {
      const text = `abcd${wrong}efgh`
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
        const refused = await apiAs(person).expectError('POST', path, 400, { body })
        expect([path, Object.keys(refused.errors ?? {})]).toEqual([path, [field]])
      }
      for (const query of ['email', 'recaptcha', 'username', 'phoneNumber'] as const) {
        const body = await registrationForm({ recaptcha: 'x', [query]: text })
        await visitor.expectError('POST', '/api/auth/register', 400, { body })
      }
    }
    for (const query of ['users/search?q=a%00b', 'posts?cursor=%00', 'posts?limit=%00']) {
      await apiAs(person).expectError('GET', `/api/${query}`, 400)
    }
  })

  it('come after the question who sends them', async () => {
    await visitor.expectError('POST', '/api/posts', 401, {
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    })
    await visitor.expectError('POST', '/api/posts', 401, { body: { content: 'x'.repeat(102_400) } })
    await visitor.expectError('POST', '/api/posts', 401, { body: '{' })
  })
})
