import { WelcomeMessage } from '@contract/mass-message.ts'
import { ChatMessage } from '@contract/message.ts'
import { CreatorPro, PortalResponse } from '@contract/payment.ts'
import { Subscription } from '@contract/subscription.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { withCreatorProBilling } from '../support/creators.ts'
import type { StripeEvent } from '../support/fake-stripe-types.ts'
import { seededRandom } from '../support/random.ts'
import { runJob } from '../support/run-job.ts'
import { sql } from '../support/stack.ts'
import {
  listPayments,
  type StripeFixture,
  startStripeFixture,
  stripeLockTimeoutMs,
} from '../support/stripe-fixture.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

let stripeFixture: StripeFixture
let creator: TestUser

beforeAll(async () => {
  ;({ creator } = await createUsers('creator'))
  await makeCreator(creator)
  stripeFixture = await startStripeFixture()
}, stripeLockTimeoutMs)
afterAll(() => stripeFixture.stop())

const paidMonth = { kind: 'subscription', state: 'paid', booked: [-999, 999, -100, 100] }
const refundedMonth = {
  ...paidMonth,
  state: 'refunded',
  booked: [-999, 999, -100, 100, 999, -999, 100, -100],
}
const subscriptionsOf = async (user: TestUser) =>
  (await apiAs(user).get('/api/user/subscriptions', z.array(Subscription))).body.map(
    ({ state, cancelled }) => ({
      state,
      cancelled,
    }),
  )
const subscribe = async (user: TestUser, to = creator) => {
  const id = await stripeFixture.completeCheckout(user, '/api/subscriptions', { creatorId: to.id })
  return stripeFixture.stripe.state.session(id).subscription ?? ''
}
const cancel = (user: TestUser) => stripeFixture.call(user, 'DELETE', `/api/subscriptions/${creator.id}`)
const periods = async (user: TestUser) =>
  (
    await sql<{ periods: number }[]>`
    select s.periods from public.subscriptions s where s.subscriber_id = ${user.id} order by s.created_at`
  ).map((row) => row.periods)
/** Returns the events that Stripe created after the first `eventCount` events, without sending them. */
const eventsAfter = (eventCount: number): StripeEvent[] => stripeFixture.stripe.state.events.slice(eventCount)
const waitUntil = async (condition: () => boolean) => {
  for (let tries = 0; !condition() && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(condition()).toBe(true)
}

describe('a subscription through Stripe', () => {
  it('is billed monthly, can be cancelled and resumed through the API, and can be cancelled at Stripe', async () => {
    const { state: stripeState } = stripeFixture.stripe
    const fan = await createUser()
    const id = await subscribe(fan)
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: false }])
    stripeState.renew(id)
    await stripeFixture.stripe.sendPendingEvents()
    expect([await listPayments(fan), await periods(fan)]).toEqual([[paidMonth, paidMonth], [2]])

    expect((await cancel(fan)).status).toBe(204)
    await waitUntil(() => stripeState.subscription(id).cancel_at_period_end)
    await stripeFixture.stripe.sendPendingEvents()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: true }])
    const resumed = await stripeFixture.call(fan, 'POST', '/api/subscriptions', { creatorId: creator.id })
    expect(resumed.status).toBe(200)
    await waitUntil(() => !stripeState.subscription(id).cancel_at_period_end)
    await stripeFixture.stripe.sendPendingEvents()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: false }])

    const portal = await stripeFixture.call(fan, 'POST', '/api/billing/portal')
    expect(PortalResponse.parse(await portal.json()).url).toContain(`${stripeFixture.stripe.url}/portal/`)
    stripeState.setCancelAtPeriodEnd(id, true)
    await stripeFixture.stripe.sendPendingEvents()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: true }])
    stripeState.cancelNow(id)
    await stripeFixture.stripe.sendPendingEvents()
    expect([await subscriptionsOf(fan), await listPayments(fan)]).toEqual([
      [{ state: 'ended', cancelled: true }],
      [paidMonth, paidMonth],
    ])
  })

  it('sends the welcome message once, even if events are repeated while the job runs', async () => {
    const { stripe } = stripeFixture
    const { welcomingCreator, fan } = await createUsers('welcomingCreator', 'fan')
    await makeCreator(welcomingCreator)
    await apiAs(welcomingCreator).put('/api/messages/welcome', WelcomeMessage, { content: 'Welcome!' })
    const listMessages = async () =>
      (await apiAs(fan).get(`/api/messages/${welcomingCreator.id}`, z.array(ChatMessage))).body
    const eventCount = stripe.state.events.length
    const checkoutId = await stripeFixture.createCheckout(fan, '/api/subscriptions', {
      creatorId: welcomingCreator.id,
    })
    const id = stripe.state.payCheckout(checkoutId).subscription ?? ''
    const events = eventsAfter(eventCount)
    await Promise.all([
      ...[...events, ...events].map((event) => stripe.sendEvent(event)),
      runJob('mass-messages'),
    ])
    await expect.poll(listMessages).toMatchObject([{ content: 'Welcome!', senderId: welcomingCreator.id }])
    stripe.state.renew(id)
    await stripe.sendPendingEvents()
    expect(await periods(fan)).toEqual([2])
    await runJob('mass-messages')
    expect(await listMessages()).toHaveLength(1)
  })

  it('stays active through the grace period, and the job resends a cancellation that Stripe missed', async () => {
    const { stripe } = stripeFixture
    const fan = await createUser()
    const id = await subscribe(fan)
    stripe.state.failRenewal(id)
    await stripe.sendPendingEvents()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: false }])
    stripe.setDown(true)
    expect((await cancel(fan)).status).toBe(204)
    expect(await stripeFixture.runPaymentsJob()).toMatchObject({ pushed: 0 })
    // Stripe sends an event before it receives the cancellation. The event must not undo the cancellation.
    stripe.setDown(false)
    stripe.state.renew(id)
    await stripe.sendPendingEvents()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: true }])
    await stripeFixture.runPaymentsJob()
    expect(stripe.state.subscription(id).cancel_at_period_end).toBe(true)
    expect(await listPayments(fan)).toEqual([paidMonth, paidMonth])
  })

  it('is renewed and ended by the job if the events never arrive', async () => {
    const { state: stripeState } = stripeFixture.stripe
    const fan = await createUser()
    const id = await subscribe(fan)
    const eventCount = stripeState.events.length
    stripeState.renew(id)
    await sql`update public.subscriptions set started_at = now() - interval '1 month 2 hours',
                period_end = now() - interval '2 hours' where subscriber_id = ${fan.id}`
    await stripeFixture.runPaymentsJob()
    expect([await listPayments(fan), await periods(fan)]).toEqual([[paidMonth, paidMonth], [2]])
    stripeState.cancelNow(id)
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: false }])
    // Stripe rejects the cancellation of an ended subscription, so the job ends the stored subscription too.
    expect((await cancel(fan)).status).toBe(204)
    await stripeFixture.runPaymentsJob()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'ended', cancelled: true }])
    for (const lateEvent of eventsAfter(eventCount))
      expect((await stripeFixture.stripe.sendEvent(lateEvent)).status).toBe(200)
    expect([await subscriptionsOf(fan), await listPayments(fan)]).toEqual([
      [{ state: 'ended', cancelled: true }],
      [paidMonth, paidMonth],
    ])
  })

  it('ends at Stripe after account deletion, with later charges refunded, and is cancelled after a block', async () => {
    const { state: stripeState } = stripeFixture.stripe
    const [deletedFan, blockedFan] = [await createUser(), await createUser()]
    const [endingId, cancelledId] = [await subscribe(deletedFan), await subscribe(blockedFan)]
    await apiAs(creator).post(`/api/users/${blockedFan.id}/block`, BlockResponse)
    await sql`delete from auth.users where id = ${deletedFan.id}`
    const lateRenewal = stripeState.renew(endingId)
    await stripeFixture.stripe.sendPendingEvents()
    await stripeFixture.runPaymentsJob()
    expect(stripeState.subscription(endingId).status).toBe('canceled')
    expect(stripeState.subscription(cancelledId)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
    })
    expect(await listPayments(deletedFan)).toEqual([
      paidMonth,
      { kind: 'subscription', state: 'void', booked: [] },
    ])
    expect(stripeState.refunds.at(-1)).toEqual({
      payment_intent: stripeState.paymentIntentOf(lateRenewal.id),
      amount: 999,
    })
    await stripeFixture.stripe.sendPendingEvents()
  })

  it('is neither started nor renewed after its creator stops being a creator', async () => {
    const { state: stripeState } = stripeFixture.stripe
    const { formerCreator, fan, lateFan } = await createUsers('formerCreator', 'fan', 'lateFan')
    await makeCreator(formerCreator)
    const id = await subscribe(fan, formerCreator)
    const checkoutId = await stripeFixture.createCheckout(lateFan, '/api/subscriptions', {
      creatorId: formerCreator.id,
    })
    await sql`update public.profiles set is_creator = false where id = ${formerCreator.id}`
    const startedId = stripeState.payCheckout(checkoutId).subscription ?? ''
    const renewal = stripeState.renew(id)
    await stripeFixture.stripe.sendPendingEvents()
    await sql`update public.subscriptions set period_end = now() + interval '12 hours' where subscriber_id = ${fan.id}`
    await sql`select private.cancel_unrenewable_subscriptions(100)`
    await stripeFixture.runPaymentsJob()
    const voided = { kind: 'subscription', state: 'void', booked: [] }
    expect([await listPayments(fan), await periods(fan)]).toEqual([[paidMonth, voided], [1]])
    expect([await listPayments(lateFan), await subscriptionsOf(lateFan)]).toEqual([[voided], []])
    expect([
      stripeState.subscription(startedId).status,
      stripeState.subscription(id).cancel_at_period_end,
    ]).toEqual(['canceled', true])
    expect(stripeState.refunds.map(({ payment_intent }) => payment_intent)).toContain(
      stripeState.paymentIntentOf(renewal.id),
    )
    await stripeFixture.stripe.sendPendingEvents()
  })

  it('voids its delayed payment if cancelled before that payment fails', async () => {
    const fan = await createUser()
    const checkoutId = await stripeFixture.createCheckout(fan, '/api/subscriptions', {
      creatorId: creator.id,
    })
    expect((await cancel(fan)).status).toBe(204)
    stripeFixture.stripe.state.failAsyncPayment(checkoutId)
    await stripeFixture.stripe.sendPendingEvents()
    expect(await stripeFixture.runPaymentsJob()).toMatchObject({ refunded: 1, failed: 0 })
    expect((await stripeFixture.runPaymentsJob()).refunded).toBe(0)
    expect(await listPayments(fan)).toEqual([{ kind: 'subscription', state: 'void', booked: [] }])
  })

  it("locks the creator's counts before the creator's balance when it ends right after its renewal", async () => {
    const { state: stripeState } = stripeFixture.stripe
    const fan = await createUser()
    const id = await subscribe(fan)
    stripeState.renew(id)
    stripeState.cancelNow(id)
    let sent: Promise<void> = Promise.resolve()
    await sql.begin(async (tx) => {
      await tx`select from public.profile_counts where user_id = ${creator.id} for update`
      sent = stripeFixture.stripe.sendPendingEvents()
      sent.catch(() => undefined)
      const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      await expect
        .poll(
          () => sql`select from pg_stat_activity where ${backend?.pid ?? 0} = any (pg_blocking_pids(pid))`,
        )
        .toHaveLength(1)
      // The event handler waits for the counts and has not locked the balance yet. The first payment of a subscription
      // takes both locks in the same order as this transaction.
      await tx`select from public.creator_balances where user_id = ${creator.id} for update nowait`
    })
    await sent
    expect([await subscriptionsOf(fan), await listPayments(fan)]).toEqual([
      [{ state: 'ended', cancelled: false }],
      [paidMonth, paidMonth],
    ])
  })

  it('voids its payment and expires the checkout session if cancelled before the payment', async () => {
    const fan = await createUser()
    const checkoutId = await stripeFixture.createCheckout(fan, '/api/subscriptions', {
      creatorId: creator.id,
    })
    expect((await cancel(fan)).status).toBe(204)
    await stripeFixture.runPaymentsJob()
    expect(stripeFixture.stripe.state.session(checkoutId).status).toBe('expired')
    await stripeFixture.stripe.sendPendingEvents()
    expect(await listPayments(fan)).toEqual([{ kind: 'subscription', state: 'void', booked: [] }])
  })
})

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const remaining = [...items]
  return items.flatMap(() => remaining.splice(Math.floor(random() * remaining.length), 1))
}

describe('webhook events in random order', () => {
  it.each([1, 2, 3, 4])('lead to the same result when repeated and concurrent (seed %i)', async (seed) => {
    const { stripe } = stripeFixture
    const random = seededRandom(seed)
    const fan = await createUser()
    const checkoutId = await stripeFixture.createCheckout(fan, '/api/subscriptions', {
      creatorId: creator.id,
    })
    const eventCount = stripe.state.events.length
    const id = stripe.state.payCheckout(checkoutId).subscription ?? ''
    stripe.state.renew(id)
    const third = stripe.state.renew(id)
    stripe.state.setCancelAtPeriodEnd(id, true)
    stripe.state.refund(stripe.state.paymentIntentOf(third.id))
    stripe.state.cancelNow(id)
    const events = eventsAfter(eventCount)
    const shuffledEvents = shuffled([...events, ...events], random)
    while (shuffledEvents.length > 0) {
      const responses = await Promise.all(
        shuffledEvents.splice(0, 1 + Math.floor(random() * 3)).map((event) => stripe.sendEvent(event)),
      )
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    }
    expect([await subscriptionsOf(fan), await periods(fan)]).toEqual([
      [{ state: 'ended', cancelled: false }],
      [3],
    ])
    expect(await listPayments(fan)).toEqual([paidMonth, paidMonth, refundedMonth])
  })
})

describe('a subscription for several months through Stripe', () => {
  const paidPeriod = { kind: 'subscription', state: 'paid', booked: [-2547, 2547, -255, 255] }
  const voidPayment = { kind: 'subscription', state: 'void', booked: [] }
  const subscriptionBody = (months: number, amount: number) => ({ creatorId: creator.id, months, amount })
  beforeAll(
    () => sql`
      update public.profile_details set quarterly_discount = 15, half_yearly_discount = 20
      where user_id = ${creator.id}`,
  )

  it('is billed every three months, and can be cancelled, resumed and refunded', async () => {
    const { stripe } = stripeFixture
    const fan = await createUser()
    const checkoutId = await stripeFixture.createCheckout(
      fan,
      '/api/subscriptions',
      subscriptionBody(3, 25.47),
    )
    expect(stripe.state.session(checkoutId)).toMatchObject({ amount_total: 2547, interval_count: 3 })
    // A repeated request returns the same checkout session.
    expect(await stripeFixture.createCheckout(fan, '/api/subscriptions', subscriptionBody(3, 25.47))).toBe(
      checkoutId,
    )
    const id = stripe.state.payCheckout(checkoutId).subscription ?? ''
    await stripe.sendPendingEvents()
    stripe.state.renew(id, 999)
    await stripe.sendPendingEvents()
    expect([await listPayments(fan), await periods(fan)]).toEqual([[paidPeriod], [3]])
    const renewal = stripe.state.renew(id, 2547)
    await stripe.sendPendingEvents()
    expect([await listPayments(fan), await periods(fan)]).toEqual([[paidPeriod, paidPeriod], [6]])
    expect(
      await sql`select period_end = started_at + interval '6 months' as exact from public.subscriptions
                where subscriber_id = ${fan.id}`,
    ).toEqual([{ exact: true }])
    await cancel(fan)
    await waitUntil(() => stripe.state.subscription(id).cancel_at_period_end)
    const resumed = await stripeFixture.call(fan, 'POST', '/api/subscriptions', { creatorId: creator.id })
    expect(resumed.status).toBe(200)
    await waitUntil(() => !stripe.state.subscription(id).cancel_at_period_end)
    stripe.state.refund(stripe.state.paymentIntentOf(renewal.id))
    await stripe.sendPendingEvents()
    await stripeFixture.runPaymentsJob()
    expect([await subscriptionsOf(fan), stripe.state.subscription(id).status]).toEqual([
      [{ state: 'ended', cancelled: false }],
      'canceled',
    ])
  })

  it('replaces a paid one of another length, which is refunded and ended', async () => {
    const { stripe } = stripeFixture
    const fan = await createUser()
    const monthly = await stripeFixture.createCheckout(fan, '/api/subscriptions', { creatorId: creator.id })
    const paid = stripe.state.payCheckout(monthly)
    const threeMonths = await stripeFixture.completeCheckout(
      fan,
      '/api/subscriptions',
      subscriptionBody(3, 25.47),
    )
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: false }])
    await stripeFixture.runPaymentsJob()
    expect(stripe.state.refunds.at(-1)).toEqual({
      payment_intent: stripe.state.paymentIntentOf(paid.invoice ?? ''),
      amount: 999,
    })
    const statusOf = (checkoutId: string) =>
      stripe.state.subscription(stripe.state.session(checkoutId).subscription ?? '').status
    expect([statusOf(monthly), statusOf(threeMonths)]).toEqual(['canceled', 'active'])
    expect(await listPayments(fan)).toEqual([voidPayment, paidPeriod])
  })

  it('replaces an unpaid one of another length, whose checkout session expires', async () => {
    const { state: stripeState } = stripeFixture.stripe
    const fan = await createUser()
    const replaced = await stripeFixture.createCheckout(fan, '/api/subscriptions', subscriptionBody(6, 47.95))
    const chosen = await stripeFixture.createCheckout(fan, '/api/subscriptions', subscriptionBody(3, 25.47))
    await stripeFixture.runPaymentsJob()
    expect([replaced, chosen].map((id) => stripeState.session(id).status)).toEqual(['expired', 'open'])
    stripeState.payCheckout(chosen)
    await stripeFixture.stripe.sendPendingEvents()
    expect([await listPayments(fan), await subscriptionsOf(fan)]).toEqual([
      [voidPayment, paidPeriod],
      [{ state: 'active', cancelled: false }],
    ])
  })
})

it('Creator Pro is started, renewed and ended by Stripe events', async () => {
  const { state: stripeState } = stripeFixture.stripe
  const user = await createUser()
  const plan = async () => (await stripeFixture.call(user, 'GET', '/api/creator-pro')).json()
  await withCreatorProBilling(async () => {
    const checkoutId = await stripeFixture.createCheckout(user, '/api/creator-pro')
    expect(stripeState.session(checkoutId)).toMatchObject({ amount_total: 1999, mode: 'subscription' })
    expect(stripeState.session(checkoutId).success_url).toContain('/settings/billing?checkout=done')
    expect(CreatorPro.parse(await plan())).toMatchObject({
      billing: true,
      price: 19.99,
      plan: { state: 'pending' },
    })
    const id = stripeState.payCheckout(checkoutId).subscription ?? ''
    await stripeFixture.stripe.sendPendingEvents()
    stripeState.renew(id)
    await stripeFixture.stripe.sendPendingEvents()
    expect(CreatorPro.parse(await plan())).toMatchObject({
      plan: { state: 'active', cancelled: false },
      portal: true,
    })
    expect((await stripeFixture.call(user, 'DELETE', '/api/creator-pro')).status).toBe(204)
    await waitUntil(() => stripeState.subscription(id).cancel_at_period_end)
    await stripeFixture.stripe.sendPendingEvents()
    expect(CreatorPro.parse(await plan()).plan?.cancelled).toBe(true)
    const isCreator = async () =>
      (await sql`select is_creator from public.profiles where id = ${user.id}`)[0]?.is_creator
    expect(await isCreator()).toBe(true)
    stripeState.cancelNow(id)
    await stripeFixture.stripe.sendPendingEvents()
    expect([CreatorPro.parse(await plan()).plan, await isCreator()]).toEqual([null, false])
    const paid = { kind: 'creator_pro', state: 'paid', booked: [-1999, 1999] }
    expect(await listPayments(user)).toEqual([paid, paid])
  })
})
