import { ErrorBody } from '@contract/common.ts'
import { ChatMessage } from '@contract/message.ts'
import { Post } from '@contract/post.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs, getStatus } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import type { StripeEvent } from '../support/fake-stripe-types.ts'
import { clearRateLimits, sql } from '../support/stack.ts'
import {
  listPayments,
  type StripeFixture,
  startStripeFixture,
  stripeLockTimeoutMs,
} from '../support/stripe-fixture.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

let stripeFixture: StripeFixture
let author: TestUser
let fan: TestUser

beforeAll(async () => {
  ;({ author, fan } = await createUsers('author', 'fan'))
  await makeCreator(author)
  stripeFixture = await startStripeFixture()
}, stripeLockTimeoutMs)
afterAll(() => stripeFixture.stop())

const createPremiumPost = async (price: number) =>
  (await createPost(author, { content: 'Paid for', isPremium: true, premiumPrice: price })).id
const unlockPath = (postId: string) => `/api/posts/${postId}/unlock`
const isUnlocked = async (user: TestUser, postId: string) =>
  !(await apiAs(user).get(`/api/posts/${postId}`, Post)).body.locked
const paymentsFor = async (postId: string) => {
  const rows = await sql<{ state: string; booked: string }[]>`
    select p.state, (select count(*) from public.ledger_transactions t where t.payment_id = p.id) as booked
    from public.payments p where p.post_id = ${postId} order by p.created_at`
  return rows.map(({ state, booked }) => `${state} ${booked}`)
}
const statusAndCode = async (response: Response) => [
  response.status,
  ErrorBody.parse(await response.json()).code,
]
const lastEvent = (): StripeEvent => {
  const event = stripeFixture.stripe.state.events.at(-1)
  if (!event) throw new Error('Stripe has created no events')
  return event
}

describe('unlocking content through Stripe Checkout', () => {
  it('creates one session, redirects back, and unlocks once on repeated events', async () => {
    const { stripe } = stripeFixture
    const postId = await createPremiumPost(12.5)
    const [id, repeatedId] = await Promise.all([
      stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 12.5 }),
      stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 12.5 }),
    ])
    expect(repeatedId).toBe(id)
    expect(await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 12.5 })).toBe(id)
    const session = stripe.state.session(id)
    const path = `/post/${postId}?checkout=`
    expect(session).toMatchObject({ amount_total: 1250, currency: 'usd', mode: 'payment' })
    expect([session.success_url, session.cancel_url].map((url) => url.slice(url.indexOf('/post')))).toEqual([
      `${path}done`,
      `${path}cancelled`,
    ])
    stripe.state.payCheckout(id)
    expect(await isUnlocked(fan, postId)).toBe(false)
    const event = lastEvent()
    const responses = await Promise.all([
      stripe.sendEvent(event),
      stripe.sendEvent(event),
      stripe.sendEvent(event),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([await isUnlocked(fan, postId), await paymentsFor(postId)]).toEqual([true, ['paid 1']])
    expect((await stripeFixture.call(fan, 'POST', unlockPath(postId), { amount: 12.5 })).status).toBe(200)
  })

  it('works for the photo of a message; the payment is refunded if the message was deleted first', async () => {
    const { stripe } = stripeFixture
    const sendPhoto = async () => {
      const { imageUrl } = await uploadImage(author)
      const body = { receiverId: fan.id, imageUrl, price: 8 }
      return (await apiAs(author).post('/api/messages', ChatMessage, body, 201)).body
    }
    const states = async (messageId: string) => {
      const rows = await sql<{ state: string }[]>`
        select state from public.payments where message_id = ${messageId}`
      return rows.map(({ state }) => state)
    }
    const [photo, deleted] = [await sendPhoto(), await sendPhoto()]
    const path = `/api/messages/${photo.id}/unlock`
    const id = await stripeFixture.createCheckout(fan, path, { amount: 8 })
    expect(await stripeFixture.createCheckout(fan, path, { amount: 8 })).toBe(id)
    const { success_url, amount_total } = stripe.state.session(id)
    expect(amount_total).toBe(800)
    expect(success_url.slice(success_url.indexOf('/messages'))).toBe(
      `/messages?user=${author.id}&message=${photo.id}&checkout=done`,
    )
    expect(await getStatus(fan, photo.imageUrl ?? '')).toBe(404)
    stripe.state.payCheckout(id)
    for (const response of [await stripe.sendEvent(lastEvent()), await stripe.sendEvent(lastEvent())]) {
      expect(response.status).toBe(200)
    }
    expect([await getStatus(fan, photo.imageUrl ?? ''), await states(photo.id)]).toEqual([200, ['paid']])

    const lateId = await stripeFixture.createCheckout(fan, `/api/messages/${deleted.id}/unlock`, {
      amount: 8,
    })
    await apiAs(author).expectNoContent('DELETE', `/api/messages/${deleted.id}`)
    stripe.state.payCheckout(lateId)
    await stripe.sendEvent(lastEvent())
    expect(await states(deleted.id)).toEqual(['void'])
    await stripeFixture.runPaymentsJob()
    const [payment] = await sql`select refunded_at from public.payments where message_id = ${deleted.id}`
    expect(payment?.refunded_at).not.toBeNull()
  })

  it('settles the payment of a completed session on the next call, before the webhook event arrives', async () => {
    const postId = await createPremiumPost(3)
    stripeFixture.stripe.state.payCheckout(
      await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 3 }),
    )
    const response = await stripeFixture.call(fan, 'POST', unlockPath(postId), { amount: 3 })
    expect([response.status, await isUnlocked(fan, postId)]).toEqual([200, true])
    await stripeFixture.stripe.sendPendingEvents()
    expect(await paymentsFor(postId)).toEqual(['paid 1'])
  })

  it('creates a new session after the old session has expired; the payment expires with the last session', async () => {
    const postId = await createPremiumPost(4)
    const first = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 4 })
    stripeFixture.stripe.state.expireCheckout(first)
    const second = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 4 })
    expect(second).not.toBe(first)
    // The late event about the first session has no effect.
    await stripeFixture.stripe.sendPendingEvents()
    expect(await paymentsFor(postId)).toEqual(['pending 0'])
    stripeFixture.stripe.state.expireCheckout(second)
    await stripeFixture.stripe.sendPendingEvents()
    expect(await paymentsFor(postId)).toEqual(['expired 0'])
    await stripeFixture.completeCheckout(fan, unlockPath(postId), { amount: 4 })
    expect(await paymentsFor(postId)).toEqual(['expired 0', 'paid 1'])
  })

  it.each([6, 4])(
    'creates a session for the new price of $%i after the buyer agrees to the price',
    async (price) => {
      const { state: stripeState } = stripeFixture.stripe
      const postId = await createPremiumPost(5)
      const id = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 5 })
      await sql`update public.posts set premium_price = ${price} where id = ${postId}`
      expect(
        await statusAndCode(await stripeFixture.call(fan, 'POST', unlockPath(postId), { amount: 5 })),
      ).toEqual([400, 'amount_mismatch'])
      const newSession = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: price })
      expect([stripeState.session(id).status, stripeState.session(newSession).amount_total]).toEqual([
        'expired',
        price * 100,
      ])
      stripeState.payCheckout(newSession)
      await stripeFixture.stripe.sendPendingEvents()
      expect([await isUnlocked(fan, postId), (await listPayments(fan)).at(-1)?.booked]).toEqual([
        true,
        [-price * 100, price * 100, -price * 10, price * 10],
      ])
    },
  )

  it('keeps the payment pending if the session for an old price expires before the new session is stored', async () => {
    const { state: stripeState, sendPendingEvents } = stripeFixture.stripe
    await clearRateLimits(fan.id, 'unlocks')
    const postId = await createPremiumPost(5)
    const id = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 5 })
    await sql`update public.posts set premium_price = 6 where id = ${postId}`
    // Recreates the state during a call that replaces the old session: the new price is stored, the new session is not.
    await sql`update public.payments set amount_cents = 600, fee_cents = 60 where post_id = ${postId}`
    stripeState.expireCheckout(id)
    await sendPendingEvents()
    expect(await paymentsFor(postId)).toEqual(['pending 0'])
    // The job expires the payment, because no new session was opened.
    await sql`update public.payments set created_at = now() - interval '2 hours' where post_id = ${postId}`
    await stripeFixture.runPaymentsJob()
    expect(await paymentsFor(postId)).toEqual(['expired 0'])
  })

  it('charges the old price if the buyer paid just before the price changed', async () => {
    const postId = await createPremiumPost(5)
    stripeFixture.stripe.state.payCheckout(
      await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 5 }),
    )
    await sql`update public.posts set premium_price = 6 where id = ${postId}`
    expect((await stripeFixture.call(fan, 'POST', unlockPath(postId), { amount: 6 })).status).toBe(200)
    await stripeFixture.stripe.sendPendingEvents()
    expect([await isUnlocked(fan, postId), (await listPayments(fan)).at(-1)?.booked]).toEqual([
      true,
      [-500, 500, -50, 50],
    ])
  })

  it('does not charge while Stripe is down, and succeeds on a retry', async () => {
    const postId = await createPremiumPost(7)
    stripeFixture.stripe.setDown(true)
    expect(
      await statusAndCode(await stripeFixture.call(fan, 'POST', unlockPath(postId), { amount: 7 })),
    ).toEqual([503, 'payment_failed'])
    stripeFixture.stripe.setDown(false)
    expect(await paymentsFor(postId)).toEqual(['pending 0'])
    stripeFixture.stripe.state.payCheckout(
      await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 7 }),
    )
    stripeFixture.stripe.setDown(true)
    const event = lastEvent()
    expect((await stripeFixture.stripe.sendEvent(event)).status).toBe(500)
    stripeFixture.stripe.setDown(false)
    expect((await stripeFixture.stripe.sendEvent(event)).status).toBe(200)
    expect([await isUnlocked(fan, postId), await paymentsFor(postId)]).toEqual([true, ['paid 1']])
  })

  it('is completed by the payments job if no webhook event arrives', async () => {
    const postId = await createPremiumPost(8)
    const id = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 8 })
    stripeFixture.stripe.state.payCheckout(id)
    await sql`update public.payments set created_at = now() - interval '2 hours' where post_id = ${postId}`
    expect(await stripeFixture.runPaymentsJob()).toMatchObject({ settled: 1, failed: 0 })
    expect([await isUnlocked(fan, postId), await paymentsFor(postId)]).toEqual([true, ['paid 1']])
  })
})

describe('POST /api/payments/webhook', () => {
  it('rejects forged, modified, old and oversized events, and ignores payments with a wrong amount or currency', async () => {
    const { stripe } = stripeFixture
    await clearRateLimits(fan.id, 'unlocks')
    const postId = await createPremiumPost(9)
    const id = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 9 })
    stripe.state.payCheckout(id)
    const event = lastEvent()
    const sixMinutesAgo = Math.floor(Date.now() / 1000) - 6 * 60
    for (const changes of [
      { secret: 'whsec_of_somebody_else' },
      { body: JSON.stringify({ ...event, type: 'charge.refunded' }) },
      { timestamp: sixMinutesAgo },
    ]) {
      expect(await statusAndCode(await stripe.sendEvent(event, changes))).toEqual([400, 'validation_failed'])
    }
    const unsigned = await fetch(`${stripeFixture.api.url}/api/payments/webhook`, {
      method: 'POST',
      body: JSON.stringify(event),
    })
    expect(await statusAndCode(unsigned)).toEqual([400, 'validation_failed'])
    const oversized = await fetch(`${stripeFixture.api.url}/api/payments/webhook`, {
      method: 'POST',
      body: 'x'.repeat(600_000),
    })
    expect(await statusAndCode(oversized)).toEqual([413, 'payload_too_large'])
    expect(await paymentsFor(postId)).toEqual(['pending 0'])

    const session = stripe.state.session(id)
    session.amount_total = 1
    expect((await stripe.sendEvent(event)).status).toBe(200)
    session.amount_total = 900
    session.currency = 'eur'
    expect((await stripe.sendEvent({ ...event, id: `${event.id}_again` })).status).toBe(200)
    expect([await isUnlocked(fan, postId), await paymentsFor(postId)]).toEqual([false, ['pending 0']])
    expect(stripeFixture.api.output()).toContain('payment_mismatch')
    session.currency = 'usd'
    expect((await stripe.sendEvent({ ...event, id: `${event.id}_right` })).status).toBe(200)
    expect(await isUnlocked(fan, postId)).toBe(true)
  })

  it('ignores unknown events, and returns 404 if Stripe is not configured', async () => {
    const { stripe } = stripeFixture
    const unknown = { ...lastEvent(), id: `evt_${crypto.randomUUID()}`, type: 'product.created' }
    expect((await stripe.sendEvent(unknown)).status).toBe(200)
    await apiAs(null).expectError('POST', '/api/payments/webhook', 404)
    await apiAs(fan).expectError('POST', '/api/billing/portal', 404)
  })
})

describe('refunds', () => {
  it('lock the post again regardless of the order of events, unless partial', async () => {
    const { stripe } = stripeFixture
    const postId = await createPremiumPost(10)
    const id = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 10 })
    const intent = stripe.state.payCheckout(id).payment_intent ?? ''
    const completed = lastEvent()
    stripe.state.refund(intent, 400)
    expect((await stripe.sendEvent(lastEvent())).status).toBe(200)
    stripe.state.refund(intent)
    // The event about the full refund arrives before the event about the payment.
    expect((await stripe.sendEvent(lastEvent())).status).toBe(200)
    expect([await isUnlocked(fan, postId), await paymentsFor(postId)]).toEqual([false, ['refunded 2']])
    expect((await stripe.sendEvent(completed)).status).toBe(200)
    expect([await isUnlocked(fan, postId), await paymentsFor(postId)]).toEqual([false, ['refunded 2']])
    expect((await listPayments(fan)).at(-1)?.booked.reduce((sum, cents) => sum + cents, 0)).toBe(0)
  })

  it('are issued for payments made after the post was deleted', async () => {
    const { stripe } = stripeFixture
    const postId = await createPremiumPost(11)
    const id = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 11 })
    await sql`delete from public.posts where id = ${postId}`
    const intent = stripe.state.payCheckout(id).payment_intent ?? ''
    await stripe.sendPendingEvents()
    expect(await paymentsFor(postId)).toEqual(['void 0'])
    expect(await stripeFixture.runPaymentsJob()).toMatchObject({ refunded: 1, failed: 0 })
    expect(stripe.state.refunds.filter(({ payment_intent }) => payment_intent === intent)).toEqual([
      { payment_intent: intent, amount: 1100 },
    ])
    await stripe.sendPendingEvents()
    expect([await paymentsFor(postId), (await stripeFixture.runPaymentsJob()).refunded]).toEqual([
      ['void 0'],
      0,
    ])
  })

  it('that fail do not delay other refunds', async () => {
    const { state: stripeState, sendPendingEvents } = stripeFixture.stripe
    const payForDeletedPost = async () => {
      const postId = await createPremiumPost(11)
      const id = await stripeFixture.createCheckout(fan, unlockPath(postId), { amount: 11 })
      await sql`delete from public.posts where id = ${postId}`
      const intent = stripeState.payCheckout(id).payment_intent ?? ''
      await sendPendingEvents()
      return intent
    }
    const setSettledAge = (intent: string, days: number) => sql`
      update public.payments set settled_at = now() - ${days} * interval '1 day' where provider_reference = ${intent}`
    const nextRefunds = async () =>
      (await sql`select reference from private.due_refunds(2)`).map(({ reference }) => reference)
    const first = await payForDeletedPost()
    stripeState.disputed.add(first)
    await setSettledAge(first, 2)
    expect(await stripeFixture.runPaymentsJob()).toMatchObject({ refunded: 0, failed: 1 })
    const second = await payForDeletedPost()
    await setSettledAge(second, 1)
    expect(await nextRefunds()).toEqual([second, first])
    stripeState.disputed.clear()
    expect([await stripeFixture.runPaymentsJob(), await nextRefunds()]).toMatchObject([
      { refunded: 2, failed: 0 },
      [],
    ])
    await sendPendingEvents()
  })
})

it("a tip is paid through one checkout session, which redirects back to the creator's profile", async () => {
  const tip = { id: crypto.randomUUID(), amount: 5, note: 'Thanks' }
  const path = `/api/users/${author.id}/tip`
  const id = await stripeFixture.createCheckout(fan, path, tip)
  expect(await stripeFixture.createCheckout(fan, path, tip)).toBe(id)
  expect(stripeFixture.stripe.state.session(id).success_url).toContain(
    `/profile/${author.username}?checkout=done`,
  )
  stripeFixture.stripe.state.payCheckout(id)
  await stripeFixture.stripe.sendPendingEvents()
  expect((await stripeFixture.call(fan, 'POST', path, tip)).status).toBe(200)
  expect((await listPayments(fan)).at(-1)).toEqual({
    kind: 'tip',
    state: 'paid',
    booked: [-500, 500, -50, 50],
  })
})

it('a customer that no longer exists at Stripe is replaced, and the new one is deleted with the account', async () => {
  const { customers } = stripeFixture.stripe.state
  const user = await createUser()
  const findCustomerIds = () =>
    [...customers.values()].filter(({ metadata }) => metadata.person === user.id).map(({ id }) => id)
  await stripeFixture.createCheckout(user, unlockPath(await createPremiumPost(2)), { amount: 2 })
  const [missingId] = findCustomerIds()
  customers.delete(missingId ?? '')
  await stripeFixture.createCheckout(user, unlockPath(await createPremiumPost(2)), { amount: 2 })
  const [replacementId] = findCustomerIds()
  expect(replacementId).not.toBe(missingId)
  const stored = await sql`select reference from private.payment_customers where user_id = ${user.id}`
  expect(stored).toEqual([{ reference: replacementId }])
  await stripeFixture.createCheckout(user, unlockPath(await createPremiumPost(2)), { amount: 2 })
  expect(findCustomerIds()).toEqual([replacementId])
  await sql`delete from auth.users where id = ${user.id}`
  expect(await stripeFixture.runPaymentsJob()).toMatchObject({ customersDeleted: 1, failed: 0 })
  expect(findCustomerIds()).toEqual([])
})

it('a payment uses the customer that a concurrent payment has stored', async () => {
  const { state: stripeState, calls } = stripeFixture.stripe
  const user = await createUser()
  const postId = await createPremiumPost(2)
  const { id } = stripeState.addCustomer(user.email, { person: user.id })
  calls.length = 0
  let session: Promise<string> | undefined
  await sql.begin(async (tx) => {
    await tx`insert into private.payment_customers (provider, user_id, reference) values ('stripe', ${user.id}, ${id})`
    session = stripeFixture.createCheckout(user, unlockPath(postId), { amount: 2 })
    await expect.poll(() => calls).toContain('POST /v1/customers')
  })
  expect(stripeState.session((await session) ?? '').customer).toBe(id)
})

it('a user has one Stripe customer, which is deleted with the account', async () => {
  const { state: stripeState } = stripeFixture.stripe
  const user = await createUser()
  const [first, second] = [await createPremiumPost(2), await createPremiumPost(2)]
  await Promise.all(
    [first, second].map((postId) => stripeFixture.createCheckout(user, unlockPath(postId), { amount: 2 })),
  )
  const customersOfUser = () =>
    [...stripeState.customers.values()].filter(({ metadata }) => metadata.person === user.id)
  expect(customersOfUser()).toMatchObject([{ email: user.email }])
  await sql`delete from auth.users where id = ${user.id}`
  expect(await stripeFixture.runPaymentsJob()).toMatchObject({ customersDeleted: 1, failed: 0 })
  expect([customersOfUser(), (await stripeFixture.runPaymentsJob()).customersDeleted]).toEqual([[], 0])
})
