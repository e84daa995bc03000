import { Transaction } from '@contract/earnings.ts'
import { Notification } from '@contract/notification.ts'
import { SubscriptionOffer, TipResponse, TipState } from '@contract/payment.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

let creator: TestUser
let fan: TestUser
let other: TestUser
let blockedUser: TestUser

beforeAll(async () => {
  ;({ creator, fan, other, blockedUser } = await createUsers('creator', 'fan', 'other', 'blockedUser'))
  await makeCreator(creator, other)
  await apiAs(creator).post(`/api/users/${blockedUser.id}/block`, BlockResponse)
})

const tipPath = (user: TestUser) => `/api/users/${user.id}/tip`
const tip = async (from: TestUser, to: TestUser, body: object, status = 201) =>
  (await apiAs(from).post(tipPath(to), TipResponse, body, status)).body
const expectTipError = (from: TestUser | null, to: TestUser, status: number, body: unknown = { amount: 5 }) =>
  apiAs(from).expectError('POST', tipPath(to), status, { body })
const payments = (to: TestUser) => sql<{ id: string; state: string; amount: number; payer: string }[]>`
  select id, state, amount_cents as amount, payer_id as payer from public.payments
  where kind = 'tip' and payee_id = ${to.id} order by created_at`
const ledgerEntriesOf = (payment: string) => sql`
  select t.kind, e.account, e.label, e.user_id as person, e.amount_cents::int as amount
  from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
  where t.payment_id = ${payment} order by e.id`
const tipNotificationsOf = async (user: TestUser) =>
  (await apiAs(user).get('/api/notifications', z.array(Notification))).body.filter(
    ({ kind }) => kind === 'tip',
  )

describe('POST /api/users/:id/tip', () => {
  it('records the tip and the platform fee, and notifies the creator of the amount and the note', async () => {
    const id = crypto.randomUUID()
    const { id: postId } = await createPost(creator, 'Listen to this')
    const body = { id, amount: 12.5, note: '  For the encore  ', postId }
    expect(await tip(fan, creator, body)).toEqual({ tipped: true, amount: 12.5 })
    const person = creator.id
    expect(await ledgerEntriesOf(id)).toEqual([
      { kind: 'tip', account: 'processor', label: 'payment', person: null, amount: -1250 },
      { kind: 'tip', account: 'creator', label: 'sale', person, amount: 1250 },
      { kind: 'tip', account: 'creator', label: 'fee', person, amount: -125 },
      { kind: 'tip', account: 'platform', label: 'fee', person: null, amount: 125 },
    ])
    expect(await tipNotificationsOf(creator)).toMatchObject([
      { title: 'New tip', href: `/post/${postId}`, relatedUser: { id: fan.id } },
    ])
    expect((await tipNotificationsOf(creator))[0]?.message).toMatch(
      /sent you a tip of \$12\.50: For the encore/,
    )
    expect((await apiAs(fan).get(`/api/tips/${id}`, TipState)).body).toEqual({ state: 'paid', amount: 12.5 })
    const transactionsPath = '/api/earnings/transactions'
    const [row] = (await apiAs(creator).get(transactionsPath, z.array(Transaction))).body
    expect(row?.description).toMatch(/^Tip from .+ for “Listen to this”: “For the encore”$/)
    expect(row?.details).toEqual({
      buyerDeleted: false,
      post: { deleted: false, title: 'Listen to this' },
      note: 'For the encore',
    })
    const headers = authorizationHeader(creator)
    expect(await (await call('GET', `${transactionsPath}/export`, { headers })).text()).toContain(
      ' for “Listen to this”: “For',
    )
    // Only the sender can look up a tip.
    for (const user of [creator, other]) await apiAs(user).expectError('GET', `/api/tips/${id}`, 404)

    // Without an ID, each request is a new tip.
    await tip(fan, creator, { amount: 1 })
    await tip(fan, creator, { amount: 500 })
    expect((await payments(creator)).map(({ amount }) => amount)).toEqual([1250, 100, 50_000])
    expect((await tipNotificationsOf(creator)).map(({ href }) => href)).toContain(`/profile/${fan.username}`)
  })

  it('charges once for repeated and parallel requests with the same ID', async () => {
    const before = (await payments(creator)).length
    const id = crypto.randomUUID()
    const send = () =>
      call('POST', tipPath(creator), {
        body: { id, amount: 3 },
        headers: authorizationHeader(other),
      })
    const responses = await Promise.all(Array.from({ length: 8 }, send))
    expect(responses.every(({ status }) => status === 200 || status === 201)).toBe(true)
    expect(responses.some(({ status }) => status === 201)).toBe(true)
    // IDs are case-insensitive.
    expect(await tip(other, creator, { id: id.toUpperCase(), amount: 3 }, 200)).toEqual({
      tipped: true,
      amount: 3,
    })
    expect(await payments(creator)).toHaveLength(before + 1)
    expect(await ledgerEntriesOf(id)).toHaveLength(4)
    expect(
      (await tipNotificationsOf(creator)).filter(({ relatedUser }) => relatedUser?.id === other.id),
    ).toHaveLength(1)
    // The ID cannot be reused for another amount, creator or sender.
    await expectTipError(other, creator, 409, { id, amount: 4 })
    await expectTipError(fan, other, 409, { id, amount: 3 })
    await expectTipError(fan, creator, 409, { id, amount: 3 })
    await clearRateLimits(other.id, 'tips')
  })

  it('rejects invalid tips with a reason, without storing them', async () => {
    const before = await payments(creator)
    expect((await expectTipError(null, creator, 401, 'nonsense')).code).toBe('unauthorized')
    expect((await expectTipError(creator, creator, 400)).message).toBe("You can't tip yourself.")
    expect((await expectTipError(creator, fan, 403)).message).toBe('You can only tip creators.')
    // A block hides both users from each other.
    await makeCreator(blockedUser)
    for (const [sender, receiver] of [
      [blockedUser, creator],
      [creator, blockedUser],
    ] as const) {
      expect((await expectTipError(sender, receiver, 404)).message).toBe('User not found')
    }
    expect((await expectTipError(fan, { ...creator, id: crypto.randomUUID() }, 404)).message).toBe(
      'User not found',
    )
    for (const amount of [0.99, 500.01, 1.005, 0, -5, '5', null]) {
      expect((await expectTipError(fan, creator, 400, { amount })).errors, String(amount)).toHaveProperty(
        'amount',
      )
    }
    expect(
      (await expectTipError(fan, creator, 400, { amount: 5, note: 'x'.repeat(201) })).errors,
    ).toHaveProperty('note')
    const { id: otherPostId } = await createPost(other, 'Listen to this')
    for (const postId of [otherPostId, crypto.randomUUID()]) {
      expect((await expectTipError(fan, creator, 404, { amount: 5, postId })).message).toBe('Post not found')
    }

    const setVisibility = (visibility: string) =>
      sql`update public.profiles set visibility = ${visibility} where id = ${creator.id}`
    await setVisibility('private')
    expect((await expectTipError(fan, creator, 403)).message).toBe("You can't view this profile.")
    await setVisibility('followers')
    await expectTipError(fan, creator, 403)
    await setVisibility('public')
    const setReadOnly = (user: TestUser, reason: string | null) =>
      sql`update public.accounts set read_only_reason = ${reason} where user_id = ${user.id}`
    await setReadOnly(creator, 'under 18')
    expect((await expectTipError(fan, creator, 403)).message).toBe(
      "This creator can't receive tips right now.",
    )
    await setReadOnly(creator, null)
    await setReadOnly(fan, 'under 18')
    expect((await expectTipError(fan, creator, 403, { amount: 'much' })).code).toBe('account_read_only')
    await setReadOnly(fan, null)
    expect(await payments(creator)).toEqual(before)
  })

  it('is rate limited', async () => {
    await exhaustRateLimit('tips', other.id, 30, '1 minute')
    expect((await expectTipError(other, creator, 429)).code).toBe('rate_limited')
    await clearRateLimits(other.id, 'tips')
  })

  it('cannot be bypassed: the Data API rejects writes to payments', async () => {
    const row = { kind: 'tip', payer_id: fan.id, payee_id: creator.id, amount_cents: 500, fee_cents: 0 }
    const writeRow = (method: 'POST' | 'PATCH' | 'DELETE', where: string) =>
      call(method, `/rest/v1/payments${where}`, {
        headers: { apikey: stack.publishableKey, ...authorizationHeader(fan) },
        ...(method === 'DELETE'
          ? {}
          : { body: method === 'POST' ? { ...row, provider: 'test' } : { note: 'More' } }),
      })
    const before = await payments(creator)
    for (const [method, where] of [
      ['POST', ''],
      ['PATCH', `?payer_id=eq.${fan.id}`],
      ['DELETE', `?payer_id=eq.${fan.id}`],
    ] as const) {
      expect((await writeRow(method, where)).status, method).toBe(403)
    }
    expect(await payments(creator)).toEqual(before)
  })
})

describe('GET /api/users/:id/subscription-offer', () => {
  it('counts the posts that a subscription includes, if the creator is visible', async () => {
    const offer = (user: TestUser) =>
      apiAs(user).get(`/api/users/${creator.id}/subscription-offer`, SubscriptionOffer)
    expect((await offer(fan)).body).toEqual({ price: 9.99, posts: 0, lengths: [] })
    const body = { content: 'Paid', isPremium: true, premiumPrice: 5 }
    await createPost(creator, body)
    for (const _ of [1, 2]) await createPost(creator, { ...body, includedInSubscription: true })
    expect((await offer(fan)).body).toEqual({ price: 9.99, posts: 2, lengths: [] })
    const offerPath = `/api/users/${creator.id}/subscription-offer`
    await apiAs(null).expectError('GET', offerPath, 401)
    await apiAs(blockedUser).expectError('GET', offerPath, 404)
    await apiAs(fan).expectError('GET', `/api/users/${fan.id}/subscription-offer`, 400)
  })
})

describe('without a payment provider', () => {
  let apiWithoutPayments: FunctionServer
  beforeAll(async () => {
    apiWithoutPayments = await startApiServer({ PAYMENTS_PROVIDER: 'off' })
  })
  afterAll(() => apiWithoutPayments.stop())

  it('tipping fails after validation and stores no tip; paid tips stay paid', async () => {
    const id = crypto.randomUUID()
    await tip(fan, creator, { id, amount: 2 })
    const before = await payments(creator)
    const send = async (to: TestUser, body: object) => {
      const response = await fetch(`${apiWithoutPayments.url}${tipPath(to)}`, {
        method: 'POST',
        headers: { ...authorizationHeader(fan), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    expect(await send(creator, { amount: 2 })).toEqual([503, 'payment_failed'])
    expect(await send(fan, { amount: 2 })).toEqual([400, 'validation_failed'])
    expect(await send({ ...creator, id: crypto.randomUUID() }, { amount: 2 })).toEqual([404, 'not_found'])
    expect(await send(creator, { id, amount: 2 })).toEqual([200, undefined])
    expect(await payments(creator)).toEqual(before)
  })
})
