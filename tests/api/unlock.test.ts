import { ErrorBody } from '@contract/errors.ts'
import { Notification } from '@contract/notification.ts'
import { Post, UnlockResponse } from '@contract/post.ts'
import { SubscribeResponse } from '@contract/subscription.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const failed = 'Failed to unlock premium content. Please try again.'
let author: TestUser
let fan: TestUser
let other: TestUser
let foe: TestUser

beforeAll(async () => {
  ;({ author, fan, other, foe } = await createUsers('author', 'fan', 'other', 'foe'))
  await sql`update public.profiles set is_creator = true where id = ${author.id}`
  await apiAs(author).post(`/api/users/${foe.id}/block`, BlockResponse)
})

const sell = async (premiumPrice: number) => {
  const body = { content: 'The paid words', teaser: 'Only a teaser', isPremium: true, premiumPrice }
  return (await apiAs(author).post('/api/posts', Post, body, 201)).body.id
}
const unlock = async (who: TestUser, post: string, amount: number) =>
  (await apiAs(who).post(`/api/posts/${post}/unlock`, UnlockResponse, { amount })).body.post
const refused = (who: TestUser | null, post: string, status: number, body: unknown = { amount: 5 }) =>
  apiAs(who).expectError('POST', `/api/posts/${post}/unlock`, status, { body })

type Payment = { id: string; payer: string; state: string; amount: number }
const payments = (post: string) => sql<Payment[]>`
  select id, payer_id as payer, state, amount_cents as amount from public.payments
  where post_id = ${post} order by created_at`
/** What was booked for a post, summed up by account and label. */
const sums = async (post: string) => {
  const rows = await sql<{ key: string; cents: number; entries: number }[]>`
    select e.account || ' ' || e.label as key, sum(e.amount_cents)::int as cents, count(*)::int as entries
    from public.payments p join public.ledger_transactions t on t.payment_id = p.id
    join public.ledger_entries e on e.transaction_id = t.id
    where p.post_id = ${post} group by 1 order by 1`
  return Object.fromEntries(rows.map(({ key, cents, entries }) => [key, [cents, entries]]))
}

describe('unlocking a post', () => {
  it('opens it for good, books its price and tells the author', async () => {
    const post = await sell(12.5)
    const before = (await apiAs(fan).get(`/api/posts/${post}`, Post)).body
    expect(before).toMatchObject({ locked: true, content: '', teaser: 'Only a teaser', premiumPrice: 12.5 })
    const opened = await unlock(fan, post, 12.5)
    expect(opened).toMatchObject({ id: post, locked: false, content: 'The paid words' })
    expect((await apiAs(fan).get(`/api/posts/${post}`, Post)).body).toEqual(opened)
    expect((await apiAs(other).get(`/api/posts/${post}`, Post)).body.locked).toBe(true)
    expect(await sums(post)).toEqual({
      'creator fee': [-125, 1],
      'creator sale': [1250, 1],
      'platform fee': [125, 1],
      'processor payment': [-1250, 1],
    })
    const told = (await apiAs(author).get('/api/notifications', z.array(Notification))).body
    expect(told.filter(({ href }) => href === `/post/${post}`)).toMatchObject([
      { kind: 'unlock', title: 'Post unlocked', message: 'Test Person unlocked your post.' },
    ])
    // Whatever it would cost now: it is open already.
    expect((await unlock(fan, post, 1)).locked).toBe(false)
    expect(await payments(post)).toMatchObject([{ payer: fan.id, state: 'paid', amount: 1250 }])
  })

  it('is paid once by each, however many calls come at once', async () => {
    const post = await sell(4)
    const buyers = [fan, other]
    const answers = await Promise.all(
      buyers.flatMap((who) => Array.from({ length: 20 }, () => unlock(who, post, 4))),
    )
    expect(answers.every(({ locked, content }) => !locked && content === 'The paid words')).toBe(true)
    const made = await payments(post)
    expect(made.map(({ payer }) => payer).sort()).toEqual(buyers.map(({ id }) => id).sort())
    expect(made.every(({ state, amount }) => state === 'paid' && amount === 400)).toBe(true)
    expect(await sums(post)).toEqual({
      'creator fee': [-80, 2],
      'creator sale': [800, 2],
      'platform fee': [80, 2],
      'processor payment': [-800, 2],
    })
  })

  it('costs what it costs at that moment', async () => {
    const post = await sell(5)
    const changes = { premiumPrice: 7.25 }
    expect((await apiAs(author).patch(`/api/posts/${post}`, Post, changes)).body.premiumPrice).toBe(7.25)
    expect(await refused(fan, post, 400)).toEqual({
      code: 'amount_mismatch',
      message: 'This post costs $7.25 now.',
    })
    for (const amount of [0, -7.25, 7.251, 725, 1e300]) {
      expect((await refused(fan, post, 400, { amount })).code).toBe('amount_mismatch')
    }
    for (const body of [{}, { amount: '7.25' }, { amount: null }]) {
      expect((await refused(fan, post, 400, body)).code).toBe('validation_failed')
    }
    expect(await payments(post)).toHaveLength(0)
    await unlock(fan, post, 7.25)
    // A price that rises later is for those who have not paid.
    await apiAs(author).patch(`/api/posts/${post}`, Post, { premiumPrice: 50, content: 'Written anew' })
    expect((await apiAs(fan).get(`/api/posts/${post}`, Post)).body).toMatchObject({
      locked: false,
      content: 'Written anew',
      premiumPrice: 50,
    })
    expect(await payments(post)).toMatchObject([{ state: 'paid', amount: 725 }])
  })

  it('takes nothing for one’s own post, or a free one', async () => {
    const [own, free] = [
      await sell(5),
      (await apiAs(author).post('/api/posts', Post, { content: 'For all' }, 201)).body.id,
    ]
    expect((await unlock(author, own, 5)).mine).toBe(true)
    expect((await unlock(fan, free, 5)).locked).toBe(false)
    expect([...(await payments(own)), ...(await payments(free))]).toEqual([])
  })

  it('is for people who may see the post and may write', async () => {
    const post = await sell(5)
    const setProfile = (visibility: string) =>
      sql`update public.profiles set visibility = ${visibility} where id = ${author.id}`
    expect((await refused(null, post, 401, 'nonsense')).code).toBe('unauthorized')
    expect((await refused(foe, post, 404)).message).toBe('Post not found')
    await setProfile('private')
    await refused(fan, post, 404)
    await setProfile('followers')
    await refused(fan, post, 404)
    await sql`insert into public.follows (follower_id, followee_id) values (${fan.id}, ${author.id})`
    expect((await refused(fan, post, 400, { amount: 6 })).code).toBe('amount_mismatch')
    await setProfile('public')
    await refused(fan, crypto.randomUUID(), 404)

    const setReadOnly = (person: TestUser, reason: string | null) =>
      sql`update public.accounts set read_only_reason = ${reason} where user_id = ${person.id}`
    // Nothing is sold of somebody who may do nothing.
    await setReadOnly(author, 'under 18')
    expect((await refused(other, post, 403)).code).toBe('payment_failed')
    await setReadOnly(author, null)

    await setReadOnly(foe, 'under 18')
    expect((await refused(foe, post, 403)).code).toBe('account_read_only')
    await sql`delete from auth.sessions where user_id = ${foe.id}`
    expect((await refused(foe, post, 401)).code).toBe('unauthorized')
    await exhaustRateLimit('unlocks', other.id, 60, '1 minute')
    expect((await refused(other, post, 429)).code).toBe('rate_limited')
    await clearRateLimits(other.id, 'unlocks')
    expect(await payments(post)).toHaveLength(0)
  })

  it('ends with a refund, and the post can be bought anew', async () => {
    const post = await sell(3)
    await unlock(fan, post, 3)
    const [first] = await payments(post)
    await sql`select private.refund_payment(${first?.id ?? ''})`
    expect((await apiAs(fan).get(`/api/posts/${post}`, Post)).body).toMatchObject({
      locked: true,
      content: '',
    })
    expect(Object.values(await sums(post)).map(([cents]) => cents)).toEqual([0, 0, 0, 0])
    expect((await unlock(fan, post, 3)).locked).toBe(false)
    expect((await payments(post)).map(({ state }) => state)).toEqual(['refunded', 'paid'])
    expect(await sums(post)).toMatchObject({ 'creator sale': [300, 3], 'platform fee': [30, 3] })
  })

  it('outlives the post in the books alone', async () => {
    const post = await sell(2)
    await unlock(fan, post, 2)
    await apiAs(author).expectNoContent('DELETE', `/api/posts/${post}`)
    await apiAs(fan).expectError('GET', `/api/posts/${post}`, 404)
    await refused(fan, post, 404, { amount: 2 })
    expect(await payments(post)).toMatchObject([{ state: 'paid', amount: 200 }])
    expect(await sums(post)).toMatchObject({ 'creator sale': [200, 1] })
    expect(await sql`select from public.unlocks where post_id = ${post}`).toHaveLength(0)
  })

  it('leaves sales to their creator alone, by the Data API too', async () => {
    await unlock(fan, await sell(2), 2)
    const rows = async (who: TestUser, table: string) => {
      const answer = await call('GET', `/rest/v1/${table}?select=*`, {
        headers: { apikey: stack.publishableKey, Authorization: `Bearer ${who.token}` },
      })
      expect(answer.status).toBe(200)
      return (await answer.json()) as { person_id?: string; payer_id?: string; user_id?: string }[]
    }
    const earned = await rows(author, 'ledger_entries')
    expect(earned.length).toBeGreaterThan(1)
    expect(new Set(earned.map((row) => row.person_id))).toEqual(new Set([author.id]))
    expect(await rows(fan, 'ledger_entries')).toEqual([])
    expect(new Set((await rows(fan, 'payments')).map((row) => row.payer_id))).toEqual(new Set([fan.id]))
    expect(new Set((await rows(fan, 'unlocks')).map((row) => row.user_id))).toEqual(new Set([fan.id]))
    expect([await rows(author, 'payments'), await rows(author, 'unlocks')]).toEqual([[], []])
  })
})

describe('where no payments are taken', () => {
  let api: FunctionServer
  beforeAll(async () => {
    api = await startApiServer({ PAYMENTS_PROVIDER: 'off' })
  })
  afterAll(() => api.stop())

  const attempt = (who: TestUser, post: string, amount: number) =>
    fetch(`${api.url}/api/posts/${post}/unlock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${who.token}` },
      body: JSON.stringify({ amount }),
    })

  it('paying fails and leaves nothing behind; what is open stays so', async () => {
    const [open, post] = [await sell(2), await sell(2)]
    await unlock(fan, open, 2)
    const answer = await attempt(fan, post, 2)
    expect(answer.status).toBe(503)
    expect(ErrorBody.parse(await answer.json())).toEqual({ code: 'payment_failed', message: failed })
    expect((await attempt(fan, post, 3)).status).toBe(400)
    expect((await attempt(fan, crypto.randomUUID(), 2)).status).toBe(404)
    expect(await payments(post)).toHaveLength(0)
    expect((await apiAs(fan).get(`/api/posts/${post}`, Post)).body.locked).toBe(true)
    expect(UnlockResponse.parse(await (await attempt(fan, open, 2)).json()).post.locked).toBe(false)
  })

  it('subscribing fails and leaves nothing behind; what runs already goes on to its end', async () => {
    const subscribe = (who: TestUser) =>
      fetch(`${api.url}/api/subscriptions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${who.token}` },
        body: JSON.stringify({ creatorId: author.id }),
      })
    const refused = await subscribe(other)
    expect([refused.status, ErrorBody.parse(await refused.json())]).toEqual([
      503,
      { code: 'payment_failed', message: 'Failed to subscribe' },
    ])
    expect((await subscribe(author)).status).toBe(400)
    expect(await sql`select from public.subscriptions where creator_id = ${author.id}`).toHaveLength(0)
    const body = { creatorId: author.id }
    const held = (await apiAs(fan).post('/api/subscriptions', SubscribeResponse, body, 201)).body
    const again = await subscribe(fan)
    expect([again.status, SubscribeResponse.parse(await again.json())]).toEqual([200, held])
  })
})
