import { hash, randomUUID } from 'node:crypto'
import { ConfirmEmailResponse, emailLinkInvalid } from '@contract/account.ts'
import { RegisterResponse } from '@contract/auth.ts'
import { emailConfirmationRequired } from '@contract/errors.ts'
import { FollowResponse, OwnUser, User, UserDetails } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost, sendMessage } from '../support/content-api.ts'
import { withCreatorProBilling } from '../support/creators.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { fetchMails, waitForMail } from '../support/mail.ts'
import { exhaustRateLimit, registerWithoutRateLimit, sql, stack } from '../support/stack.ts'
import {
  createUser,
  createUsers,
  getOwnUser,
  makeCreator,
  registrationForm,
  signInViaApi,
  type TestUser,
} from '../support/users.ts'

const subject = 'Confirm your email address'
const visitor = apiAs(null)

let apiWithoutMail: FunctionServer
let newcomer: TestUser
let follower: TestUser
let stranger: TestUser

beforeAll(async () => {
  apiWithoutMail = await startApiServer({ CAPTCHA_PROVIDER: 'none' })
  ;({ follower, stranger } = await createUsers('follower', 'stranger'))
  newcomer = await createUnconfirmed()
  await apiAs(follower).post(`/api/users/${newcomer.id}/follow`, FollowResponse)
})
afterAll(() => apiWithoutMail?.stop())

async function createUnconfirmed(): Promise<TestUser> {
  const user = await createUser()
  await sql`update public.accounts set email_confirmed_at = null, onboarded_at = null where user_id = ${user.id}`
  return user
}

const resend = async (user: TestUser) =>
  await call('POST', '/api/auth/resend-confirmation', { headers: authorizationHeader(user) })
/** Returns the token in the newest of `count` confirmation emails to an address. */
async function tokenSentTo(email: string, count = 1, mailSubject = subject): Promise<string> {
  const { text } = await waitForMail(email, count, mailSubject)
  const link = /\/confirm-email\?token=([\w-]{43})/.exec(text)
  return link?.[1] ?? ''
}
const confirm = async (token: string) => await call('POST', '/api/auth/confirm-email', { body: { token } })
const expectInvalid = async (token: string) => {
  const response = await confirm(token)
  expect([response.status, await response.json()]).toEqual([
    400,
    { message: emailLinkInvalid, code: 'email_token_invalid', errors: { token: [emailLinkInvalid] } },
  ])
}

describe('registration', () => {
  it('sends a link that confirms the address once, on any device, without signing anybody in', async () => {
    const form = await registrationForm()
    const { body } = await registerWithoutRateLimit(() =>
      visitor.post('/api/auth/register', RegisterResponse, form, 201),
    )
    expect(body.user).toMatchObject({ emailConfirmed: false, onboarded: false, pendingEmail: null })
    const mail = await waitForMail(form.email, 1, subject)
    expect(mail.text).toContain(`${stack.apiUrl}/confirm-email?token=`)
    const token = await tokenSentTo(form.email)
    const { session } = await signInViaApi(form.email, form.password)
    const owner = { ...newcomer, id: body.user.id, token: session.access_token }

    const response = await confirm(token)
    expect(response.headers.get('Set-Cookie')).toBeNull()
    expect([response.status, ConfirmEmailResponse.parse(await response.json())]).toEqual([
      200,
      { email: form.email },
    ])
    expect(await getOwnUser(owner)).toMatchObject({ emailConfirmed: true, email: form.email })
    await expectInvalid(token)
    // The address has not changed, so no other email is sent.
    expect(await fetchMails(form.email)).toHaveLength(1)
    await sql`delete from auth.users where id = ${owner.id}`
  })

  it('succeeds even if the confirmation link cannot be stored; the user can request another one', async () => {
    const form = await registrationForm()
    await sql.unsafe(`
      alter table private.email_changes add constraint refuse_address check (email <> '${form.email}') not valid`)
    const { body } = await registerWithoutRateLimit(() =>
      visitor.post('/api/auth/register', RegisterResponse, form, 201),
    ).finally(() => sql`alter table private.email_changes drop constraint refuse_address`)
    const { session } = await signInViaApi(form.email, form.password)
    expect((await resend({ ...newcomer, token: session.access_token })).status).toBe(204)
    await waitForMail(form.email, 1, subject)
    await sql`delete from auth.users where id = ${body.user.id}`
  })

  it('treats the address as confirmed on a site that does not send mail', async () => {
    const form = await registrationForm({ recaptcha: 'none' })
    const response = await fetch(`${apiWithoutMail.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.77' },
      body: JSON.stringify(form),
    })
    const { user } = RegisterResponse.parse(await response.json())
    expect(user.emailConfirmed).toBe(true)
    await sql`delete from auth.users where id = ${user.id}`
    const refused = await fetch(`${apiWithoutMail.url}/api/auth/resend-confirmation`, {
      method: 'POST',
      headers: authorizationHeader(newcomer),
    })
    expect(refused.status).toBe(503)
  })
})

describe('an unconfirmed user', () => {
  const payoutMethod = { name: 'Main', details: { type: 'paypal', email: 'a@example.test' } }

  it('cannot sell or be paid, but can publish free posts, follow others and edit their own profile', async () => {
    const creator = await createUnconfirmed()
    const expectForbidden = async (method: 'PATCH' | 'POST', path: string, body: unknown) => {
      const { code } = await apiAs(creator).expectError(method, path, 403, { body })
      return code
    }
    expect(await expectForbidden('PATCH', '/api/profile', { isCreator: true })).toBe('email_unconfirmed')
    expect(await withCreatorProBilling(() => expectForbidden('POST', '/api/creator-pro', {}))).toBe(
      'email_unconfirmed',
    )
    await makeCreator(creator)
    const premium = { content: 'Paid', isPremium: true, premiumPrice: 5 }
    const product = {
      name: 'Print',
      description: 'A print',
      price: 5,
      storeUrl: 'https://shop.example',
      category: 'physical',
    }
    expect(await expectForbidden('POST', '/api/posts', premium)).toBe('email_unconfirmed')
    expect(await expectForbidden('POST', '/api/products', product)).toBe('email_unconfirmed')
    expect(await expectForbidden('POST', '/api/payouts/methods', payoutMethod)).toBe('email_unconfirmed')
    expect(await expectForbidden('POST', '/api/payouts', { amount: 50 })).toBe('email_unconfirmed')
    // Other users do not learn the reason.
    const { message } = await apiAs(stranger).expectError('POST', '/api/subscriptions', 403, {
      body: { creatorId: creator.id },
    })
    expect(message).toBe("This creator can't accept subscriptions right now.")
    await createPost(creator, 'Free')
    await apiAs(creator).post(`/api/users/${stranger.id}/follow`, FollowResponse)
    await apiAs(creator).patch('/api/profile', OwnUser, { bio: 'New here' })

    await sql`update public.accounts set email_confirmed_at = now() where user_id = ${creator.id}`
    await createPost(creator, { content: 'Paid', isPremium: true, premiumPrice: 5 })
  })

  it('can only message followers and people who wrote first', async () => {
    const canMessage = async (other: TestUser) =>
      (await apiAs(newcomer).get(`/api/users/${other.id}`, UserDetails)).body.canMessage
    expect([await canMessage(follower), await canMessage(stranger)]).toEqual([true, false])
    const body = { receiverId: stranger.id, content: 'Hi' }
    expect(await apiAs(newcomer).expectError('POST', '/api/messages', 403, { body })).toMatchObject({
      code: 'email_unconfirmed',
      message: "Confirm your email address before you message people who don't follow you.",
    })
    const direct = await call('POST', '/rest/v1/messages', {
      headers: { apikey: stack.publishableKey, ...authorizationHeader(newcomer) },
      body: { sender_id: newcomer.id, receiver_id: stranger.id, content: 'Hi' },
    })
    expect(direct.status).toBe(403)
    expect(
      await sql`select from public.conversations where user_low in (${newcomer.id}, ${stranger.id})
                     and user_high in (${newcomer.id}, ${stranger.id})`,
    ).toHaveLength(0)
    await sendMessage(newcomer, follower, 'Hi')
    await sendMessage(stranger, newcomer, 'Hi')
    await sendMessage(newcomer, stranger, 'Hi')
  })
})

describe('POST /api/auth/resend-confirmation', () => {
  it('sends a link that replaces the previous one, to the new address if an email change is pending', async () => {
    const user = await createUnconfirmed()
    expect((await resend(user)).status).toBe(204)
    const first = await tokenSentTo(user.email)
    // Saving the profile form with the same address keeps the link.
    await apiAs(user).patch('/api/profile', OwnUser, { email: user.email, bio: 'Hello' })
    expect((await getOwnUser(user)).pendingEmail).toBeNull()
    expect((await resend(user)).status).toBe(204)
    const second = await tokenSentTo(user.email, 2)
    await expectInvalid(first)

    const newEmail = `${randomUUID()}@example.test`
    expect((await apiAs(user).patch('/api/profile', OwnUser, { email: newEmail })).body).toMatchObject({
      email: user.email,
      pendingEmail: newEmail,
      emailConfirmed: false,
    })
    await expectInvalid(second)
    await tokenSentTo(newEmail, 1, 'Confirm your new email address')
    expect((await resend(user)).status).toBe(204)
    const third = await tokenSentTo(newEmail, 2, 'Confirm your new email address')
    expect((await confirm(third)).status).toBe(200)
    expect(await getOwnUser(user)).toMatchObject({
      email: newEmail,
      pendingEmail: null,
      emailConfirmed: true,
    })
    // An unconfirmed address may belong to somebody else, who must not learn the new one.
    expect((await fetchMails(user.email)).map((mail) => mail.subject)).toEqual([subject, subject])
  })

  it('replaces an expired link', async () => {
    const user = await createUnconfirmed()
    await resend(user)
    const expired = await tokenSentTo(user.email)
    await sql`update private.email_changes set created_at = now() - interval '24 hours 1 second'
              where user_id = ${user.id}`
    await expectInvalid(expired)
    await resend(user)
    expect((await confirm(await tokenSentTo(user.email, 2))).status).toBe(200)
  })

  it('requires a session, sends nothing to a confirmed address, and is limited per user and per address', async () => {
    await visitor.expectError('POST', '/api/auth/resend-confirmation', 401)
    expect((await resend(stranger)).status).toBe(204)
    expect(await sql`select from private.email_changes where user_id = ${stranger.id}`).toHaveLength(0)
    const [user, flooded] = [await createUnconfirmed(), await createUnconfirmed()]
    await exhaustRateLimit('email change', user.id, 5, '1 hour')
    expect((await resend(user)).status).toBe(429)
    // Even many accounts together cannot flood an address with emails.
    const exhaustAddress = (email: string) =>
      exhaustRateLimit('confirmation_mail', hash('sha256', email), 10, '1 hour')
    await exhaustAddress(flooded.email)
    expect((await resend(flooded)).status).toBe(429)
    const unusedEmail = `${randomUUID()}@example.test`
    await exhaustAddress(unusedEmail)
    await apiAs(stranger).expectError('PATCH', '/api/profile', 429, { body: { email: unusedEmail } })
  })
})

describe('an account that is read-only until the address is confirmed', () => {
  it('can request a link, correct the address and confirm it, and then write', async () => {
    const user = await createUnconfirmed()
    await sql`update public.accounts set read_only_reason = ${emailConfirmationRequired} where user_id = ${user.id}`
    expect((await getOwnUser(user)).readOnlyReason).toBe(emailConfirmationRequired)
    const body = { content: 'Too early' }
    const { code } = await apiAs(user).expectError('POST', '/api/posts', 403, { body })
    expect(code).toBe('account_read_only')
    expect((await resend(user)).status).toBe(204)
    await tokenSentTo(user.email)
    const email = `${randomUUID()}@example.test`
    await apiAs(user).expectError('PATCH', '/api/profile', 403, { body: { email, bio: 'Too early' } })
    expect((await apiAs(user).patch('/api/profile', OwnUser, { email })).body.pendingEmail).toBe(email)
    expect((await confirm(await tokenSentTo(email, 1, 'Confirm your new email address'))).status).toBe(200)
    expect(await getOwnUser(user)).toMatchObject({ email, emailConfirmed: true, readOnlyReason: null })
    await createPost(user, 'Now')
  })

  it('differs from a suspended account, whose address cannot be changed', async () => {
    const user = await createUnconfirmed()
    await sql`update public.accounts set suspended_at = now(), suspension_reason = 'Spam' where user_id = ${user.id}`
    const body = { email: `${randomUUID()}@example.test` }
    await apiAs(user).expectError('PATCH', '/api/profile', 403, { body })
  })
})

describe('onboarding', () => {
  it('is marked as finished for the account, and repeating the request succeeds', async () => {
    expect((await getOwnUser(newcomer)).onboarded).toBe(false)
    for (const status of [204, 204]) {
      const response = await call('POST', '/api/user/onboarded', {
        headers: authorizationHeader(newcomer),
      })
      expect(response.status).toBe(status)
    }
    expect((await getOwnUser(newcomer)).onboarded).toBe(true)
    await visitor.expectError('POST', '/api/user/onboarded', 401)
  })

  it('suggests people by topic', async () => {
    const tag = `t${randomUUID().slice(0, 8)}`
    const [writer, creator, hidden] = await Promise.all([createUser(), createUser(), createUser()])
    await makeCreator(creator)
    await Promise.all([writer, creator, hidden, newcomer].map((user) => createPost(user, `About #${tag}`)))
    await createPost(writer, `More about #${tag}`)
    await sql`update public.profiles set content_discoverable = false where id = ${hidden.id}`
    const path = `/api/topics/${tag.toUpperCase()}/people`
    const { body } = await apiAs(newcomer).get(path, z.array(User))
    expect(body.map(({ id }) => id)).toEqual([creator.id, writer.id])
    await visitor.expectError('GET', path, 401)
    expect((await apiAs(newcomer).get('/api/topics/nobodywrites/people', z.array(User))).body).toEqual([])
  })
})
