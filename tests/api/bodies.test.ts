import { beforeAll, describe, expect, it } from 'vitest'
import { as, call } from '../support/api.ts'
import { createPerson, type Person, registration } from '../support/people.ts'

const visitor = as(null)
let person: Person
let other: Person

beforeAll(async () => {
  ;[person, other] = await Promise.all([createPerson(), createPerson()])
})

describe('bodies', () => {
  const refused = (status: number, body: unknown, type = 'application/json') =>
    as(person).refused('POST', '/api/posts', status, { body, headers: { 'Content-Type': type } })

  it('are JSON, of at most 100 kB', async () => {
    expect((await refused(415, 'content=x', 'application/x-www-form-urlencoded')).code).toBe(
      'unsupported_media_type',
    )
    expect((await refused(400, '{"content":')).message).toBe('The body is not valid JSON.')
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
        ['/api/auth/register', await registration({ fullName: text, recaptcha: 'x' }), 'fullName'],
        [
          '/api/auth/register',
          await registration({ password: text, confirmPassword: text, recaptcha: 'x' }),
          'password',
        ],
      ] as const
      for (const [path, body, field] of bodies) {
        const refused = await as(person).refused('POST', path, 400, { body })
        expect([path, Object.keys(refused.errors ?? {})]).toEqual([path, [field]])
      }
      for (const query of ['email', 'recaptcha', 'username', 'phoneNumber'] as const) {
        const body = await registration({ recaptcha: 'x', [query]: text })
        await visitor.refused('POST', '/api/auth/register', 400, { body })
      }
    }
    for (const query of ['users/search?q=a%00b', 'posts?cursor=%00', 'posts?limit=%00']) {
      await as(person).refused('GET', `/api/${query}`, 400)
    }
  })

  it('come after the question who sends them', async () => {
    await visitor.refused('POST', '/api/posts', 401, { body: 'x', headers: { 'Content-Type': 'text/plain' } })
    await visitor.refused('POST', '/api/posts', 401, { body: { content: 'x'.repeat(102_400) } })
    await visitor.refused('POST', '/api/posts', 401, { body: '{' })
  })
})
