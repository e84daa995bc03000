import { ErrorBody } from '@contract/errors.ts'
import { Post } from '@contract/post.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import type { StripeEvent } from '../support/fake-stripe-types.ts'
import { clearRateLimits, sql } from '../support/stack.ts'
import {
  listPayments,
  type StripeFixture,
  startStripeFixture,
  stripeLockTimeoutMs,
} from '../support/stripe-fixture.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

let paying: StripeFixture
let author: TestUser
let fan: TestUser

beforeAll(async () => {
  ;({ author, fan } = await createUsers('author', 'fan'))
  await sql`update public.profiles set is_creator = true where id = ${author.id}`
  paying = await startStripeFixture()
}, stripeLockTimeoutMs)
afterAll(() => paying.stop())

const sell = async (price: number) =>
  (
    await apiAs(author).post(
      '/api/posts',
      Post,
      { content: 'Paid for', isPremium: true, premiumPrice: price },
      201,
    )
  ).body.id
const unlock = (post: string) => `/api/posts/${post}/unlock`
const isOpen = async (who: TestUser, post: string) =>
  !(await apiAs(who).get(`/api/posts/${post}`, Post)).body.locked
const paidFor = async (post: string) => {
  const rows = await sql<{ state: string; booked: string }[]>`
    select p.state, (select count(*) from public.ledger_transactions t where t.payment_id = p.id) as booked
    from public.payments p where p.post_id = ${post} order by p.created_at`
  return rows.map(({ state, booked }) => `${state} ${booked}`)
}
const refusal = async (answer: Response) => [answer.status, ErrorBody.parse(await answer.json()).code]
const last = (): StripeEvent => {
  const event = paying.stripe.state.events.at(-1)
  if (!event) throw new Error('nothing was told')
  return event
}

describe('a post that is paid for at Stripe', () => {
  it('has one page, leads back, and opens when Stripe has told, however often', async () => {
    const { stripe } = paying
    const post = await sell(12.5)
    const [id, same] = await Promise.all([
      paying.createCheckout(fan, unlock(post), { amount: 12.5 }),
      paying.createCheckout(fan, unlock(post), { amount: 12.5 }),
    ])
    expect(same).toBe(id)
    expect(await paying.createCheckout(fan, unlock(post), { amount: 12.5 })).toBe(id)
    const session = stripe.state.session(id)
    const path = `/post/${post}?checkout=`
    expect(session).toMatchObject({ amount_total: 1250, currency: 'usd', mode: 'payment' })
    expect([session.success_url, session.cancel_url].map((url) => url.slice(url.indexOf('/post')))).toEqual([
      `${path}done`,
      `${path}cancelled`,
    ])
    stripe.state.payCheckout(id)
    expect(await isOpen(fan, post)).toBe(false)
    const told = last()
    const answers = await Promise.all([
      stripe.sendEvent(told),
      stripe.sendEvent(told),
      stripe.sendEvent(told),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([await isOpen(fan, post), await paidFor(post)]).toEqual([true, ['paid 1']])
    expect(await sql`select from private.payment_events where event = ${told.id}`).toHaveLength(1)
    expect((await paying.call(fan, 'POST', unlock(post), { amount: 12.5 })).status).toBe(200)
  })

  it('is settled by the next call too, before Stripe has told', async () => {
    const post = await sell(3)
    paying.stripe.state.payCheckout(await paying.createCheckout(fan, unlock(post), { amount: 3 }))
    const answer = await paying.call(fan, 'POST', unlock(post), { amount: 3 })
    expect([answer.status, await isOpen(fan, post)]).toEqual([200, true])
    await paying.stripe.sendPendingEvents()
    expect(await paidFor(post)).toEqual(['paid 1'])
  })

  it('gets a new page when the old one is closed, and ends when that is told', async () => {
    const post = await sell(4)
    const first = await paying.createCheckout(fan, unlock(post), { amount: 4 })
    paying.stripe.state.expireCheckout(first)
    const second = await paying.createCheckout(fan, unlock(post), { amount: 4 })
    expect(second).not.toBe(first)
    // Told late: it is of the page before.
    await paying.stripe.sendPendingEvents()
    expect(await paidFor(post)).toEqual(['pending 0'])
    paying.stripe.state.expireCheckout(second)
    await paying.stripe.sendPendingEvents()
    expect(await paidFor(post)).toEqual(['expired 0'])
    await paying.completeCheckout(fan, unlock(post), { amount: 4 })
    expect(await paidFor(post)).toEqual(['expired 0', 'paid 1'])
  })

  it.each([6, 4])('costs $%i on its page once its payer agreed to that', async (price) => {
    const { state: stripeState } = paying.stripe
    const post = await sell(5)
    const id = await paying.createCheckout(fan, unlock(post), { amount: 5 })
    await sql`update public.posts set premium_price = ${price} where id = ${post}`
    expect(await refusal(await paying.call(fan, 'POST', unlock(post), { amount: 5 }))).toEqual([
      400,
      'amount_mismatch',
    ])
    const now = await paying.createCheckout(fan, unlock(post), { amount: price })
    expect([stripeState.session(id).status, stripeState.session(now).amount_total]).toEqual([
      'expired',
      price * 100,
    ])
    stripeState.payCheckout(now)
    await paying.stripe.sendPendingEvents()
    expect([await isOpen(fan, post), (await listPayments(fan)).at(-1)?.booked]).toEqual([
      true,
      [-price * 100, price * 100, -price * 10, price * 10],
    ])
  })

  it('goes on where the page of another price is told to be closed before the next one is known', async () => {
    const { state: stripeState, sendPendingEvents } = paying.stripe
    await clearRateLimits(fan.id, 'unlocks')
    const post = await sell(5)
    const id = await paying.createCheckout(fan, unlock(post), { amount: 5 })
    await sql`update public.posts set premium_price = 6 where id = ${post}`
    // As far as a call comes that is closing the page.
    await sql`update public.payments set amount_cents = 600, fee_cents = 60 where post_id = ${post}`
    stripeState.expireCheckout(id)
    await sendPendingEvents()
    expect(await paidFor(post)).toEqual(['pending 0'])
    // Nobody opened another one.
    await sql`update public.payments set created_at = now() - interval '2 hours' where post_id = ${post}`
    await paying.runPaymentsJob()
    expect(await paidFor(post)).toEqual(['expired 0'])
  })

  it('costs what its page said where that was paid just before the price was changed', async () => {
    const post = await sell(5)
    paying.stripe.state.payCheckout(await paying.createCheckout(fan, unlock(post), { amount: 5 }))
    await sql`update public.posts set premium_price = 6 where id = ${post}`
    expect((await paying.call(fan, 'POST', unlock(post), { amount: 6 })).status).toBe(200)
    await paying.stripe.sendPendingEvents()
    expect([await isOpen(fan, post), (await listPayments(fan)).at(-1)?.booked]).toEqual([
      true,
      [-500, 500, -50, 50],
    ])
  })

  it('costs nothing while Stripe is down, and can be tried again', async () => {
    const post = await sell(7)
    paying.stripe.setDown(true)
    expect(await refusal(await paying.call(fan, 'POST', unlock(post), { amount: 7 }))).toEqual([
      503,
      'payment_failed',
    ])
    paying.stripe.setDown(false)
    expect(await paidFor(post)).toEqual(['pending 0'])
    paying.stripe.state.payCheckout(await paying.createCheckout(fan, unlock(post), { amount: 7 }))
    paying.stripe.setDown(true)
    const told = last()
    expect((await paying.stripe.sendEvent(told)).status).toBe(500)
    expect(await sql`select from private.payment_events where event = ${told.id}`).toHaveLength(0)
    paying.stripe.setDown(false)
    expect((await paying.stripe.sendEvent(told)).status).toBe(200)
    expect([await isOpen(fan, post), await paidFor(post)]).toEqual([true, ['paid 1']])
  })

  it('is heard of by the job where Stripe did not tell', async () => {
    const post = await sell(8)
    const id = await paying.createCheckout(fan, unlock(post), { amount: 8 })
    paying.stripe.state.payCheckout(id)
    await sql`update public.payments set created_at = now() - interval '2 hours' where post_id = ${post}`
    expect(await paying.runPaymentsJob()).toMatchObject({ settled: 1, failed: 0 })
    expect([await isOpen(fan, post), await paidFor(post)]).toEqual([true, ['paid 1']])
  })
})

describe('what Stripe did not tell', () => {
  it('is refused: forged, changed, too old, too large, or of another amount', async () => {
    const { stripe } = paying
    await clearRateLimits(fan.id, 'unlocks')
    const post = await sell(9)
    const id = await paying.createCheckout(fan, unlock(post), { amount: 9 })
    stripe.state.payCheckout(id)
    const told = last()
    const minutes = Math.floor(Date.now() / 1000) - 6 * 60
    for (const changes of [
      { secret: 'whsec_of_somebody_else' },
      { body: JSON.stringify({ ...told, type: 'charge.refunded' }) },
      { timestamp: minutes },
    ]) {
      expect(await refusal(await stripe.sendEvent(told, changes))).toEqual([400, 'validation_failed'])
    }
    const bare = await fetch(`${paying.api.url}/api/payments/webhook`, {
      method: 'POST',
      body: JSON.stringify(told),
    })
    expect(await refusal(bare)).toEqual([400, 'validation_failed'])
    const large = await fetch(`${paying.api.url}/api/payments/webhook`, {
      method: 'POST',
      body: 'x'.repeat(600_000),
    })
    expect(await refusal(large)).toEqual([413, 'payload_too_large'])
    expect(await paidFor(post)).toEqual(['pending 0'])

    const session = stripe.state.session(id)
    session.amount_total = 1
    expect((await stripe.sendEvent(told)).status).toBe(200)
    session.amount_total = 900
    session.currency = 'eur'
    expect((await stripe.sendEvent({ ...told, id: `${told.id}_again` })).status).toBe(200)
    expect([await isOpen(fan, post), await paidFor(post)]).toEqual([false, ['pending 0']])
    expect(paying.api.output()).toContain('payment_mismatch')
    session.currency = 'usd'
    expect((await stripe.sendEvent({ ...told, id: `${told.id}_right` })).status).toBe(200)
    expect(await isOpen(fan, post)).toBe(true)
  })

  it('is no matter where it is not known, and nothing without Stripe', async () => {
    const { stripe } = paying
    const unknown = { ...last(), id: `evt_${crypto.randomUUID()}`, type: 'product.created' }
    expect((await stripe.sendEvent(unknown)).status).toBe(200)
    await apiAs(null).expectError('POST', '/api/payments/webhook', 404)
    await apiAs(fan).expectError('POST', '/api/billing/portal', 404)
  })
})

describe('money that goes back', () => {
  it('closes the post again, in whatever order Stripe tells, and a part of it does not', async () => {
    const { stripe } = paying
    const post = await sell(10)
    const id = await paying.createCheckout(fan, unlock(post), { amount: 10 })
    const intent = stripe.state.payCheckout(id).payment_intent ?? ''
    const completed = last()
    stripe.state.refund(intent, 400)
    expect((await stripe.sendEvent(last())).status).toBe(200)
    stripe.state.refund(intent)
    // The refund comes first.
    expect((await stripe.sendEvent(last())).status).toBe(200)
    expect([await isOpen(fan, post), await paidFor(post)]).toEqual([false, ['refunded 2']])
    expect((await stripe.sendEvent(completed)).status).toBe(200)
    expect([await isOpen(fan, post), await paidFor(post)]).toEqual([false, ['refunded 2']])
    expect((await listPayments(fan)).at(-1)?.booked.reduce((sum, cents) => sum + cents, 0)).toBe(0)
  })

  it('is given back where it came for a post that is gone', async () => {
    const { stripe } = paying
    const post = await sell(11)
    const id = await paying.createCheckout(fan, unlock(post), { amount: 11 })
    await sql`delete from public.posts where id = ${post}`
    const intent = stripe.state.payCheckout(id).payment_intent ?? ''
    await stripe.sendPendingEvents()
    expect(await paidFor(post)).toEqual(['void 0'])
    expect(await paying.runPaymentsJob()).toMatchObject({ givenBack: 1, failed: 0 })
    expect(stripe.state.refunds.filter(({ payment_intent }) => payment_intent === intent)).toEqual([
      { payment_intent: intent, amount: 1100 },
    ])
    await stripe.sendPendingEvents()
    expect([await paidFor(post), (await paying.runPaymentsJob()).givenBack]).toEqual([['void 0'], 0])
  })

  it('is in nobody’s way where it cannot be given back', async () => {
    const { state: stripeState, sendPendingEvents } = paying.stripe
    const comeForNothing = async () => {
      const post = await sell(11)
      const id = await paying.createCheckout(fan, unlock(post), { amount: 11 })
      await sql`delete from public.posts where id = ${post}`
      const intent = stripeState.payCheckout(id).payment_intent ?? ''
      await sendPendingEvents()
      return intent
    }
    const since = (intent: string, days: number) => sql`
      update public.payments set settled_at = now() - ${days} * interval '1 day' where provider_reference = ${intent}`
    const next = async () =>
      (await sql`select reference from private.payments_to_give_back(2)`).map(({ reference }) => reference)
    const first = await comeForNothing()
    stripeState.disputed.add(first)
    await since(first, 2)
    expect(await paying.runPaymentsJob()).toMatchObject({ givenBack: 0, failed: 1 })
    const second = await comeForNothing()
    await since(second, 1)
    expect(await next()).toEqual([second, first])
    stripeState.disputed.clear()
    expect([await paying.runPaymentsJob(), await next()]).toMatchObject([{ givenBack: 2, failed: 0 }, []])
    await sendPendingEvents()
  })
})

it('a tip is paid on a page, once, and told to its creator', async () => {
  const tip = { id: crypto.randomUUID(), amount: 5, note: 'Thanks' }
  const path = `/api/users/${author.id}/tip`
  const id = await paying.createCheckout(fan, path, tip)
  expect(await paying.createCheckout(fan, path, tip)).toBe(id)
  expect(paying.stripe.state.session(id).success_url).toContain(`/profile/${author.username}?checkout=done`)
  paying.stripe.state.payCheckout(id)
  await paying.stripe.sendPendingEvents()
  expect((await paying.call(fan, 'POST', path, tip)).status).toBe(200)
  expect((await listPayments(fan)).at(-1)).toEqual({
    kind: 'tip',
    state: 'paid',
    booked: [-500, 500, -50, 50],
  })
})

it('somebody is one customer, whom Stripe forgets with the account', async () => {
  const { state: stripeState } = paying.stripe
  const one = await createUser()
  const [first, second] = [await sell(2), await sell(2)]
  await Promise.all([first, second].map((post) => paying.createCheckout(one, unlock(post), { amount: 2 })))
  const theirs = () =>
    [...stripeState.customers.values()].filter(({ metadata }) => metadata.person === one.id)
  expect(theirs()).toMatchObject([{ email: one.email }])
  await sql`delete from auth.users where id = ${one.id}`
  expect(await paying.runPaymentsJob()).toMatchObject({ forgotten: 1, failed: 0 })
  expect([theirs(), (await paying.runPaymentsJob()).forgotten]).toEqual([[], 0])
})
