import { CreatorPro, PortalResponse } from '@contract/payment.ts'
import { Subscription } from '@contract/subscription.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { makeCreator, withCreatorProBilling } from '../support/creators.ts'
import type { StripeEvent } from '../support/fake-stripe-types.ts'
import { sql } from '../support/stack.ts'
import {
  listPayments,
  type StripeFixture,
  startStripeFixture,
  stripeLockTimeoutMs,
} from '../support/stripe-fixture.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

let stripeFixture: StripeFixture
let creator: TestUser

beforeAll(async () => {
  ;({ creator } = await createUsers('creator'))
  await makeCreator(creator)
  stripeFixture = await startStripeFixture()
}, stripeLockTimeoutMs)
afterAll(() => stripeFixture.stop())

const paidMonth = { kind: 'subscription', state: 'paid', booked: [-999, 999, -100, 100] }
const refunded = { ...paidMonth, state: 'refunded', booked: [-999, 999, -100, 100, 999, -999, 100, -100] }
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
/** Returns the events that Stripe created after the first `before`, without sending them. */
const eventsSince = (before: number): StripeEvent[] => stripeFixture.stripe.state.events.slice(before)
const waitUntil = async (condition: () => boolean) => {
  for (let tries = 0; !condition() && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(condition()).toBe(true)
}

describe('a subscription through Stripe', () => {
  it('is charged monthly, can be cancelled and resumed here, and cancelled at Stripe', async () => {
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

  it('stays active through the grace period, and the job sends Stripe a cancellation it missed', async () => {
    const { stripe } = stripeFixture
    const fan = await createUser()
    const id = await subscribe(fan)
    stripe.state.failRenewal(id)
    await stripe.sendPendingEvents()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: false }])
    stripe.setDown(true)
    expect((await cancel(fan)).status).toBe(204)
    expect(await stripeFixture.runPaymentsJob()).toMatchObject({ told: 0 })
    // Stripe sends an event before it knows about the cancellation: the local decision stays.
    stripe.setDown(false)
    stripe.state.renew(id)
    await stripe.sendPendingEvents()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: true }])
    await stripeFixture.runPaymentsJob()
    expect(stripe.state.subscription(id).cancel_at_period_end).toBe(true)
    expect(await listPayments(fan)).toEqual([paidMonth, paidMonth])
  })

  it('is updated by the job with a renewal and an end whose events never arrived', async () => {
    const { state: stripeState } = stripeFixture.stripe
    const fan = await createUser()
    const id = await subscribe(fan)
    const renewed = stripeState.events.length
    stripeState.renew(id)
    await sql`update public.subscriptions set started_at = now() - interval '1 month 2 hours',
                period_end = now() - interval '2 hours' where subscriber_id = ${fan.id}`
    await stripeFixture.runPaymentsJob()
    expect([await listPayments(fan), await periods(fan)]).toEqual([[paidMonth, paidMonth], [2]])
    stripeState.cancelNow(id)
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'active', cancelled: false }])
    // Stripe rejects the cancellation of an ended subscription, so the job learns that it has ended.
    expect((await cancel(fan)).status).toBe(204)
    await stripeFixture.runPaymentsJob()
    expect(await subscriptionsOf(fan)).toEqual([{ state: 'ended', cancelled: true }])
    for (const late of eventsSince(renewed))
      expect((await stripeFixture.stripe.sendEvent(late)).status).toBe(200)
    expect([await subscriptionsOf(fan), await listPayments(fan)]).toEqual([
      [{ state: 'ended', cancelled: true }],
      [paidMonth, paidMonth],
    ])
  })

  it('ends at Stripe when the account is deleted, and later charges are refunded', async () => {
    const { state: stripeState } = stripeFixture.stripe
    const [fan, other] = [await createUser(), await createUser()]
    const [ends, blocked] = [await subscribe(fan), await subscribe(other)]
    await apiAs(creator).post(`/api/users/${other.id}/block`, BlockResponse)
    await sql`delete from auth.users where id = ${fan.id}`
    const late = stripeState.renew(ends)
    await stripeFixture.stripe.sendPendingEvents()
    await stripeFixture.runPaymentsJob()
    expect(stripeState.subscription(ends).status).toBe('canceled')
    expect(stripeState.subscription(blocked)).toMatchObject({ status: 'active', cancel_at_period_end: true })
    expect(await listPayments(fan)).toEqual([paidMonth, { kind: 'subscription', state: 'void', booked: [] }])
    expect(stripeState.refunds.at(-1)).toEqual({
      payment_intent: stripeState.paymentIntentOf(late.id),
      amount: 999,
    })
    await stripeFixture.stripe.sendPendingEvents()
  })

  it('is not renewed or started for a user who is no longer a creator', async () => {
    const { state: stripeState } = stripeFixture.stripe
    const { formerCreator, fan, late } = await createUsers('formerCreator', 'fan', 'late')
    await makeCreator(formerCreator)
    const id = await subscribe(fan, formerCreator)
    const page = await stripeFixture.createCheckout(late, '/api/subscriptions', {
      creatorId: formerCreator.id,
    })
    await sql`update public.profiles set is_creator = false where id = ${formerCreator.id}`
    const started = stripeState.payCheckout(page).subscription ?? ''
    const renewal = stripeState.renew(id)
    await stripeFixture.stripe.sendPendingEvents()
    await sql`update public.subscriptions set period_end = now() + interval '12 hours' where subscriber_id = ${fan.id}`
    await sql`select private.cancel_unrenewable_subscriptions(100)`
    await stripeFixture.runPaymentsJob()
    const voided = { kind: 'subscription', state: 'void', booked: [] }
    expect([await listPayments(fan), await periods(fan)]).toEqual([[paidMonth, voided], [1]])
    expect([await listPayments(late), await subscriptionsOf(late)]).toEqual([[voided], []])
    expect([
      stripeState.subscription(started).status,
      stripeState.subscription(id).cancel_at_period_end,
    ]).toEqual(['canceled', true])
    expect(stripeState.refunds.map(({ payment_intent }) => payment_intent)).toContain(
      stripeState.paymentIntentOf(renewal.id),
    )
    await stripeFixture.stripe.sendPendingEvents()
  })

  it('is voided if it was cancelled here before a delayed payment method failed', async () => {
    const fan = await createUser()
    const page = await stripeFixture.createCheckout(fan, '/api/subscriptions', { creatorId: creator.id })
    expect((await cancel(fan)).status).toBe(204)
    stripeFixture.stripe.state.failAsyncPayment(page)
    await stripeFixture.stripe.sendPendingEvents()
    expect(await stripeFixture.runPaymentsJob()).toMatchObject({ givenBack: 1, failed: 0 })
    expect((await stripeFixture.runPaymentsJob()).givenBack).toBe(0)
    expect(await listPayments(fan)).toEqual([{ kind: 'subscription', state: 'void', booked: [] }])
  })

  it('locks the counts of the creator before the ledger when a renewed subscription has ended', async () => {
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
      // The balance is still unlocked, so that the first month of another subscriber can proceed.
      await tx`select from public.creator_balances where user_id = ${creator.id} for update nowait`
    })
    await sent
    expect([await subscriptionsOf(fan), await listPayments(fan)]).toEqual([
      [{ state: 'ended', cancelled: false }],
      [paidMonth, paidMonth],
    ])
  })

  it('expires its checkout session if it was cancelled before it was paid', async () => {
    const fan = await createUser()
    const page = await stripeFixture.createCheckout(fan, '/api/subscriptions', { creatorId: creator.id })
    expect((await cancel(fan)).status).toBe(204)
    await stripeFixture.runPaymentsJob()
    expect(stripeFixture.stripe.state.session(page).status).toBe('expired')
    await stripeFixture.stripe.sendPendingEvents()
    expect(await listPayments(fan)).toEqual([{ kind: 'subscription', state: 'void', booked: [] }])
  })
})

/** Returns a generator of numbers from 0 to 1 with a fixed sequence per seed. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}

describe('webhook events in random order', () => {
  it.each([1, 2, 3, 4])('lead to the same result when repeated and concurrent (seed %i)', async (seed) => {
    const { stripe } = stripeFixture
    const random = seededRandom(seed)
    const fan = await createUser()
    const page = await stripeFixture.createCheckout(fan, '/api/subscriptions', { creatorId: creator.id })
    const before = stripe.state.events.length
    const id = stripe.state.payCheckout(page).subscription ?? ''
    stripe.state.renew(id)
    const third = stripe.state.renew(id)
    stripe.state.setCancelAtPeriodEnd(id, true)
    stripe.state.refund(stripe.state.paymentIntentOf(third.id))
    stripe.state.cancelNow(id)
    const events = eventsSince(before)
    const shuffledEvents = shuffled([...events, ...events], random)
    while (shuffledEvents.length > 0) {
      const responses = await Promise.all(
        shuffledEvents.splice(0, 1 + Math.floor(random() * 3)).map((one) => stripe.sendEvent(one)),
      )
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    }
    expect([await subscriptionsOf(fan), await periods(fan)]).toEqual([
      [{ state: 'ended', cancelled: false }],
      [3],
    ])
    expect(await listPayments(fan)).toEqual([paidMonth, paidMonth, refunded])
    expect(
      await sql`select from private.payment_events e where e.event = any (${events.map((one) => one.id)})`,
    ).toHaveLength(events.length)
  })
})

it('Creator Pro is paid, renewed and ended by Stripe events', async () => {
  const { state: stripeState } = stripeFixture.stripe
  const user = await createUser()
  const plan = async () => (await stripeFixture.call(user, 'GET', '/api/creator-pro')).json()
  await withCreatorProBilling(async () => {
    const page = await stripeFixture.createCheckout(user, '/api/creator-pro')
    expect(stripeState.session(page)).toMatchObject({ amount_total: 1999, mode: 'subscription' })
    expect(stripeState.session(page).success_url).toContain('/settings?tab=billing&checkout=done')
    expect(CreatorPro.parse(await plan())).toMatchObject({
      billing: true,
      price: 19.99,
      plan: { state: 'pending' },
    })
    const id = stripeState.payCheckout(page).subscription ?? ''
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
