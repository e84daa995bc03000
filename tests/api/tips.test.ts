import { Transaction } from '@contract/earnings.ts'
import { Notification } from '@contract/notification.ts'
import { SubscriptionOffer, TipResponse, TipState } from '@contract/payment.ts'
import { Post } from '@contract/post.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let star: TestUser
let fan: TestUser
let other: TestUser
let foe: TestUser

beforeAll(async () => {
  ;({ star, fan, other, foe } = await createUsers('star', 'fan', 'other', 'foe'))
  await sql`update public.profiles set is_creator = true where id = any(${[star.id, other.id]}::uuid[])`
  await apiAs(star).post(`/api/users/${foe.id}/block`, BlockResponse)
})

const path = (who: TestUser) => `/api/users/${who.id}/tip`
const tip = async (from: TestUser, to: TestUser, body: object, status = 201) =>
  (await apiAs(from).post(path(to), TipResponse, body, status)).body
const refused = (from: TestUser | null, to: TestUser, status: number, body: unknown = { amount: 5 }) =>
  apiAs(from).expectError('POST', path(to), status, { body })
const writePost = async (author: TestUser) =>
  (await apiAs(author).post('/api/posts', Post, { content: 'Listen to this' }, 201)).body.id
const payments = (to: TestUser) => sql<{ id: string; state: string; amount: number; payer: string }[]>`
  select id, state, amount_cents as amount, payer_id as payer from public.payments
  where kind = 'tip' and payee_id = ${to.id} order by created_at`
const booked = (payment: string) => sql`
  select t.kind, e.account, e.label, e.person_id as person, e.amount_cents::int as amount
  from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
  where t.payment_id = ${payment} order by e.id`
const told = async (who: TestUser) =>
  (await apiAs(who).get('/api/notifications', z.array(Notification))).body.filter(
    ({ kind }) => kind === 'tip',
  )

describe('a tip', () => {
  it('is booked with the platform’s share, and told with its amount and note', async () => {
    const id = crypto.randomUUID()
    const post = await writePost(star)
    const body = { id, amount: 12.5, note: '  For the encore  ', postId: post }
    expect(await tip(fan, star, body)).toEqual({ tipped: true, amount: 12.5 })
    const person = star.id
    expect(await booked(id)).toEqual([
      { kind: 'tip', account: 'processor', label: 'payment', person: null, amount: -1250 },
      { kind: 'tip', account: 'creator', label: 'sale', person, amount: 1250 },
      { kind: 'tip', account: 'creator', label: 'fee', person, amount: -125 },
      { kind: 'tip', account: 'platform', label: 'fee', person: null, amount: 125 },
    ])
    expect(await told(star)).toMatchObject([
      { title: 'New tip', href: `/post/${post}`, relatedUser: { id: fan.id } },
    ])
    expect((await told(star))[0]?.message).toMatch(/sent you a tip of \$12\.50: For the encore/)
    expect((await apiAs(fan).get(`/api/tips/${id}`, TipState)).body).toEqual({ state: 'paid', amount: 12.5 })
    const rows = '/api/earnings/transactions'
    const [row] = (await apiAs(star).get(rows, z.array(Transaction))).body
    expect(row?.description).toMatch(/^Tip from .+ for “Listen to this”: “For the encore”$/)
    const headers = { Authorization: `Bearer ${star.token}` }
    expect(await (await call('GET', `${rows}/export`, { headers })).text()).toContain(
      ' for “Listen to this”: “For',
    )
    // Neither a stranger nor its receiver asks for it by its giver's id.
    for (const who of [star, other]) await apiAs(who).expectError('GET', `/api/tips/${id}`, 404)

    // Without an id of the caller's each call is a tip of its own.
    await tip(fan, star, { amount: 1 })
    await tip(fan, star, { amount: 500 })
    expect((await payments(star)).map(({ amount }) => amount)).toEqual([1250, 100, 50_000])
    expect((await told(star)).map(({ href }) => href)).toContain(`/profile/${fan.username}`)
  })

  it('is paid once, however often and at once it is sent', async () => {
    const before = (await payments(star)).length
    const id = crypto.randomUUID()
    const send = () =>
      call('POST', path(star), {
        body: { id, amount: 3 },
        headers: { Authorization: `Bearer ${other.token}` },
      })
    const answers = await Promise.all(Array.from({ length: 8 }, send))
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true)
    expect(answers.some(({ status }) => status === 201)).toBe(true)
    // In the other spelling it is the same id.
    expect(await tip(other, star, { id: id.toUpperCase(), amount: 3 }, 200)).toEqual({
      tipped: true,
      amount: 3,
    })
    expect(await payments(star)).toHaveLength(before + 1)
    expect(await booked(id)).toHaveLength(4)
    expect((await told(star)).filter(({ relatedUser }) => relatedUser?.id === other.id)).toHaveLength(1)
    // Not for another amount, another creator, or from somebody else.
    await refused(other, star, 409, { id, amount: 4 })
    await refused(fan, other, 409, { id, amount: 3 })
    await refused(fan, star, 409, { id, amount: 3 })
    await clearRateLimits(other.id, 'tips')
  })

  it('is refused with its reason, and then nothing is begun', async () => {
    const before = await payments(star)
    expect((await refused(null, star, 401, 'nonsense')).code).toBe('unauthorized')
    expect((await refused(star, star, 400)).message).toBe('You cannot tip yourself.')
    expect((await refused(star, fan, 403)).message).toBe('Only creators can be tipped.')
    // Neither of a block knows of the other.
    await sql`update public.profiles set is_creator = true where id = ${foe.id}`
    for (const [one, two] of [
      [foe, star],
      [star, foe],
    ] as const) {
      expect((await refused(one, two, 404)).message).toBe('User not found')
    }
    expect((await refused(fan, { ...star, id: crypto.randomUUID() }, 404)).message).toBe('User not found')
    for (const amount of [0.99, 500.01, 1.005, 0, -5, '5', null]) {
      expect((await refused(fan, star, 400, { amount })).errors, String(amount)).toHaveProperty('amount')
    }
    expect((await refused(fan, star, 400, { amount: 5, note: 'x'.repeat(201) })).errors).toHaveProperty(
      'note',
    )
    const elsewhere = await writePost(other)
    for (const postId of [elsewhere, crypto.randomUUID()]) {
      expect((await refused(fan, star, 404, { amount: 5, postId })).message).toBe('Post not found')
    }

    const show = (visibility: string) =>
      sql`update public.profiles set visibility = ${visibility} where id = ${star.id}`
    await show('private')
    expect((await refused(fan, star, 403)).message).toBe('This profile is not open to you.')
    await show('followers')
    await refused(fan, star, 403)
    await show('public')
    const restrict = (who: TestUser, reason: string | null) =>
      sql`update public.accounts set read_only_reason = ${reason} where user_id = ${who.id}`
    await restrict(star, 'under 18')
    expect((await refused(fan, star, 403)).message).toBe('This creator cannot be tipped at the moment.')
    await restrict(star, null)
    await restrict(fan, 'under 18')
    expect((await refused(fan, star, 403, { amount: 'much' })).code).toBe('account_read_only')
    await restrict(fan, null)
    expect(await payments(star)).toEqual(before)
  })

  it('is limited', async () => {
    await exhaustRateLimit('tips', other.id, 30, '1 minute')
    expect((await refused(other, star, 429)).code).toBe('rate_limited')
    await clearRateLimits(other.id, 'tips')
  })

  it('is written by no other door', async () => {
    const row = { kind: 'tip', payer_id: fan.id, payee_id: star.id, amount_cents: 500, fee_cents: 0 }
    const write = (method: 'POST' | 'PATCH' | 'DELETE', where: string) =>
      call(method, `/rest/v1/payments${where}`, {
        headers: { apikey: stack.publishableKey, Authorization: `Bearer ${fan.token}` },
        ...(method === 'DELETE'
          ? {}
          : { body: method === 'POST' ? { ...row, provider: 'test' } : { note: 'More' } }),
      })
    const before = await payments(star)
    for (const [method, where] of [
      ['POST', ''],
      ['PATCH', `?payer_id=eq.${fan.id}`],
      ['DELETE', `?payer_id=eq.${fan.id}`],
    ] as const) {
      expect((await write(method, where)).status, method).toBe(403)
    }
    expect(await payments(star)).toEqual(before)
  })
})

describe('what a subscription opens', () => {
  it('is counted as it is, for who may see the creator', async () => {
    const offer = (who: TestUser) =>
      apiAs(who).get(`/api/users/${star.id}/subscription-offer`, SubscriptionOffer)
    expect((await offer(fan)).body).toEqual({ price: 9.99, posts: 0 })
    const body = { content: 'Paid', isPremium: true, premiumPrice: 5 }
    await apiAs(star).post('/api/posts', Post, body, 201)
    for (const _ of [1, 2])
      await apiAs(star).post('/api/posts', Post, { ...body, includedInSubscription: true }, 201)
    expect((await offer(fan)).body).toEqual({ price: 9.99, posts: 2 })
    const at = `/api/users/${star.id}/subscription-offer`
    await apiAs(null).expectError('GET', at, 401)
    await apiAs(foe).expectError('GET', at, 404)
    await apiAs(fan).expectError('GET', `/api/users/${fan.id}/subscription-offer`, 400)
  })
})

describe('where no payments are taken', () => {
  let off: FunctionServer
  beforeAll(async () => {
    off = await startApiServer({ PAYMENTS_PROVIDER: 'off' })
  })
  afterAll(() => off.stop())

  it('reasons come first, nothing is begun, and what was paid stays paid', async () => {
    const id = crypto.randomUUID()
    await tip(fan, star, { id, amount: 2 })
    const before = await payments(star)
    const send = async (to: TestUser, body: object) => {
      const response = await fetch(`${off.url}${path(to)}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${fan.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    expect(await send(star, { amount: 2 })).toEqual([503, 'payment_failed'])
    expect(await send(fan, { amount: 2 })).toEqual([400, 'validation_failed'])
    expect(await send({ ...star, id: crypto.randomUUID() }, { amount: 2 })).toEqual([404, 'not_found'])
    expect(await send(star, { id, amount: 2 })).toEqual([200, undefined])
    expect(await payments(star)).toEqual(before)
  })
})
