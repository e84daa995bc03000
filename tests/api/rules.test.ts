import { resetLinkInvalid } from '@contract/auth.ts'
import { User } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, registrationForm, type TestUser } from '../support/users.ts'

/** Every rule of a form, as the API states it: field, what is sent in it, and the sentence. */
type Rule = [field: string, sent: unknown, text: string]

const visitor = apiAs(null)

/** The body of a refusal for one broken rule: the sentence alone, and under its field. */
const broken = (field: string, text: string) => ({
  message: text,
  code: 'validation_failed',
  errors: { [field]: [text] },
})

const validEmail = 'Please enter a valid email address'
const emails: Rule[] = [
  ['email', undefined, validEmail],
  ['email', '', validEmail],
  ['email', 'ada', validEmail],
  ['email', 'ada@', validEmail],
  ['email', 'ada@example', validEmail],
  ['email', 'ada lovelace@example.test', validEmail],
  ['email', `${'a'.repeat(250)}@example.test`, validEmail],
]
const captcha = 'Please complete the reCAPTCHA verification'
const captchas: Rule[] = [
  ['recaptcha', undefined, captcha],
  ['recaptcha', '', captcha],
]

describe('registration', () => {
  const username = 'Username can only contain letters, numbers, and underscores'
  const phone = 'Please enter a valid phone number'
  const password = 'Password must be at least 6 characters'
  const rules: Rule[] = [
    ['fullName', undefined, 'Full name must be at least 2 characters'],
    ['fullName', 'A', 'Full name must be at least 2 characters'],
    ['fullName', '  A  ', 'Full name must be at least 2 characters'],
    ['username', undefined, 'Username must be at least 3 characters'],
    ['username', 'ab', 'Username must be at least 3 characters'],
    ['username', 'ada lovelace', username],
    ['username', 'ada-lovelace', username],
    ['username', 'adа_l', username],
    ['username', '../admin', username],
    ...emails,
    ['phoneNumber', undefined, phone],
    ['phoneNumber', '123456789', phone],
    ['password', undefined, password],
    ['confirmPassword', undefined, 'Please confirm your password'],
    ['confirmPassword', 'correct horse!', "Passwords don't match"],
    ...captchas,
  ]

  it.each(rules)('%s: %j is refused', async (field, sent, text) => {
    const body = { ...(await registrationForm({ recaptcha: 'not reached' })), [field]: sent }
    expect(await visitor.expectError('POST', '/api/auth/register', 400, { body })).toEqual(
      broken(field, text),
    )
  })

  it('passwords of five characters break the rule of both boxes, the first one first', async () => {
    const form = {
      ...(await registrationForm({ recaptcha: 'not reached' })),
      password: '12345',
      confirmPassword: '12345',
    }
    expect(await visitor.expectError('POST', '/api/auth/register', 400, { body: form })).toEqual({
      message: password,
      code: 'validation_failed',
      errors: { password: [password], confirmPassword: ['Please confirm your password'] },
    })
  })

  it('takes the least that every rule asks for', async () => {
    const form = await registrationForm({
      fullName: 'Bo',
      phoneNumber: '1234567890',
      password: '123456',
      confirmPassword: '123456',
      recaptcha: 'wrong',
    })
    // Only the captcha is left to be wrong: it is checked last.
    const body = await visitor.expectError('POST', '/api/auth/register', 400, { body: form })
    expect(body.code).toBe('captcha_failed')
  })
})

describe('login', () => {
  const rules: Rule[] = [
    ...emails,
    ['password', undefined, 'Password is required'],
    ['password', '', 'Password is required'],
    ...captchas,
  ]
  it.each(rules)('%s: %j is refused', async (field, sent, text) => {
    const body = { email: 'ada@example.test', password: 'x', recaptcha: 'not reached', [field]: sent }
    expect(await visitor.expectError('POST', '/api/auth/login', 400, { body })).toEqual(broken(field, text))
  })
})

describe('forgot password', () => {
  it.each(emails)('%s: %j is refused', async (field, sent, text) => {
    const body = { [field]: sent }
    expect(await visitor.expectError('POST', '/api/auth/forgot-password', 400, { body })).toEqual(
      broken(field, text),
    )
  })
})

describe('reset password', () => {
  const short = 'Password must be at least 6 characters'
  const rules: Rule[] = [
    ['newPassword', undefined, short],
    ['newPassword', '', short],
    ['newPassword', '12345', short],
    ['token', undefined, 'No reset token found'],
    ['token', '', 'No reset token found'],
  ]
  it.each(rules)('%s: %j is refused', async (field, sent, text) => {
    const body = { token: 'f'.repeat(56), newPassword: 'correct horse', [field]: sent }
    expect(await visitor.expectError('POST', '/api/auth/reset-password', 400, { body })).toEqual(
      broken(field, text),
    )
  })

  it('a token that nobody was sent is refused with its own sentence', async () => {
    const body = { token: 'f'.repeat(56), newPassword: 'correct horse' }
    expect(await visitor.expectError('POST', '/api/auth/reset-password', 400, { body })).toEqual({
      ...broken('token', resetLinkInvalid),
      code: 'reset_token_invalid',
    })
  })
})

describe('for who is signed in', () => {
  let ana: TestUser
  let ben: TestUser
  beforeAll(async () => {
    ;({ ana, ben } = await createUsers('ana', 'ben'))
  })

  it.each(['', '%20%20', '%E3%80%80'])('search for nothing (%s) finds nobody', async (query) => {
    expect((await apiAs(ana).get(`/api/users/search?q=${query}`, User.array())).body).toEqual([])
  })

  it.each([undefined, '', '   ', '\n\t'])('a message of %j is refused and not stored', async (content) => {
    const body = { receiverId: ben.id, content }
    expect(await apiAs(ana).expectError('POST', '/api/messages', 400, { body })).toEqual(
      broken('content', 'Please write a message.'),
    )
    const [stored] = await sql`select count(*)::int as count from public.messages where sender_id = ${ana.id}`
    expect(stored?.count).toBe(0)
  })

  it.each([undefined, '', 'nobody'])('a message to %j is refused', async (receiverId) => {
    const body = { receiverId, content: 'Hello' }
    expect(await apiAs(ana).expectError('POST', '/api/messages', 400, { body })).toEqual(
      broken('receiverId', 'Recipient not found'),
    )
  })
})
