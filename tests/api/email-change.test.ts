import { randomUUID } from 'node:crypto'
import { ConfirmEmailResponse, emailLinkInvalid } from '@contract/account.ts'
import { ErrorBody } from '@contract/errors.ts'
import { OwnUser } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { fetchMails, type Mail, readResetToken, waitForMail } from '../support/mail.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, createUsers, signInViaApi, type TestUser } from '../support/users.ts'

/** Of this file alone: wrong links are counted by address. From there calls come to an API of its own, which has no mail. */
const address = `2001:db8:${randomUUID().slice(0, 4)}:1::1`
const network = `2001:db8:${address.split(':')[2]?.replace(/^0+(?=.)/, '')}:1::/64`
const linkSubject = 'Confirm your new email address'
const invalid = {
  message: emailLinkInvalid,
  code: 'email_token_invalid',
  errors: { token: [emailLinkInvalid] },
}

let api: FunctionServer
/** Its mails are lost on the way. */
let unlucky: FunctionServer
let person: TestUser
let other: TestUser

beforeAll(async () => {
  ;[api, unlucky] = await Promise.all([
    startApiServer({ CAPTCHA_PROVIDER: 'none', TRUST_PROXY: '1' }),
    startApiServer({ MAIL_URL: 'http://127.0.0.1:1/' }),
  ])
  ;({ person, other } = await createUsers('person', 'other'))
})
afterAll(() => {
  api?.stop()
  unlucky?.stop()
})

const newAddress = () => `${randomUUID()}@example.test`
const want = async (email: string, who = person) => {
  await clearRateLimits(who.id, 'email change')
  return (await apiAs(who).patch('/api/profile', OwnUser, { email })).body
}
const refused = (status: number, body: unknown, who = person) =>
  apiAs(who).expectError('PATCH', '/api/profile', status, { body })
const own = async (who = person) => (await apiAs(who).get('/api/auth/user', OwnUser)).body

function tokenOf({ text }: Mail): string {
  const link = /\/confirm-email\?token=(\S+)/.exec(text)
  expect(text).toContain(`${stack.apiUrl}/confirm-email?token=`)
  expect(link?.[1]).toMatch(/^[A-Za-z0-9_-]{43}$/)
  return link?.[1] ?? ''
}
const link = async (email: string) => tokenOf(await waitForMail(email, 1, linkSubject))

async function ask(method: 'GET' | 'POST', path: string, body?: unknown, from = address) {
  const response = await fetch(`${api.url}/api/auth/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}
const confirm = (token: unknown, from = address) => ask('POST', 'confirm-email', { token }, from)
/** Wants an address by an API of a test's own. */
async function patchAt({ url }: FunctionServer, body: unknown) {
  const response = await fetch(`${url}/api/profile`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${person.token}` },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

describe('another address', () => {
  it('takes effect by the link in a mail to it, once, and the old one hears of both steps', async () => {
    const [before, wanted] = [person.email, newAddress()]
    expect(await want(wanted.toUpperCase())).toMatchObject({ email: before, pendingEmail: wanted })
    const token = await link(wanted)
    const notice = await waitForMail(before, 1, 'Your email address is about to change')
    expect(notice.text).toContain(wanted)
    expect(notice.text).not.toContain(token)
    // Saved again with the form, it is no second mail.
    expect((await want(wanted)).pendingEmail).toBe(wanted)
    const [row] =
      await sql`select to_jsonb(c) as held from private.email_changes c where user_id = ${person.id}`
    expect(JSON.stringify(row)).not.toContain(token)
    expect((await signInViaApi(before, person.password)).user.email).toBe(before)

    const confirmed = await apiAs(null).post('/api/auth/confirm-email', ConfirmEmailResponse, { token })
    expect(confirmed.body).toEqual({ email: wanted })
    expect(await own()).toMatchObject({ email: wanted, pendingEmail: null })
    expect((await signInViaApi(wanted, person.password)).user.id).toBe(person.id)
    await expect(signInViaApi(before, person.password)).rejects.toThrow('401')
    expect((await waitForMail(before, 1, 'Your email address was changed')).text).toContain(wanted)
    expect(await confirm(token)).toEqual({ status: 400, body: invalid })
    expect((await fetchMails(wanted)).filter(({ subject }) => subject === linkSubject)).toHaveLength(1)
    person.email = wanted
  })

  it('leaves no link for a new password in the old mailbox', async () => {
    const [mover, wanted] = [await createUser(), newAddress()]
    expect((await ask('POST', 'forgot-password', { email: mover.email })).status).toBe(200)
    const reset = readResetToken(await waitForMail(mover.email, 1, 'Reset your Ovation password'))
    const isGood = async () => (await ask('GET', `verify-reset-token/${reset}`)).body
    expect(await isGood()).toMatchObject({ valid: true })
    await want(wanted, mover)
    expect(await isGood()).toMatchObject({ valid: true })
    expect((await confirm(await link(wanted))).status).toBe(200)
    expect(await isGood()).toMatchObject({ valid: false })
  })

  it('stands with Auth as it is now; names and numbers do not at all', async () => {
    const rows = await sql<{ told: Record<string, unknown> }[]>`
      select u.raw_user_meta_data as told from auth.users u where u.id = ${person.id}
      union all select i.identity_data from auth.identities i where i.user_id = ${person.id}`
    expect(rows).toHaveLength(2)
    for (const { told } of rows) {
      expect(told).toMatchObject({ email: person.email, adult_confirmed: true })
      const twice = Object.keys(told).filter((key) => ['full_name', 'username', 'phone_number'].includes(key))
      expect(twice).toEqual([])
    }
  })

  it('is asked for again where its mail may have been lost, but not at once', async () => {
    const wanted = newAddress()
    await want(wanted)
    const first = await link(wanted)
    const back = (age: string) =>
      sql`update private.email_changes set created_at = now() - ${age}::interval where user_id = ${person.id}`
    await back('100 seconds')
    await want(wanted)
    await back('121 seconds')
    await want(wanted)
    const second = tokenOf(await waitForMail(wanted, 2, linkSubject))
    expect(second).not.toBe(first)
    // No more of them than of other wishes; the last link stays good.
    await back('121 seconds')
    await exhaustRateLimit('email change', person.id, 5, '1 hour')
    expect((await apiAs(person).patch('/api/profile', OwnUser, { email: wanted })).body.pendingEmail).toBe(
      wanted,
    )
    expect((await fetchMails(wanted)).filter(({ subject }) => subject === linkSubject)).toHaveLength(2)
    expect((await confirm(first)).status).toBe(400)
    await want(person.email)
  })

  it('is no longer wanted where its mail did not leave', async () => {
    const wanted = newAddress()
    await clearRateLimits(person.id, 'email change')
    expect(await patchAt(unlucky, { email: wanted })).toMatchObject({
      status: 200,
      body: { pendingEmail: wanted },
    })
    await expect.poll(async () => (await own()).pendingEmail).toBeNull()
    expect(unlucky.output()).toContain('email_change_mail_failed')
    expect(unlucky.output()).not.toContain(wanted)
  })

  it('is saved or refused together with the rest of the form', async () => {
    expect(await refused(409, { email: other.email, bio: 'not stored' })).toMatchObject({
      message: 'Email is already registered',
      code: 'email_taken',
    })
    await refused(409, { email: newAddress(), username: other.username })
    expect(await own()).toMatchObject({ bio: null, pendingEmail: null, username: person.username })
    const wanted = newAddress()
    expect(
      (await apiAs(person).patch('/api/profile', OwnUser, { email: wanted, bio: 'stored' })).body,
    ).toMatchObject({ bio: 'stored', pendingEmail: wanted })
    // Their own takes the wish back, and its link with it.
    expect((await want(person.email)).pendingEmail).toBeNull()
    expect(await confirm(await link(wanted))).toEqual({ status: 400, body: invalid })
  })

  it('that is wanted instead makes the link before it useless', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await want(first)
    const token = await link(first)
    expect((await want(second)).pendingEmail).toBe(second)
    expect((await confirm(token)).status).toBe(400)
    await want(person.email)
  })

  it('is not anybody’s who registered with it meanwhile', async () => {
    const wanted = newAddress()
    await want(wanted, other)
    const token = await link(wanted)
    const rival = await createUser()
    await sql`update auth.users set email = ${wanted} where id = ${rival.id}`
    const taken = await confirm(token)
    expect([taken.status, ErrorBody.parse(taken.body)]).toMatchObject([409, { code: 'email_taken' }])
    expect((await own(other)).email).toBe(other.email)
  })

  it('can be confirmed for a day', async () => {
    const wanted = newAddress()
    await want(wanted)
    const token = await link(wanted)
    await sql`update private.email_changes set created_at = now() - interval '24 hours 1 second'
              where user_id = ${person.id}`
    expect((await own()).pendingEmail).toBeNull()
    expect(await confirm(token)).toEqual({ status: 400, body: invalid })
    expect((await own()).email).toBe(person.email)
  })

  it('is forgotten where somebody signs out everywhere, as a new password does', async () => {
    const wanted = newAddress()
    const robbed = await createUser()
    await want(wanted, robbed)
    const token = await link(wanted)
    await sql`select private.end_sessions(${robbed.id})`
    expect(await confirm(token)).toEqual({ status: 400, body: invalid })
    const { email } = (await signInViaApi(robbed.email, robbed.password)).user
    expect(email).toBe(robbed.email)
  })
})

describe('limits', () => {
  it('wrong links stop after thirty from an address; right ones are not counted', async () => {
    await clearRateLimits(network, 'email_token')
    for (const bad of ['', 7, null, 'x'.repeat(201)]) expect((await confirm(bad)).status).toBe(400)
    for (const bad of ['a b', '\0', "';--", 'f'.repeat(43)]) {
      expect(await confirm(bad)).toEqual({ status: 400, body: invalid })
    }
    await exhaustRateLimit('email_token', network, 30, '1 hour')
    const wanted = newAddress()
    await want(wanted)
    const token = await link(wanted)
    expect(await confirm(token)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect((await confirm(token, '2001:db8:0:feed::2')).status).toBe(200)
    person.email = wanted
  })

  it('five wishes an hour, and thirty addresses that somebody has', async () => {
    await clearRateLimits(person.id, 'email change')
    await exhaustRateLimit('email change', person.id, 5, '1 hour')
    expect((await refused(429, { email: newAddress() })).code).toBe('rate_limited')
    await exhaustRateLimit('email taken', person.id, 29, '1 hour')
    expect((await refused(409, { email: other.email })).code).toBe('email_taken')
    expect((await refused(429, { email: other.email })).code).toBe('rate_limited')
    await clearRateLimits(person.id, 'email change', 'email taken')
  })
})

describe('where no mail leaves', () => {
  it('another address is refused before anything is saved; the same is no other', async () => {
    const answer = await patchAt(api, { email: newAddress(), bio: 'by a site without mail' })
    expect([answer.status, ErrorBody.parse(answer.body).message]).toEqual([
      503,
      "You can't change your email address because this site doesn't send mail. Nothing was saved.",
    ])
    expect(await own()).toMatchObject({ bio: 'stored', pendingEmail: null })
    expect((await patchAt(api, { email: person.email, bio: 'kept' })).status).toBe(200)
  })
})
