import { Comment } from '@contract/comment.ts'
import { Transaction } from '@contract/earnings.ts'
import { Conversation } from '@contract/message.ts'
import { Notification } from '@contract/notification.ts'
import { SubscriptionOffer } from '@contract/payment.ts'
import { type CreatePostRequest, Post, UnlockResponse } from '@contract/post.ts'
import { SubscribeResponse, Subscription } from '@contract/subscription.ts'
import { BlockResponse, OwnUser, UserDetails, UserStats } from '@contract/user.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost, sendMessage } from '../support/content-api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

let creator: TestUser
let fan: TestUser
let other: TestUser
let blockedUser: TestUser
/** The IDs of the creator's premium posts. Only the first is included in the subscription. */
let includedPostId: string
let excludedPostId: string
let imageUrl: string

const createPremiumPost = async (content: string, more: Partial<CreatePostRequest> = {}) => {
  const body = { content, teaser: 'Only a teaser', isPremium: true, premiumPrice: 20, ...more }
  return (await createPost(creator, body)).id
}

beforeAll(async () => {
  ;({ creator, fan, other, blockedUser } = await createUsers('creator', 'fan', 'other', 'blockedUser'))
  await makeCreator(creator)
  await apiAs(creator).post(`/api/users/${blockedUser.id}/block`, BlockResponse)
  imageUrl = (await uploadImage(creator)).imageUrl
  includedPostId = await createPremiumPost('For subscribers', { imageUrl, includedInSubscription: true })
  excludedPostId = await createPremiumPost('For buyers')
})

// All tests share one creator, so each test first ends the previous test's subscriptions.
beforeEach(async () => {
  await sql`update public.subscriptions set state = 'ended', ended_at = now()
            where creator_id = ${creator.id} and state <> 'ended'`
  await Promise.all([fan, other].map(({ id }) => clearRateLimits(id, 'subscriptions')))
})

const subscribe = async (user: TestUser, status = 201, to = creator) =>
  (await apiAs(user).post('/api/subscriptions', SubscribeResponse, { creatorId: to.id }, status)).body
    .subscription
const expectSubscribeError = (
  user: TestUser | null,
  status: number,
  creatorId: string,
  body: unknown = { creatorId },
) => apiAs(user).expectError('POST', '/api/subscriptions', status, { body })
const cancel = (user: TestUser, to = creator) =>
  apiAs(user).expectNoContent('DELETE', `/api/subscriptions/${to.id}`)
const activeSubscriptionsOf = async (user: TestUser) =>
  (await apiAs(user).get('/api/user/subscriptions', z.array(Subscription))).body.filter(
    ({ state }) => state !== 'ended',
  )
const getPost = async (user: TestUser, id: string) => (await apiAs(user).get(`/api/posts/${id}`, Post)).body
const getUserDetails = async (viewer: TestUser, user = creator) =>
  (await apiAs(viewer).get(`/api/users/${user.id}`, UserDetails)).body
const subscriberCount = async () =>
  (await apiAs(creator).get(`/api/users/${creator.id}/stats`, UserStats)).body.subscribers
/** Moves a user's subscription into the past, so that the paid period has just ended. */
const endPeriod = (user: TestUser) =>
  sql`update public.subscriptions set started_at = now() - interval '1 hour' - interval '1 month',
        period_end = now() - interval '1 hour'
      where subscriber_id = ${user.id} and creator_id = ${creator.id} and state = 'active'`
/** Returns the payments for a subscription with their ledger amounts. */
const paymentsFor = (id: string) => sql<{ state: string; booked: number[] }[]>`
  select p.state, array(select e.amount_cents::int from public.ledger_transactions t
                        join public.ledger_entries e on e.transaction_id = t.id
                        where t.payment_id = p.id order by e.id) as booked
  from public.payments p where p.subscription_id = ${id} order by p.period_start`
const paidMonth = { state: 'paid', booked: [-999, 999, -100, 100] }

describe('POST /api/subscriptions', () => {
  it('unlocks only included posts, records the payment and notifies the creator', async () => {
    const before = await subscriberCount()
    expect(await getPost(fan, includedPostId)).toMatchObject({ locked: true, content: '', imageUrl: null })
    await apiAs(fan).expectError('GET', `/api/posts/${includedPostId}/comments`, 403)
    const subscription = await subscribe(fan)
    expect(subscription).toMatchObject({
      creatorId: creator.id,
      creator: { username: creator.username },
      price: 9.99,
      months: 1,
      state: 'active',
      cancelled: false,
    })
    const days = (Date.parse(subscription.periodEnd ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(27.9)
    expect(days).toBeLessThan(31.1)
    expect(await getPost(fan, includedPostId)).toMatchObject({
      locked: false,
      content: 'For subscribers',
      imageUrl,
    })
    expect((await getPost(fan, excludedPostId)).locked).toBe(true)
    expect((await getPost(other, includedPostId)).locked).toBe(true)
    const imageStatus = (user: TestUser) =>
      call('GET', imageUrl, { headers: authorizationHeader(user) }).then(({ status }) => status)
    expect([await imageStatus(fan), await imageStatus(other)]).toEqual([200, 404])
    const comment = { content: 'Worth every cent' }
    await apiAs(fan).post(`/api/posts/${includedPostId}/comments`, Comment, comment, 201)
    await apiAs(fan).expectError('POST', `/api/posts/${excludedPostId}/comments`, 403, { body: comment })
    expect(
      (await apiAs(fan).get(`/api/posts/${includedPostId}/comments`, z.array(Comment))).body,
    ).toHaveLength(1)

    expect(await subscriberCount()).toBe((before ?? 0) + 1)
    expect((await getUserDetails(fan)).subscription).toEqual({
      periodEnd: subscription.periodEnd,
      cancelled: false,
      price: 9.99,
      months: 1,
    })
    expect((await getUserDetails(other)).subscription).toBeNull()
    const notifications = (await apiAs(creator).get('/api/notifications', z.array(Notification))).body
    expect(notifications.filter(({ kind }) => kind === 'subscription')).toMatchObject([
      { relatedUser: { id: fan.id }, message: 'Test Person subscribed to you.' },
    ])
    // An included post is unlocked without a payment.
    const unlock = (id: string, amount: number) =>
      apiAs(fan).post(`/api/posts/${id}/unlock`, UnlockResponse, { amount })
    expect((await unlock(includedPostId, 20)).body.post.locked).toBe(false)
    expect(await sql`select from public.payments where post_id = ${includedPostId}`).toHaveLength(0)
    // A repeated request returns the same subscription.
    expect(await subscribe(fan, 200)).toEqual(subscription)
    expect(await paymentsFor(subscription.id)).toEqual([paidMonth])
  })

  it('charges each subscriber once for parallel requests', async () => {
    const subscribeRequest = (user: TestUser) =>
      call('POST', '/api/subscriptions', {
        headers: authorizationHeader(user),
        body: { creatorId: creator.id.toUpperCase() },
      })
    const responses = await Promise.all(
      [fan, other].flatMap((user) => Array.from({ length: 10 }, () => subscribeRequest(user))),
    )
    expect(responses.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
    for (const user of [fan, other]) {
      const subscriptions = await activeSubscriptionsOf(user)
      expect(subscriptions).toHaveLength(1)
      expect(await paymentsFor(subscriptions[0]?.id ?? '')).toEqual([paidMonth])
    }
    expect(await subscriberCount()).toBe(2)
  })

  it('rejects visitors, read-only accounts and creators the caller cannot see', async () => {
    const setVisibility = (visibility: string) =>
      sql`update public.profiles set visibility = ${visibility} where id = ${creator.id}`
    expect((await expectSubscribeError(null, 401, creator.id, 'nonsense')).code).toBe('unauthorized')
    expect((await expectSubscribeError(fan, 400, creator.id, {})).code).toBe('validation_failed')
    expect((await expectSubscribeError(fan, 404, crypto.randomUUID())).message).toBe('User not found')
    expect((await expectSubscribeError(blockedUser, 404, creator.id)).message).toBe('User not found')
    expect((await expectSubscribeError(creator, 400, creator.id)).message).toBe(
      "You can't subscribe to yourself.",
    )
    await expectSubscribeError(fan, 403, other.id)
    await setVisibility('private')
    await expectSubscribeError(fan, 403, creator.id)
    await setVisibility('followers')
    await expectSubscribeError(fan, 403, creator.id)
    await setVisibility('public')
    const setReadOnly = (user: TestUser, reason: string | null) =>
      sql`update public.accounts set read_only_reason = ${reason} where user_id = ${user.id}`
    await setReadOnly(creator, 'under 18')
    await expectSubscribeError(fan, 403, creator.id)
    await setReadOnly(creator, null)
    await setReadOnly(fan, 'under 18')
    expect((await expectSubscribeError(fan, 403, creator.id)).code).toBe('account_read_only')
    expect((await expectSubscribeError(fan, 403, creator.id, { creatorId: 'nobody' })).code).toBe(
      'account_read_only',
    )
    await setReadOnly(fan, null)
    await exhaustRateLimit('subscriptions', fan.id, 30, '1 minute')
    expect((await expectSubscribeError(fan, 429, creator.id)).code).toBe('rate_limited')
    await apiAs(fan).expectError('DELETE', `/api/subscriptions/${creator.id}`, 404)
    await apiAs(null).expectError('DELETE', `/api/subscriptions/${creator.id}`, 401)
    expect([await activeSubscriptionsOf(fan), await activeSubscriptionsOf(blockedUser)]).toEqual([[], []])
  })
})

describe('subscriptions for several months', () => {
  const setDiscounts = async (discounts: object) =>
    (await apiAs(creator).patch('/api/profile', OwnUser, discounts)).body
  const getOffer = async () =>
    (await apiAs(fan).get(`/api/users/${creator.id}/subscription-offer`, SubscriptionOffer)).body.lengths
  const subscriptionBody = (months: number, amount?: number) => ({ creatorId: creator.id, months, amount })
  const threeMonths = { months: 3, discount: 15, price: 25.47 }

  beforeAll(() => setDiscounts({ quarterlyDiscount: 15, yearlyDiscount: '30' }))

  it('are offered with the discounts in the creator’s profile settings', async () => {
    expect(await getOffer()).toEqual([threeMonths, { months: 12, discount: 30, price: 83.92 }])
    for (const discount of [0, 4, 12, 55, -5, 7.5, 'ten', true, [15]]) {
      const { errors } = await apiAs(creator).expectError('PATCH', '/api/profile', 400, {
        body: { halfYearlyDiscount: discount },
      })
      expect(Object.keys(errors ?? {})).toEqual(['halfYearlyDiscount'])
    }
    const discounts = { quarterlyDiscount: 15, halfYearlyDiscount: null, yearlyDiscount: null }
    expect(await setDiscounts({ yearlyDiscount: '' })).toMatchObject(discounts)
    expect(await getOffer()).toEqual([threeMonths])
  })

  it('are charged once at the agreed price, and shown with their length', async () => {
    for (const [months, amount] of [
      [3, undefined],
      [3, 9.99],
      [3, 25.471],
      [1, 25.47],
      [6, 47.95],
    ] as const) {
      const { code } = await expectSubscribeError(fan, 400, creator.id, subscriptionBody(months, amount))
      expect(code).toBe('amount_mismatch')
    }
    expect((await expectSubscribeError(fan, 400, creator.id, subscriptionBody(3, 26))).message).toBe(
      'The price of this subscription is now $25.47.',
    )
    for (const body of [
      subscriptionBody(2, 19.98),
      { ...subscriptionBody(3), amount: '25.47' },
      { ...subscriptionBody(3), months: '3' },
    ])
      expect((await expectSubscribeError(fan, 400, creator.id, body)).code).toBe('validation_failed')
    expect(await activeSubscriptionsOf(fan)).toEqual([])

    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        call('POST', '/api/subscriptions', {
          headers: authorizationHeader(fan),
          body: subscriptionBody(3, 25.47),
        }),
      ),
    )
    expect(responses.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
    const [subscription] = await activeSubscriptionsOf(fan)
    expect(subscription).toMatchObject({ price: 25.47, months: 3, state: 'active' })
    expect(await paymentsFor(subscription?.id ?? '')).toEqual([
      { state: 'paid', booked: [-2547, 2547, -255, 255] },
    ])
    const days = (Date.parse(subscription?.periodEnd ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(88)
    expect(days).toBeLessThan(93)
    expect((await getUserDetails(fan)).subscription).toMatchObject({ price: 25.47, months: 3 })
    const [sale] = (await apiAs(creator).get('/api/earnings/transactions?limit=1', z.array(Transaction))).body
    expect(sale).toMatchObject({
      gross: 25.47,
      description: 'Subscription from Test Person for 3 months',
      details: { months: 3 },
    })
  })

  it('cannot be changed, and are resumed at the agreed price', async () => {
    const body = subscriptionBody(3, 25.47)
    const subscription = (await apiAs(fan).post('/api/subscriptions', SubscribeResponse, body, 201)).body
      .subscription
    await cancel(fan)
    const { code, message } = await expectSubscribeError(fan, 409, creator.id, subscriptionBody(1, 9.99))
    expect(code).toBe('conflict')
    expect(message).toContain('You can choose another length when your subscription has ended.')
    expect(await activeSubscriptionsOf(fan)).toMatchObject([{ cancelled: true }])
    await setDiscounts({ quarterlyDiscount: 5 })
    expect(await subscribe(fan, 200)).toEqual(subscription)
    expect(await paymentsFor(subscription.id)).toHaveLength(1)
  })
})

it('the author chooses which premium posts a subscription includes, when publishing or later', async () => {
  const postId = await createPremiumPost('Now in, now out', { includedInSubscription: true })
  await subscribe(fan)
  const change = (includedInSubscription: boolean) =>
    apiAs(creator).patch(`/api/posts/${postId}`, Post, { includedInSubscription })
  expect(await getPost(fan, postId)).toMatchObject({ locked: false, includedInSubscription: true })
  expect((await change(false)).body.includedInSubscription).toBe(false)
  expect(await getPost(fan, postId)).toMatchObject({ locked: true, includedInSubscription: false })
  await change(true)
  expect((await getPost(fan, postId)).locked).toBe(false)
  const body = { content: 'For all', includedInSubscription: true }
  expect((await createPost(creator, body)).includedInSubscription).toBe(false)
})

describe('DELETE /api/subscriptions/:creatorId', () => {
  it('can be undone, keeps access until the period ends, and then locks the posts', async () => {
    const subscription = await subscribe(fan)
    await cancel(fan)
    await cancel(fan)
    expect(await activeSubscriptionsOf(fan)).toEqual([{ ...subscription, cancelled: true }])
    expect((await getPost(fan, includedPostId)).locked).toBe(false)
    expect(await subscribe(fan, 200)).toEqual(subscription)
    await cancel(fan)
    await endPeriod(fan)
    expect(await getPost(fan, includedPostId)).toMatchObject({ locked: true, content: '' })
    await apiAs(fan).expectError('GET', `/api/posts/${includedPostId}/comments`, 403)
    expect([(await getUserDetails(fan)).subscription, await activeSubscriptionsOf(fan)]).toEqual([null, []])
    // A new subscription can start before the job has processed the old one.
    const newSubscription = await subscribe(fan)
    expect(newSubscription.id).not.toBe(subscription.id)
    expect([await paymentsFor(subscription.id), await paymentsFor(newSubscription.id)]).toEqual([
      [paidMonth],
      [paidMonth],
    ])
    expect(await subscriberCount()).toBe(1)
    const all = await apiAs(fan).getAllPages('/api/user/subscriptions?limit=1', z.array(Subscription))
    expect(all.slice(0, 2).map(({ id, state }) => [id, state])).toEqual([
      [newSubscription.id, 'active'],
      [subscription.id, 'ended'],
    ])
  })

  it('ends a subscription in its grace period immediately and voids the pending renewal', async () => {
    const subscription = await subscribe(fan)
    await endPeriod(fan)
    await sql`
      insert into public.payments (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
      select 'subscription', s.subscriber_id, s.creator_id, s.id, s.period_end, s.price_cents, 100, 'test'
      from public.subscriptions s where s.id = ${subscription.id}`
    expect((await getPost(fan, includedPostId)).locked).toBe(false)
    await cancel(fan)
    expect((await getPost(fan, includedPostId)).locked).toBe(true)
    // `endPeriod` moved the subscription but not its first payment, so the renewal has the earlier period start.
    expect(await paymentsFor(subscription.id)).toEqual([{ state: 'void', booked: [] }, paidMonth])
    await apiAs(fan).expectError('DELETE', `/api/subscriptions/${creator.id}`, 404)
  })
})

describe('a subscription', () => {
  it('is marked in the conversations of its creator only, while it gives access', async () => {
    const [reader, friend] = [await createUser(), await createUser()]
    await Promise.all([
      sendMessage(reader, creator, 'Hello'),
      sendMessage(friend, creator, 'Hello'),
      sendMessage(reader, friend, 'Hello'),
    ])
    await subscribe(reader)
    const marked = async (user: TestUser, partner: TestUser) =>
      (await apiAs(user).get('/api/messages/conversations', z.array(Conversation))).body.find(
        ({ otherUserId }) => otherUserId === partner.id,
      )?.isSubscriber
    expect([await marked(creator, reader), await marked(creator, friend)]).toEqual([true, false])
    // Neither the subscriber nor anyone else sees this mark.
    expect([await marked(reader, creator), await marked(friend, reader)]).toEqual([false, false])
    await endPeriod(reader)
    expect(await marked(creator, reader)).toBe(true)
    // A cancelled subscription has no grace period.
    await sql`update public.subscriptions set cancelled_at = now() where subscriber_id = ${reader.id}`
    expect(await marked(creator, reader)).toBe(false)
  })

  it('between two creators, in either direction, is cancelled when one of them blocks the other', async () => {
    const otherCreator = await createUser()
    await makeCreator(otherCreator)
    await subscribe(otherCreator)
    await subscribe(creator, 201, otherCreator)
    await apiAs(otherCreator).post(`/api/users/${creator.id}/block`, BlockResponse)
    expect(await activeSubscriptionsOf(otherCreator)).toMatchObject([{ cancelled: true, creator: null }])
    expect(await activeSubscriptionsOf(creator)).toMatchObject([
      { cancelled: true, creatorId: otherCreator.id },
    ])
    await apiAs(otherCreator).expectError('GET', `/api/posts/${includedPostId}`, 404)
    await expectSubscribeError(otherCreator, 404, creator.id)
  })

  it('ends and stays listed when its creator is deleted', async () => {
    const otherCreator = await createUser()
    await makeCreator(otherCreator)
    const subscription = await subscribe(fan, 201, otherCreator)
    await subscribe(otherCreator)
    const before = await subscriberCount()
    await sql`delete from auth.users where id = ${otherCreator.id}`
    expect([await activeSubscriptionsOf(fan), await subscriberCount()]).toEqual([[], (before ?? 0) - 1])
    const all = await apiAs(fan).getAllPages('/api/user/subscriptions', z.array(Subscription))
    expect(all.filter(({ id }) => id === subscription.id)).toMatchObject([{ state: 'ended', creator: null }])
    expect(await paymentsFor(subscription.id)).toEqual([paidMonth])
  })
})

describe('without a payment provider', () => {
  let api: FunctionServer
  beforeAll(async () => {
    api = await startApiServer({ PAYMENTS_PROVIDER: 'off' })
  })
  afterAll(() => api.stop())

  it('subscribing fails, except for existing subscribers who keep their length and price', async () => {
    const statusOf = async (body: object = {}) => {
      const response = await fetch(`${api.url}/api/subscriptions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...authorizationHeader(fan) },
        body: JSON.stringify({ creatorId: creator.id, ...body }),
      })
      await response.body?.cancel()
      return response.status
    }
    expect(await statusOf({ months: 1, amount: 9.99 })).toBe(503)
    await subscribe(fan)
    expect([await statusOf(), await statusOf({ months: 1, amount: 9.99 })]).toEqual([200, 200])
    expect([await statusOf({ months: 3, amount: 25.47 }), await statusOf({ amount: 5 })]).toEqual([409, 409])
  })
})
