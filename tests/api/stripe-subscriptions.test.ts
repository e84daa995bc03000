import { CreatorPro, PortalResponse } from '@contract/payment.ts'
import { Subscription } from '@contract/subscription.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { withCreatorProBilling } from '../support/creators.ts'
import type { StripeEvent } from '../support/fake-stripe-types.ts'
import { sql } from '../support/stack.ts'
import {
  listPayments,
  type StripeFixture,
  startStripeFixture,
  stripeLockTimeoutMs,
} from '../support/stripe-fixture.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

let paying: StripeFixture
let creator: TestUser

beforeAll(async () => {
  ;({ creator } = await createUsers('creator'))
  await sql`update public.profiles set is_creator = true where id = ${creator.id}`
  paying = await startStripeFixture()
}, stripeLockTimeoutMs)
afterAll(() => paying.stop())

const sale = { kind: 'subscription', state: 'paid', booked: [-999, 999, -100, 100] }
const givenBack = { ...sale, state: 'refunded', booked: [-999, 999, -100, 100, 999, -999, 100, -100] }
const mine = async (who: TestUser) =>
  (await apiAs(who).get('/api/user/subscriptions', z.array(Subscription))).body.map(
    ({ state, cancelled }) => ({
      state,
      cancelled,
    }),
  )
const subscribe = async (who: TestUser, to = creator) => {
  const id = await paying.completeCheckout(who, '/api/subscriptions', { creatorId: to.id })
  return paying.stripe.state.session(id).subscription ?? ''
}
const cancel = (who: TestUser) => paying.call(who, 'DELETE', `/api/subscriptions/${creator.id}`)
const periods = async (who: TestUser) =>
  (
    await sql<{ periods: number }[]>`
    select s.periods from public.subscriptions s where s.subscriber_id = ${who.id} order by s.created_at`
  ).map((row) => row.periods)
/** What Stripe has told since `before` events, without sending it. */
const since = (before: number): StripeEvent[] => paying.stripe.state.events.slice(before)
const until = async (is: () => boolean) => {
  for (let tries = 0; !is() && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(is()).toBe(true)
}

describe('a subscription at Stripe', () => {
  it('is paid by the month, cancelled here, resumed, and cancelled there', async () => {
    const { state: stripeState } = paying.stripe
    const fan = await createUser()
    const id = await subscribe(fan)
    expect(await mine(fan)).toEqual([{ state: 'active', cancelled: false }])
    stripeState.renew(id)
    await paying.stripe.sendPendingEvents()
    expect([await listPayments(fan), await periods(fan)]).toEqual([[sale, sale], [2]])

    expect((await cancel(fan)).status).toBe(204)
    await until(() => stripeState.subscription(id).cancel_at_period_end)
    await paying.stripe.sendPendingEvents()
    expect(await mine(fan)).toEqual([{ state: 'active', cancelled: true }])
    const again = await paying.call(fan, 'POST', '/api/subscriptions', { creatorId: creator.id })
    expect(again.status).toBe(200)
    await until(() => !stripeState.subscription(id).cancel_at_period_end)
    await paying.stripe.sendPendingEvents()
    expect(await mine(fan)).toEqual([{ state: 'active', cancelled: false }])

    const portal = await paying.call(fan, 'POST', '/api/billing/portal')
    expect(PortalResponse.parse(await portal.json()).url).toContain(`${paying.stripe.url}/portal/`)
    stripeState.setCancelAtPeriodEnd(id, true)
    await paying.stripe.sendPendingEvents()
    expect(await mine(fan)).toEqual([{ state: 'active', cancelled: true }])
    stripeState.cancelNow(id)
    await paying.stripe.sendPendingEvents()
    expect([await mine(fan), await listPayments(fan)]).toEqual([
      [{ state: 'ended', cancelled: true }],
      [sale, sale],
    ])
  })

  it('goes on through the grace when a month is not paid, and is told by the job what Stripe could not hear', async () => {
    const { stripe } = paying
    const fan = await createUser()
    const id = await subscribe(fan)
    stripe.state.failRenewal(id)
    await stripe.sendPendingEvents()
    expect(await mine(fan)).toEqual([{ state: 'active', cancelled: false }])
    stripe.setDown(true)
    expect((await cancel(fan)).status).toBe(204)
    expect(await paying.runPaymentsJob()).toMatchObject({ told: 0 })
    // Stripe speaks of something else before it knows: what was decided here stays.
    stripe.setDown(false)
    stripe.state.renew(id)
    await stripe.sendPendingEvents()
    expect(await mine(fan)).toEqual([{ state: 'active', cancelled: true }])
    await paying.runPaymentsJob()
    expect(stripe.state.subscription(id).cancel_at_period_end).toBe(true)
    expect(await listPayments(fan)).toEqual([sale, sale])
  })

  it('is heard of by the job: a month that was paid, and an end, of which nothing was told', async () => {
    const { state: stripeState } = paying.stripe
    const fan = await createUser()
    const id = await subscribe(fan)
    const renewed = stripeState.events.length
    stripeState.renew(id)
    await sql`update public.subscriptions set started_at = now() - interval '1 month 2 hours',
                period_end = now() - interval '2 hours' where subscriber_id = ${fan.id}`
    await paying.runPaymentsJob()
    expect([await listPayments(fan), await periods(fan)]).toEqual([[sale, sale], [2]])
    stripeState.cancelNow(id)
    expect(await mine(fan)).toEqual([{ state: 'active', cancelled: false }])
    // Cancelling cannot be told to what has ended: so that is heard.
    expect((await cancel(fan)).status).toBe(204)
    await paying.runPaymentsJob()
    expect(await mine(fan)).toEqual([{ state: 'ended', cancelled: true }])
    for (const late of since(renewed)) expect((await paying.stripe.sendEvent(late)).status).toBe(200)
    expect([await mine(fan), await listPayments(fan)]).toEqual([
      [{ state: 'ended', cancelled: true }],
      [sale, sale],
    ])
  })

  it('ends at Stripe with the account, and what is paid after that is given back', async () => {
    const { state: stripeState } = paying.stripe
    const [fan, other] = [await createUser(), await createUser()]
    const [ends, blocked] = [await subscribe(fan), await subscribe(other)]
    await apiAs(creator).post(`/api/users/${other.id}/block`, BlockResponse)
    await sql`delete from auth.users where id = ${fan.id}`
    const late = stripeState.renew(ends)
    await paying.stripe.sendPendingEvents()
    await paying.runPaymentsJob()
    expect(stripeState.subscription(ends).status).toBe('canceled')
    expect(stripeState.subscription(blocked)).toMatchObject({ status: 'active', cancel_at_period_end: true })
    expect(await listPayments(fan)).toEqual([sale, { kind: 'subscription', state: 'void', booked: [] }])
    expect(stripeState.refunds.at(-1)).toEqual({
      payment_intent: stripeState.paymentIntentOf(late.id),
      amount: 999,
    })
    await paying.stripe.sendPendingEvents()
  })

  it('is not paid on to a creator who is none any more, nor begun, and ends at Stripe', async () => {
    const { state: stripeState } = paying.stripe
    const { star, fan, late } = await createUsers('star', 'fan', 'late')
    await sql`update public.profiles set is_creator = true where id = ${star.id}`
    const id = await subscribe(fan, star)
    const page = await paying.createCheckout(late, '/api/subscriptions', { creatorId: star.id })
    await sql`update public.profiles set is_creator = false where id = ${star.id}`
    const begun = stripeState.payCheckout(page).subscription ?? ''
    const month = stripeState.renew(id)
    await paying.stripe.sendPendingEvents()
    await sql`update public.subscriptions set period_end = now() + interval '12 hours' where subscriber_id = ${fan.id}`
    await sql`select private.cancel_unsold(100)`
    await paying.runPaymentsJob()
    const nothing = { kind: 'subscription', state: 'void', booked: [] }
    expect([await listPayments(fan), await periods(fan)]).toEqual([[sale, nothing], [1]])
    expect([await listPayments(late), await mine(late)]).toEqual([[nothing], []])
    expect([
      stripeState.subscription(begun).status,
      stripeState.subscription(id).cancel_at_period_end,
    ]).toEqual(['canceled', true])
    expect(stripeState.refunds.map(({ payment_intent }) => payment_intent)).toContain(
      stripeState.paymentIntentOf(month.id),
    )
    await paying.stripe.sendPendingEvents()
  })

  it('is let go where its page was paid by a slow way that failed, after it was ended here', async () => {
    const fan = await createUser()
    const page = await paying.createCheckout(fan, '/api/subscriptions', { creatorId: creator.id })
    expect((await cancel(fan)).status).toBe(204)
    paying.stripe.state.failAsyncPayment(page)
    await paying.stripe.sendPendingEvents()
    expect(await paying.runPaymentsJob()).toMatchObject({ givenBack: 1, failed: 0 })
    expect((await paying.runPaymentsJob()).givenBack).toBe(0)
    expect(await listPayments(fan)).toEqual([{ kind: 'subscription', state: 'void', booked: [] }])
  })

  it('that was renewed and has ended waits for the counts of its creator before it books', async () => {
    const { state: stripeState } = paying.stripe
    const fan = await createUser()
    const id = await subscribe(fan)
    stripeState.renew(id)
    stripeState.cancelNow(id)
    let sent: Promise<void> = Promise.resolve()
    await sql.begin(async (tx) => {
      await tx`select from public.profile_counts where user_id = ${creator.id} for update`
      sent = paying.stripe.sendPendingEvents()
      sent.catch(() => undefined)
      const [me] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      await expect
        .poll(() => sql`select from pg_stat_activity where ${me?.pid ?? 0} = any (pg_blocking_pids(pid))`)
        .toHaveLength(1)
      // As the first month of somebody else goes on: what it needs next is free.
      await tx`select from public.creator_balances where person_id = ${creator.id} for update nowait`
    })
    await sent
    expect([await mine(fan), await listPayments(fan)]).toEqual([
      [{ state: 'ended', cancelled: false }],
      [sale, sale],
    ])
  })

  it('is closed at Stripe where it was ended before it was paid', async () => {
    const fan = await createUser()
    const page = await paying.createCheckout(fan, '/api/subscriptions', { creatorId: creator.id })
    expect((await cancel(fan)).status).toBe(204)
    await paying.runPaymentsJob()
    expect(paying.stripe.state.session(page).status).toBe('expired')
    await paying.stripe.sendPendingEvents()
    expect(await listPayments(fan)).toEqual([{ kind: 'subscription', state: 'void', booked: [] }])
  })
})

/** Numbers from 0 to 1 that are the same each time. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function shuffled<T>(items: readonly T[], roll: () => number): T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(Math.floor(roll() * left.length), 1))
}

describe('whatever the order in which Stripe tells', () => {
  it.each([1, 2, 3, 4])('a life ends the same, twice told and two at once (%i)', async (seed) => {
    const { stripe } = paying
    const roll = dice(seed)
    const fan = await createUser()
    const page = await paying.createCheckout(fan, '/api/subscriptions', { creatorId: creator.id })
    const before = stripe.state.events.length
    const id = stripe.state.payCheckout(page).subscription ?? ''
    stripe.state.renew(id)
    const third = stripe.state.renew(id)
    stripe.state.setCancelAtPeriodEnd(id, true)
    stripe.state.refund(stripe.state.paymentIntentOf(third.id))
    stripe.state.cancelNow(id)
    const events = since(before)
    const told = shuffled([...events, ...events], roll)
    while (told.length > 0) {
      const answers = await Promise.all(
        told.splice(0, 1 + Math.floor(roll() * 3)).map((one) => stripe.sendEvent(one)),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }
    expect([await mine(fan), await periods(fan)]).toEqual([[{ state: 'ended', cancelled: false }], [3]])
    expect(await listPayments(fan)).toEqual([sale, sale, givenBack])
    expect(
      await sql`select from private.payment_events e where e.event = any (${events.map((one) => one.id)})`,
    ).toHaveLength(events.length)
  })
})

it('Creator Pro is paid for, renewed and lapses by what Stripe tells', async () => {
  const { state: stripeState } = paying.stripe
  const one = await createUser()
  const plan = async () => (await paying.call(one, 'GET', '/api/creator-pro')).json()
  await withCreatorProBilling(async () => {
    const page = await paying.createCheckout(one, '/api/creator-pro')
    expect(stripeState.session(page)).toMatchObject({ amount_total: 1999, mode: 'subscription' })
    expect(stripeState.session(page).success_url).toContain('/settings?tab=billing&checkout=done')
    expect(CreatorPro.parse(await plan())).toMatchObject({
      billing: true,
      price: 19.99,
      plan: { state: 'pending' },
    })
    const id = stripeState.payCheckout(page).subscription ?? ''
    await paying.stripe.sendPendingEvents()
    stripeState.renew(id)
    await paying.stripe.sendPendingEvents()
    expect(CreatorPro.parse(await plan())).toMatchObject({
      plan: { state: 'active', cancelled: false },
      portal: true,
    })
    expect((await paying.call(one, 'DELETE', '/api/creator-pro')).status).toBe(204)
    await until(() => stripeState.subscription(id).cancel_at_period_end)
    await paying.stripe.sendPendingEvents()
    expect(CreatorPro.parse(await plan()).plan?.cancelled).toBe(true)
    const isCreator = async () =>
      (await sql`select is_creator from public.profiles where id = ${one.id}`)[0]?.is_creator
    expect(await isCreator()).toBe(true)
    stripeState.cancelNow(id)
    await paying.stripe.sendPendingEvents()
    expect([CreatorPro.parse(await plan()).plan, await isCreator()]).toEqual([null, false])
    const paid = { kind: 'creator_pro', state: 'paid', booked: [-1999, 1999] }
    expect(await listPayments(one)).toEqual([paid, paid])
  })
})
