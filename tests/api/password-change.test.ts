import { randomUUID } from 'node:crypto'
import { OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader } from '../support/api.ts'
import { type AuthProxy, startAuthProxy } from '../support/auth-proxy.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { waitForMail } from '../support/mail.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, getOwnUser, signInViaApi, type TestUser } from '../support/users.ts'

const newPassword = 'a new horse'
const clientIp = `2001:db8:${randomUUID().slice(0, 4)}:2::1`

let auth: AuthProxy
let api: FunctionServer

beforeAll(async () => {
  auth = await startAuthProxy()
  api = await startApiServer({
    SUPABASE_URL: auth.url,
    CAPTCHA_PROVIDER: 'none',
    TRUST_PROXY: '1',
    MAIL_URL: stack.mailUrl,
  })
})
afterAll(() => {
  api?.stop()
  auth?.stop()
})

async function changePassword(user: TestUser, body: unknown) {
  const response = await fetch(`${api.url}/api/auth/change-password`, {
    method: 'POST',
    headers: {
      ...authorizationHeader(user),
      'Content-Type': 'application/json',
      'X-Forwarded-For': clientIp,
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: response.status === 204 ? null : await response.json() }
}
const countSessions = async (user: TestUser) =>
  (await sql<{ id: string }[]>`select id from auth.sessions where user_id = ${user.id}`).length

describe('POST /api/auth/change-password', () => {
  it('sets the password, ends all other sessions and notifies the user', async () => {
    const user = await createUser()
    const other = { ...user, token: (await signInViaApi(user.email, user.password)).session.access_token }
    const pendingEmail = `${randomUUID()}@example.test`
    await apiAs(user).patch('/api/profile', OwnUser, { email: pendingEmail })
    expect(await changePassword(user, { currentPassword: user.password, newPassword })).toEqual({
      status: 204,
      body: null,
    })
    // The pending email change is cancelled, because somebody else may have requested it.
    expect((await getOwnUser(user)).pendingEmail).toBeNull()
    await apiAs(other).expectError('GET', '/api/auth/user', 401)
    expect(await countSessions(user)).toBe(1)
    const renewal = await fetch(`${stack.apiUrl}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: stack.publishableKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: user.refreshToken }),
    })
    expect(renewal.status).toBe(200)
    await expect(signInViaApi(user.email, user.password)).rejects.toThrow('401')
    expect((await signInViaApi(user.email, newPassword)).user.id).toBe(user.id)
    const notice = await waitForMail(user.email, 1, 'Your password was changed')
    expect(notice.text).toContain('was changed in the settings')
    expect(notice.text).toContain(`${stack.apiUrl}/forgot-password`)
  })

  it('rejects a wrong current password and an unusable new one, and changes nothing', async () => {
    const user = await createUser()
    expect(await changePassword(user, { currentPassword: 'wrong', newPassword })).toEqual({
      status: 401,
      body: {
        message: 'Incorrect password.',
        code: 'invalid_credentials',
        errors: { currentPassword: ['Incorrect password.'] },
      },
    })
    const unusable: Record<string, string> = {
      '12345': 'Password must be at least 6 characters',
      ['é'.repeat(37)]: 'Password must be at most 72 bytes',
      [user.password]: 'Please choose a password that differs from your current one',
    }
    for (const [password, message] of Object.entries(unusable)) {
      const body = { currentPassword: user.password, newPassword: password }
      expect(await changePassword(user, body)).toMatchObject({
        status: 400,
        body: { errors: { newPassword: [message] } },
      })
    }
    auth.actionFor = (call) =>
      call === 'PUT user' ? { status: 422, body: { error_code: 'weak_password' } } : 'pass'
    expect(await changePassword(user, { currentPassword: user.password, newPassword })).toMatchObject({
      status: 400,
      body: { errors: { newPassword: [expect.stringContaining('too easy to guess')] } },
    })
    auth.actionFor = (call) => (call === 'PUT user' ? 'drop' : 'pass')
    expect((await changePassword(user, { currentPassword: user.password, newPassword })).status).toBe(503)
    auth.actionFor = () => 'pass'
    // The temporary sessions in which the API checked the password have ended.
    expect(await countSessions(user)).toBe(1)
    await signInViaApi(user.email, user.password)
  })

  it('rejects even the correct password once a limit shared with other endpoints is reached', async () => {
    const user = await createUser()
    const body = { currentPassword: user.password, newPassword: 'another horse' }
    await exhaustRateLimit('own_password', user.id, 30, '1 hour')
    await apiAs(user).expectError('POST', '/api/auth/change-password', 429, { body })
    await apiAs(user).expectError('DELETE', '/api/account', 429, { body: { password: user.password } })
    const token = { name: 'Bot', scopes: ['read'], expiresInDays: 30, currentPassword: user.password }
    await apiAs(user).expectError('POST', '/api/auth/access-tokens', 429, { body: token })
  })

  it("ends the other sessions and notifies the user even if Auth's response is lost", async () => {
    const user = await createUser()
    await signInViaApi(user.email, user.password)
    let calls = 0
    auth.actionFor = (call) => (call === 'PUT user' && ++calls === 1 ? 'drop response' : 'pass')
    expect(await changePassword(user, { currentPassword: user.password, newPassword })).toEqual({
      status: 204,
      body: null,
    })
    auth.actionFor = () => 'pass'
    expect(await countSessions(user)).toBe(1)
    await waitForMail(user.email, 1, 'Your password was changed')
    expect((await signInViaApi(user.email, newPassword)).user.id).toBe(user.id)
  })

  it('shares the rate limit for failed sign-ins, and requires a session', async () => {
    const user = await createUser()
    const network = `${clientIp
      .split(':')
      .slice(0, 4)
      .join(':')
      .replace(/:0+(?=\w)/g, ':')}::/64`
    await exhaustRateLimit('sign_in', `${user.email} ${network}`, 10, '15 minutes')
    const body = { currentPassword: user.password, newPassword }
    expect(await changePassword(user, body)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    await sql`delete from auth.sessions where user_id = ${user.id}`
    expect((await changePassword(user, body)).status).toBe(401)
    await apiAs(null).expectError('POST', '/api/auth/change-password', 401, { body })
  })
})
