import { randomUUID } from 'node:crypto'
import { ConfirmEmailResponse, emailLinkInvalid } from '@contract/account.ts'
import { ErrorBody } from '@contract/common.ts'
import { OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader } from '../support/api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { fetchMails, type Mail, readResetToken, waitForMail } from '../support/mail.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, createUsers, getOwnUser, signInViaApi, type TestUser } from '../support/users.ts'

/** An IP address that no other test file uses, because invalid links are counted per network. */
const clientIp = `2001:db8:${randomUUID().slice(0, 4)}:1::1`
const networkSubject = `2001:db8:${clientIp.split(':')[2]?.replace(/^0+(?=.)/, '')}:1::/64`
const linkSubject = 'Confirm your new email address'
const invalidLinkError = {
  message: emailLinkInvalid,
  code: 'email_token_invalid',
  errors: { token: [emailLinkInvalid] },
}

let api: FunctionServer
/** An API server whose mail server cannot be reached. */
let apiWithoutDelivery: FunctionServer
let user: TestUser
let other: TestUser

beforeAll(async () => {
  ;[api, apiWithoutDelivery] = await Promise.all([
    startApiServer({ CAPTCHA_PROVIDER: 'none', TRUST_PROXY: '1' }),
    startApiServer({ MAIL_URL: 'http://127.0.0.1:1/' }),
  ])
  ;({ user, other } = await createUsers('user', 'other'))
})
afterAll(() => {
  api?.stop()
  apiWithoutDelivery?.stop()
})

const newAddress = () => `${randomUUID()}@example.test`
const requestChange = async (email: string, account = user) => {
  await clearRateLimits(account.id, 'email change')
  return (await apiAs(account).patch('/api/profile', OwnUser, { email })).body
}
const expectChangeError = (status: number, body: unknown, account = user) =>
  apiAs(account).expectError('PATCH', '/api/profile', status, { body })

function tokenOf({ text }: Mail): string {
  const link = /\/confirm-email\?token=(\S+)/.exec(text)
  expect(text).toContain(`${stack.apiUrl}/confirm-email?token=`)
  expect(link?.[1]).toMatch(/^[A-Za-z0-9_-]{43}$/)
  return link?.[1] ?? ''
}
const tokenSentTo = async (email: string) => tokenOf(await waitForMail(email, 1, linkSubject))

async function sendRequest(method: 'GET' | 'POST', path: string, body?: unknown, from = clientIp) {
  const response = await fetch(`${api.url}/api/auth/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}
const confirm = (token: unknown, from = clientIp) => sendRequest('POST', 'confirm-email', { token }, from)
async function patchProfileAt({ url }: FunctionServer, body: unknown) {
  const response = await fetch(`${url}/api/profile`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', ...authorizationHeader(user) },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

describe('an email change', () => {
  it('takes effect once, through the emailed link, and notifies the old address of the request and of the change', async () => {
    const [before, newEmail] = [user.email, newAddress()]
    expect(await requestChange(newEmail.toUpperCase())).toMatchObject({
      email: before,
      pendingEmail: newEmail,
    })
    const token = await tokenSentTo(newEmail)
    const notice = await waitForMail(before, 1, 'Your email address is about to change')
    expect(notice.text).toContain(newEmail)
    expect(notice.text).not.toContain(token)
    // Saving the form again sends no second email.
    expect((await requestChange(newEmail)).pendingEmail).toBe(newEmail)
    const [row] =
      await sql`select to_jsonb(c) as stored from private.email_changes c where user_id = ${user.id}`
    expect(JSON.stringify(row)).not.toContain(token)
    expect((await signInViaApi(before, user.password)).user.email).toBe(before)

    const confirmed = await apiAs(null).post('/api/auth/confirm-email', ConfirmEmailResponse, { token })
    expect(confirmed.body).toEqual({ email: newEmail })
    expect(await getOwnUser(user)).toMatchObject({ email: newEmail, pendingEmail: null })
    expect((await signInViaApi(newEmail, user.password)).user.id).toBe(user.id)
    await expect(signInViaApi(before, user.password)).rejects.toThrow('401')
    expect((await waitForMail(before, 1, 'Your email address was changed')).text).toContain(newEmail)
    expect(await confirm(token)).toEqual({ status: 400, body: invalidLinkError })
    expect((await fetchMails(newEmail)).filter(({ subject }) => subject === linkSubject)).toHaveLength(1)
    user.email = newEmail
  })

  it('invalidates password reset links sent to the old address', async () => {
    const [affectedUser, newEmail] = [await createUser(), newAddress()]
    expect((await sendRequest('POST', 'forgot-password', { email: affectedUser.email })).status).toBe(200)
    const resetToken = readResetToken(await waitForMail(affectedUser.email, 1, 'Reset your Ovation password'))
    const verifyResetToken = async () => (await sendRequest('GET', `verify-reset-token/${resetToken}`)).body
    expect(await verifyResetToken()).toMatchObject({ valid: true })
    await requestChange(newEmail, affectedUser)
    expect(await verifyResetToken()).toMatchObject({ valid: true })
    expect((await confirm(await tokenSentTo(newEmail))).status).toBe(200)
    expect(await verifyResetToken()).toMatchObject({ valid: false })
  })

  it('updates the Auth metadata, which contains no name or phone number', async () => {
    const rows = await sql<{ metadata: Record<string, unknown> }[]>`
      select u.raw_user_meta_data as metadata from auth.users u where u.id = ${user.id}
      union all select i.identity_data from auth.identities i where i.user_id = ${user.id}`
    expect(rows).toHaveLength(2)
    for (const { metadata } of rows) {
      expect(metadata).toMatchObject({ email: user.email, adult_confirmed: true })
      const profileFields = Object.keys(metadata).filter((key) =>
        ['full_name', 'username', 'phone_number'].includes(key),
      )
      expect(profileFields).toEqual([])
    }
  })

  it('sends another email only if the request is repeated after two minutes or more', async () => {
    const newEmail = newAddress()
    await requestChange(newEmail)
    const first = await tokenSentTo(newEmail)
    const setRequestAge = (age: string) =>
      sql`update private.email_changes set created_at = now() - ${age}::interval where user_id = ${user.id}`
    await setRequestAge('100 seconds')
    await requestChange(newEmail)
    await setRequestAge('121 seconds')
    await requestChange(newEmail)
    const second = tokenOf(await waitForMail(newEmail, 2, linkSubject))
    expect(second).not.toBe(first)
    // Repeated requests are rate limited too. The change stays pending, and no third email is sent.
    await setRequestAge('121 seconds')
    await exhaustRateLimit('email change', user.id, 5, '1 hour')
    expect((await apiAs(user).patch('/api/profile', OwnUser, { email: newEmail })).body.pendingEmail).toBe(
      newEmail,
    )
    expect((await fetchMails(newEmail)).filter(({ subject }) => subject === linkSubject)).toHaveLength(2)
    expect((await confirm(first)).status).toBe(400)
    await requestChange(user.email)
  })

  it('is dropped if the email with the link cannot be sent', async () => {
    const newEmail = newAddress()
    await clearRateLimits(user.id, 'email change')
    expect(await patchProfileAt(apiWithoutDelivery, { email: newEmail })).toMatchObject({
      status: 200,
      body: { pendingEmail: newEmail },
    })
    await expect.poll(async () => (await getOwnUser(user)).pendingEmail).toBeNull()
    expect(apiWithoutDelivery.output()).toContain('email_change_mail_failed')
    expect(apiWithoutDelivery.output()).not.toContain(newEmail)
  })

  it('is saved or rejected together with the rest of the profile form', async () => {
    expect(await expectChangeError(409, { email: other.email, bio: 'not stored' })).toMatchObject({
      message: 'Email is already registered',
      code: 'email_taken',
    })
    await expectChangeError(409, { email: newAddress(), username: other.username })
    expect(await getOwnUser(user)).toMatchObject({ bio: null, pendingEmail: null, username: user.username })
    const newEmail = newAddress()
    expect(
      (await apiAs(user).patch('/api/profile', OwnUser, { email: newEmail, bio: 'stored' })).body,
    ).toMatchObject({ bio: 'stored', pendingEmail: newEmail })
    // Saving the current address cancels the change and invalidates the link.
    expect((await requestChange(user.email)).pendingEmail).toBeNull()
    expect(await confirm(await tokenSentTo(newEmail))).toEqual({ status: 400, body: invalidLinkError })
  })

  it('invalidates the link of an earlier request', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await requestChange(first)
    const token = await tokenSentTo(first)
    expect((await requestChange(second)).pendingEmail).toBe(second)
    expect((await confirm(token)).status).toBe(400)
    await requestChange(user.email)
  })

  it('fails if the address was registered in the meantime', async () => {
    const newEmail = newAddress()
    await requestChange(newEmail, other)
    const token = await tokenSentTo(newEmail)
    const otherOwner = await createUser()
    await sql`update auth.users set email = ${newEmail} where id = ${otherOwner.id}`
    const response = await confirm(token)
    expect([response.status, ErrorBody.parse(response.body)]).toMatchObject([409, { code: 'email_taken' }])
    expect((await getOwnUser(other)).email).toBe(other.email)
  })

  it('expires after 24 hours', async () => {
    const newEmail = newAddress()
    await requestChange(newEmail)
    const token = await tokenSentTo(newEmail)
    await sql`update private.email_changes set created_at = now() - interval '24 hours 1 second'
              where user_id = ${user.id}`
    expect((await getOwnUser(user)).pendingEmail).toBeNull()
    expect(await confirm(token)).toEqual({ status: 400, body: invalidLinkError })
    expect((await getOwnUser(user)).email).toBe(user.email)
  })

  it('is cancelled when all sessions end, for example after a password reset', async () => {
    const newEmail = newAddress()
    const affectedUser = await createUser()
    await requestChange(newEmail, affectedUser)
    const token = await tokenSentTo(newEmail)
    await sql`select private.end_all_sessions(${affectedUser.id})`
    expect(await confirm(token)).toEqual({ status: 400, body: invalidLinkError })
    const { email } = (await signInViaApi(affectedUser.email, affectedUser.password)).user
    expect(email).toBe(affectedUser.email)
  })
})

describe('email change rate limits', () => {
  it('allow 30 invalid links an hour per network, and reject even valid links after that', async () => {
    await clearRateLimits(networkSubject, 'email_token')
    for (const invalidToken of ['', 7, null, 'x'.repeat(201)])
      expect((await confirm(invalidToken)).status).toBe(400)
    for (const invalidToken of ['a b', '\0', "';--", 'f'.repeat(43)]) {
      expect(await confirm(invalidToken)).toEqual({ status: 400, body: invalidLinkError })
    }
    await exhaustRateLimit('email_token', networkSubject, 30, '1 hour')
    const newEmail = newAddress()
    await requestChange(newEmail)
    const token = await tokenSentTo(newEmail)
    expect(await confirm(token)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect((await confirm(token, '2001:db8:0:feed::2')).status).toBe(200)
    user.email = newEmail
  })

  it('allow five requests an hour, and thirty requests an hour with a taken address', async () => {
    await clearRateLimits(user.id, 'email change')
    await exhaustRateLimit('email change', user.id, 5, '1 hour')
    expect((await expectChangeError(429, { email: newAddress() })).code).toBe('rate_limited')
    await exhaustRateLimit('email_taken', user.id, 29, '1 hour')
    expect((await expectChangeError(409, { email: other.email })).code).toBe('email_taken')
    expect((await expectChangeError(429, { email: other.email })).code).toBe('rate_limited')
    await clearRateLimits(user.id, 'email change', 'email_taken')
  })
})

describe('PATCH /api/profile on a site that does not send mail', () => {
  it('rejects a new address before anything is saved, but accepts the current address', async () => {
    const response = await patchProfileAt(api, { email: newAddress(), bio: 'by a site without mail' })
    expect([response.status, ErrorBody.parse(response.body).message]).toEqual([
      503,
      "You can't change your email address because this site doesn't send mail. Nothing was saved.",
    ])
    expect(await getOwnUser(user)).toMatchObject({ bio: 'stored', pendingEmail: null })
    expect((await patchProfileAt(api, { email: user.email, bio: 'kept' })).status).toBe(200)
  })
})
