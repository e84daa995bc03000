import { Comment } from '@contract/comment.ts'
import { Notification } from '@contract/notification.ts'
import { type CreatePostRequest, Post, UnlockResponse } from '@contract/post.ts'
import { SubscribeResponse, Subscription } from '@contract/subscription.ts'
import { BlockResponse, UserDetails, UserStats } from '@contract/user.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { createPng } from '../support/media-files.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

let creator: TestUser
let fan: TestUser
let other: TestUser
let foe: TestUser
/** Premium posts of the creator: one is part of the subscription. */
let included: string
let excluded: string
let image: string

const makeCreator = (person: TestUser) =>
  sql`update public.profiles set is_creator = true where id = ${person.id}`
const sell = async (content: string, more: Partial<CreatePostRequest> = {}) => {
  const body = { content, teaser: 'Only a teaser', isPremium: true, premiumPrice: 20, ...more }
  return (await apiAs(creator).post('/api/posts', Post, body, 201)).body.id
}

beforeAll(async () => {
  ;({ creator, fan, other, foe } = await createUsers('creator', 'fan', 'other', 'foe'))
  await makeCreator(creator)
  await apiAs(creator).post(`/api/users/${foe.id}/block`, BlockResponse)
  image = (await uploadImage(creator, createPng({ width: 16, height: 16 }))).imageUrl
  included = await sell('For subscribers', { imageUrl: image, includedInSubscription: true })
  excluded = await sell('For buyers')
})

// One creator for all: what a test subscribed to is gone for the next one.
beforeEach(async () => {
  await sql`update public.subscriptions set state = 'ended', ended_at = now()
            where creator_id = ${creator.id} and state <> 'ended'`
  await Promise.all([fan, other].map(({ id }) => clearRateLimits(id, 'subscriptions')))
})

const subscribe = async (who: TestUser, status = 201, to = creator) =>
  (await apiAs(who).post('/api/subscriptions', SubscribeResponse, { creatorId: to.id }, status)).body
    .subscription
const refused = (who: TestUser | null, status: number, to: string, body: unknown = { creatorId: to }) =>
  apiAs(who).expectError('POST', '/api/subscriptions', status, { body })
const cancel = (who: TestUser, to = creator) =>
  apiAs(who).expectNoContent('DELETE', `/api/subscriptions/${to.id}`)
const mine = async (who: TestUser) =>
  (await apiAs(who).get('/api/user/subscriptions', z.array(Subscription))).body.filter(
    ({ state }) => state !== 'ended',
  )
const post = async (who: TestUser, id: string) => (await apiAs(who).get(`/api/posts/${id}`, Post)).body
const details = async (who: TestUser, of = creator) =>
  (await apiAs(who).get(`/api/users/${of.id}`, UserDetails)).body
const subscribers = async () =>
  (await apiAs(creator).get(`/api/users/${creator.id}/stats`, UserStats)).body.subscribers
/** Lets the paid period of somebody's subscription be over for so long. */
const letEnd = (who: TestUser, long = '1 second') =>
  sql`update public.subscriptions set started_at = now() - ${long}::interval - interval '1 month',
        period_end = now() - ${long}::interval
      where subscriber_id = ${who.id} and creator_id = ${creator.id} and state = 'active'`
/** What was paid for one subscription, with what was booked for it. */
const paid = (id: string) => sql<{ state: string; booked: number[] }[]>`
  select p.state, array(select e.amount_cents::int from public.ledger_transactions t
                        join public.ledger_entries e on e.transaction_id = t.id
                        where t.payment_id = p.id order by e.id) as booked
  from public.payments p where p.subscription_id = ${id} order by p.period_start`
const sale = { state: 'paid', booked: [-999, 999, -100, 100] }

describe('subscribing', () => {
  it('opens what is included and nothing else, books the price and tells the creator', async () => {
    const before = await subscribers()
    expect(await post(fan, included)).toMatchObject({ locked: true, content: '', imageUrl: null })
    await apiAs(fan).expectError('GET', `/api/posts/${included}/comments`, 403)
    const held = await subscribe(fan)
    expect(held).toMatchObject({
      creatorId: creator.id,
      creator: { username: creator.username },
      price: 9.99,
      state: 'active',
      cancelled: false,
    })
    const days = (Date.parse(held.periodEnd ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(27.9)
    expect(days).toBeLessThan(31.1)
    expect(await post(fan, included)).toMatchObject({
      locked: false,
      content: 'For subscribers',
      imageUrl: image,
    })
    expect((await post(fan, excluded)).locked).toBe(true)
    expect((await post(other, included)).locked).toBe(true)
    const bytes = (who: TestUser) =>
      call('GET', image, { headers: { Authorization: `Bearer ${who.token}` } }).then(({ status }) => status)
    expect([await bytes(fan), await bytes(other)]).toEqual([200, 404])
    const said = { content: 'Worth every cent' }
    await apiAs(fan).post(`/api/posts/${included}/comments`, Comment, said, 201)
    await apiAs(fan).expectError('POST', `/api/posts/${excluded}/comments`, 403, { body: said })
    expect((await apiAs(fan).get(`/api/posts/${included}/comments`, z.array(Comment))).body).toHaveLength(1)

    expect(await subscribers()).toBe((before ?? 0) + 1)
    expect((await details(fan)).subscription).toEqual({ periodEnd: held.periodEnd, cancelled: false })
    expect((await details(other)).subscription).toBeNull()
    const told = (await apiAs(creator).get('/api/notifications', z.array(Notification))).body
    expect(told.filter(({ kind }) => kind === 'subscription')).toMatchObject([
      { relatedUser: { id: fan.id }, message: 'Test Person subscribed to you.' },
    ])
    // It is open: nothing is to be paid for it, whatever page asks for that.
    const unlock = (id: string, amount: number) =>
      apiAs(fan).post(`/api/posts/${id}/unlock`, UnlockResponse, { amount })
    expect((await unlock(included, 20)).body.post.locked).toBe(false)
    expect(await sql`select from public.payments where post_id = ${included}`).toHaveLength(0)
    // Sent again, it is the same one.
    expect(await subscribe(fan, 200)).toEqual(held)
    expect(await paid(held.id)).toEqual([sale])
  })

  it('is paid once by each, however many calls come at once', async () => {
    const ask = (who: TestUser) =>
      call('POST', '/api/subscriptions', {
        headers: { Authorization: `Bearer ${who.token}` },
        body: { creatorId: creator.id.toUpperCase() },
      })
    const answers = await Promise.all(
      [fan, other].flatMap((who) => Array.from({ length: 10 }, () => ask(who))),
    )
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
    for (const who of [fan, other]) {
      const held = await mine(who)
      expect(held).toHaveLength(1)
      expect(await paid(held[0]?.id ?? '')).toEqual([sale])
    }
    expect(await subscribers()).toBe(2)
  })

  it('is for people who may write, to creators whom they may see', async () => {
    const shown = (visibility: string) =>
      sql`update public.profiles set visibility = ${visibility} where id = ${creator.id}`
    expect((await refused(null, 401, creator.id, 'nonsense')).code).toBe('unauthorized')
    expect((await refused(fan, 400, creator.id, {})).code).toBe('validation_failed')
    expect((await refused(fan, 404, crypto.randomUUID())).message).toBe('User not found')
    expect((await refused(foe, 404, creator.id)).message).toBe('User not found')
    expect((await refused(creator, 400, creator.id)).message).toBe('You cannot subscribe to yourself.')
    await refused(fan, 403, other.id)
    await shown('private')
    await refused(fan, 403, creator.id)
    await shown('followers')
    await refused(fan, 403, creator.id)
    await shown('public')
    const readOnly = (person: TestUser, reason: string | null) =>
      sql`update public.accounts set read_only_reason = ${reason} where user_id = ${person.id}`
    await readOnly(creator, 'under 18')
    await refused(fan, 403, creator.id)
    await readOnly(creator, null)
    await readOnly(fan, 'under 18')
    expect((await refused(fan, 403, creator.id)).code).toBe('account_read_only')
    expect((await refused(fan, 403, creator.id, { creatorId: 'nobody' })).code).toBe('account_read_only')
    await readOnly(fan, null)
    await exhaustRateLimit('subscriptions', fan.id, 30, '1 minute')
    expect((await refused(fan, 429, creator.id)).code).toBe('rate_limited')
    await apiAs(fan).expectError('DELETE', `/api/subscriptions/${creator.id}`, 404)
    await apiAs(null).expectError('DELETE', `/api/subscriptions/${creator.id}`, 401)
    expect([await mine(fan), await mine(foe)]).toEqual([[], []])
  })
})

it('what is included is for the author to say, of premium posts, when they publish and later', async () => {
  const own = await sell('Now in, now out', { includedInSubscription: true })
  await subscribe(fan)
  const change = (includedInSubscription: boolean) =>
    apiAs(creator).patch(`/api/posts/${own}`, Post, { includedInSubscription })
  expect(await post(fan, own)).toMatchObject({ locked: false, includedInSubscription: true })
  expect((await change(false)).body.includedInSubscription).toBe(false)
  expect(await post(fan, own)).toMatchObject({ locked: true, includedInSubscription: false })
  await change(true)
  expect((await post(fan, own)).locked).toBe(false)
  const body = { content: 'For all', includedInSubscription: true }
  expect((await apiAs(creator).post('/api/posts', Post, body, 201)).body.includedInSubscription).toBe(false)
})

describe('a cancelled subscription', () => {
  it('lasts until its end, goes on if it is wanted back, and closes at once when it is over', async () => {
    const held = await subscribe(fan)
    await cancel(fan)
    await cancel(fan)
    expect(await mine(fan)).toEqual([{ ...held, cancelled: true }])
    expect((await post(fan, included)).locked).toBe(false)
    expect(await subscribe(fan, 200)).toEqual(held)
    await cancel(fan)
    await letEnd(fan)
    expect(await post(fan, included)).toMatchObject({ locked: true, content: '' })
    await apiAs(fan).expectError('GET', `/api/posts/${included}/comments`, 403)
    expect([(await details(fan)).subscription, await mine(fan)]).toEqual([null, []])
    // The job has not come by: a new one begins all the same.
    const anew = await subscribe(fan)
    expect(anew.id).not.toBe(held.id)
    expect([await paid(held.id), await paid(anew.id)]).toEqual([[sale], [sale]])
    expect(await subscribers()).toBe(1)
    const all = await apiAs(fan).getAllPages('/api/user/subscriptions?limit=1', z.array(Subscription))
    expect(all.slice(0, 2).map(({ id, state }) => [id, state])).toEqual([
      [anew.id, 'active'],
      [held.id, 'ended'],
    ])
  })

  it('ends at once when its month is over, with the renewal that was begun', async () => {
    const held = await subscribe(fan)
    await letEnd(fan)
    await sql`
      insert into public.payments (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
      select 'subscription', s.subscriber_id, s.creator_id, s.id, s.period_end, s.price_cents, 100, 'test'
      from public.subscriptions s where s.id = ${held.id}`
    expect((await post(fan, included)).locked).toBe(false)
    await cancel(fan)
    expect((await post(fan, included)).locked).toBe(true)
    // In the order of their beginnings: the month that is over was moved by `letEnd`, its payment was not.
    expect(await paid(held.id)).toEqual([{ state: 'void', booked: [] }, sale])
    await apiAs(fan).expectError('DELETE', `/api/subscriptions/${creator.id}`, 404)
  })

  it('is what a block makes of it, both ways', async () => {
    const one = await createUser()
    await makeCreator(one)
    await subscribe(one)
    await subscribe(creator, 201, one)
    await apiAs(one).post(`/api/users/${creator.id}/block`, BlockResponse)
    expect(await mine(one)).toMatchObject([{ cancelled: true, creator: null }])
    expect(await mine(creator)).toMatchObject([{ cancelled: true, creatorId: one.id }])
    await apiAs(one).expectError('GET', `/api/posts/${included}`, 404)
    await refused(one, 404, creator.id)
  })

  it('is one with a creator who has left: it has ended, and stays in the list', async () => {
    const one = await createUser()
    await makeCreator(one)
    const held = await subscribe(fan, 201, one)
    await subscribe(one)
    const before = await subscribers()
    await sql`delete from auth.users where id = ${one.id}`
    expect([await mine(fan), await subscribers()]).toEqual([[], (before ?? 0) - 1])
    const all = await apiAs(fan).getAllPages('/api/user/subscriptions', z.array(Subscription))
    expect(all.filter(({ id }) => id === held.id)).toMatchObject([{ state: 'ended', creator: null }])
    expect(await paid(held.id)).toEqual([sale])
  })
})
