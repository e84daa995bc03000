import { resetLinkInvalid } from '@contract/auth.ts'
import { User } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, registrationForm, type TestUser } from '../support/users.ts'

/** A validation rule: the field, an invalid value, and the message. */
type Rule = [field: string, value: unknown, message: string]

const visitor = apiAs(null)

/** Returns the response body for a single violated rule. */
const validationError = (field: string, message: string) => ({
  message,
  code: 'validation_failed',
  errors: { [field]: [message] },
})

const emailMessage = 'Please enter a valid email address'
const emailRules: Rule[] = [
  ['email', undefined, emailMessage],
  ['email', '', emailMessage],
  ['email', 'ada', emailMessage],
  ['email', 'ada@', emailMessage],
  ['email', 'ada@example', emailMessage],
  ['email', 'ada lovelace@example.test', emailMessage],
  ['email', `${'a'.repeat(250)}@example.test`, emailMessage],
]
const captchaMessage = 'Please complete the reCAPTCHA verification'
const captchaRules: Rule[] = [
  ['recaptcha', undefined, captchaMessage],
  ['recaptcha', '', captchaMessage],
]

describe('POST /api/auth/register', () => {
  const usernameMessage = 'Username can only contain letters, numbers, and underscores'
  const phoneMessage = 'Please enter a valid phone number'
  const passwordMessage = 'Password must be at least 6 characters'
  const rules: Rule[] = [
    ['fullName', undefined, 'Full name must be at least 2 characters'],
    ['fullName', 'A', 'Full name must be at least 2 characters'],
    ['fullName', '  A  ', 'Full name must be at least 2 characters'],
    ['username', undefined, 'Username must be at least 3 characters'],
    ['username', 'ab', 'Username must be at least 3 characters'],
    ['username', 'ada lovelace', usernameMessage],
    ['username', 'ada-lovelace', usernameMessage],
    ['username', 'ad\u0430_l', usernameMessage], // U+0430 is the Cyrillic letter that looks like 'a'.
    ['username', '../admin', usernameMessage],
    ...emailRules,
    ['phoneNumber', undefined, phoneMessage],
    ['phoneNumber', '123456789', phoneMessage],
    ['password', undefined, passwordMessage],
    ['confirmPassword', undefined, 'Please confirm your password'],
    ['confirmPassword', 'correct horse!', "Passwords don't match"],
    ...captchaRules,
  ]

  it.each(rules)('rejects %s: %j', async (field, value, message) => {
    const body = { ...(await registrationForm({ recaptcha: 'not reached' })), [field]: value }
    expect(await visitor.expectError('POST', '/api/auth/register', 400, { body })).toEqual(
      validationError(field, message),
    )
  })

  it('reports both password fields for a short password, the password first', async () => {
    const form = {
      ...(await registrationForm({ recaptcha: 'not reached' })),
      password: '12345',
      confirmPassword: '12345',
    }
    expect(await visitor.expectError('POST', '/api/auth/register', 400, { body: form })).toEqual({
      message: passwordMessage,
      code: 'validation_failed',
      errors: { password: [passwordMessage], confirmPassword: ['Please confirm your password'] },
    })
  })

  it('accepts the shortest valid full name, phone number and password', async () => {
    const form = await registrationForm({
      fullName: 'Bo',
      phoneNumber: '1234567890',
      password: '123456',
      confirmPassword: '123456',
      recaptcha: 'wrong',
    })
    // Only the captcha is wrong. It is checked after the fields of the form.
    const body = await visitor.expectError('POST', '/api/auth/register', 400, { body: form })
    expect(body.code).toBe('captcha_failed')
  })
})

describe('POST /api/auth/login', () => {
  const rules: Rule[] = [
    ...emailRules,
    ['password', undefined, 'Password is required'],
    ['password', '', 'Password is required'],
    ...captchaRules,
  ]
  it.each(rules)('rejects %s: %j', async (field, value, message) => {
    const body = { email: 'ada@example.test', password: 'x', recaptcha: 'not reached', [field]: value }
    expect(await visitor.expectError('POST', '/api/auth/login', 400, { body })).toEqual(
      validationError(field, message),
    )
  })
})

describe('POST /api/auth/forgot-password', () => {
  it.each(emailRules)('rejects %s: %j', async (field, value, message) => {
    const body = { [field]: value }
    expect(await visitor.expectError('POST', '/api/auth/forgot-password', 400, { body })).toEqual(
      validationError(field, message),
    )
  })
})

describe('POST /api/auth/reset-password', () => {
  const passwordMessage = 'Password must be at least 6 characters'
  const rules: Rule[] = [
    ['newPassword', undefined, passwordMessage],
    ['newPassword', '', passwordMessage],
    ['newPassword', '12345', passwordMessage],
    ['token', undefined, 'No reset token found'],
    ['token', '', 'No reset token found'],
  ]
  it.each(rules)('rejects %s: %j', async (field, value, message) => {
    const body = { token: 'f'.repeat(56), newPassword: 'correct horse', [field]: value }
    expect(await visitor.expectError('POST', '/api/auth/reset-password', 400, { body })).toEqual(
      validationError(field, message),
    )
  })

  it('rejects an unknown token with a specific message', async () => {
    const body = { token: 'f'.repeat(56), newPassword: 'correct horse' }
    expect(await visitor.expectError('POST', '/api/auth/reset-password', 400, { body })).toEqual({
      ...validationError('token', resetLinkInvalid),
      code: 'reset_token_invalid',
    })
  })
})

describe('a signed-in user', () => {
  let ana: TestUser
  let ben: TestUser
  beforeAll(async () => {
    ;({ ana, ben } = await createUsers('ana', 'ben'))
  })

  it.each(['', '%20%20', '%E3%80%80'])('finds nobody with the blank search query %j', async (query) => {
    expect((await apiAs(ana).get(`/api/users/search?q=${query}`, User.array())).body).toEqual([])
  })

  it.each([undefined, '', '   ', '\n\t'])(
    'gets an error for a message with the content %j, and the message is not stored',
    async (content) => {
      const body = { receiverId: ben.id, content }
      expect(await apiAs(ana).expectError('POST', '/api/messages', 400, { body })).toEqual(
        validationError('content', 'Please write a message.'),
      )
      const [stored] =
        await sql`select count(*)::int as count from public.messages where sender_id = ${ana.id}`
      expect(stored?.count).toBe(0)
    },
  )

  it.each([undefined, '', 'nobody'])('cannot send a message to the receiver %j', async (receiverId) => {
    const body = { receiverId, content: 'Hello' }
    expect(await apiAs(ana).expectError('POST', '/api/messages', 400, { body })).toEqual(
      validationError('receiverId', 'Recipient not found'),
    )
  })
})
