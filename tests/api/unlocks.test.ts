import { ErrorBody } from '@contract/common.ts'
import { Notification } from '@contract/notification.ts'
import { Post, UnlockResponse } from '@contract/post.ts'
import { SubscribeResponse } from '@contract/subscription.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

const unlockFailedMessage = 'Failed to unlock premium content. Please try again.'
let author: TestUser
let fan: TestUser
let other: TestUser
let blockedUser: TestUser

beforeAll(async () => {
  ;({ author, fan, other, blockedUser } = await createUsers('author', 'fan', 'other', 'blockedUser'))
  await makeCreator(author)
  await apiAs(author).post(`/api/users/${blockedUser.id}/block`, BlockResponse)
})

const createPremiumPost = async (premiumPrice: number) => {
  const body = { content: 'The paid text', teaser: 'Only a teaser', isPremium: true, premiumPrice }
  return (await createPost(author, body)).id
}
const unlock = async (user: TestUser, postId: string, amount: number) =>
  (await apiAs(user).post(`/api/posts/${postId}/unlock`, UnlockResponse, { amount })).body.post
const expectUnlockError = (
  user: TestUser | null,
  postId: string,
  status: number,
  body: unknown = { amount: 5 },
) => apiAs(user).expectError('POST', `/api/posts/${postId}/unlock`, status, { body })

type Payment = { id: string; payer: string; state: string; amount: number }
const payments = (postId: string) => sql<Payment[]>`
  select id, payer_id as payer, state, amount_cents as amount from public.payments
  where post_id = ${postId} order by created_at`
/** Returns the sum in cents and the number of ledger entries for a post, by account and label. */
const ledgerSums = async (postId: string) => {
  const rows = await sql<{ key: string; cents: number; entries: number }[]>`
    select e.account || ' ' || e.label as key, sum(e.amount_cents)::int as cents, count(*)::int as entries
    from public.payments p join public.ledger_transactions t on t.payment_id = p.id
    join public.ledger_entries e on e.transaction_id = t.id
    where p.post_id = ${postId} group by 1 order by 1`
  return Object.fromEntries(rows.map(({ key, cents, entries }) => [key, [cents, entries]]))
}

describe('POST /api/posts/:id/unlock', () => {
  it('unlocks a post permanently, records the payment and notifies the author', async () => {
    const postId = await createPremiumPost(12.5)
    const before = (await apiAs(fan).get(`/api/posts/${postId}`, Post)).body
    expect(before).toMatchObject({ locked: true, content: '', teaser: 'Only a teaser', premiumPrice: 12.5 })
    const unlocked = await unlock(fan, postId, 12.5)
    expect(unlocked).toMatchObject({ id: postId, locked: false, content: 'The paid text' })
    expect((await apiAs(fan).get(`/api/posts/${postId}`, Post)).body).toEqual(unlocked)
    expect((await apiAs(other).get(`/api/posts/${postId}`, Post)).body.locked).toBe(true)
    expect(await ledgerSums(postId)).toEqual({
      'creator fee': [-125, 1],
      'creator sale': [1250, 1],
      'platform fee': [125, 1],
      'processor payment': [-1250, 1],
    })
    const notifications = (await apiAs(author).get('/api/notifications', z.array(Notification))).body
    expect(notifications.filter(({ href }) => href === `/post/${postId}`)).toMatchObject([
      { kind: 'unlock', title: 'Post unlocked', message: 'Test Person unlocked your post.' },
    ])
    // The post is already unlocked, so the amount does not matter.
    expect((await unlock(fan, postId, 1)).locked).toBe(false)
    expect(await payments(postId)).toMatchObject([{ payer: fan.id, state: 'paid', amount: 1250 }])
  })

  it('charges each buyer once for parallel requests', async () => {
    const postId = await createPremiumPost(4)
    const buyers = [fan, other]
    const unlockedPosts = await Promise.all(
      buyers.flatMap((user) => Array.from({ length: 20 }, () => unlock(user, postId, 4))),
    )
    expect(unlockedPosts.every(({ locked, content }) => !locked && content === 'The paid text')).toBe(true)
    const created = await payments(postId)
    expect(created.map(({ payer }) => payer).sort()).toEqual(buyers.map(({ id }) => id).sort())
    expect(created.every(({ state, amount }) => state === 'paid' && amount === 400)).toBe(true)
    expect(await ledgerSums(postId)).toEqual({
      'creator fee': [-80, 2],
      'creator sale': [800, 2],
      'platform fee': [80, 2],
      'processor payment': [-800, 2],
    })
  })

  it('charges the current price', async () => {
    const postId = await createPremiumPost(5)
    const changes = { premiumPrice: 7.25 }
    expect((await apiAs(author).patch(`/api/posts/${postId}`, Post, changes)).body.premiumPrice).toBe(7.25)
    expect(await expectUnlockError(fan, postId, 400)).toEqual({
      code: 'amount_mismatch',
      message: 'The price of this post is now $7.25.',
    })
    for (const amount of [0, -7.25, 7.251, 725, 1e300]) {
      expect((await expectUnlockError(fan, postId, 400, { amount })).code).toBe('amount_mismatch')
    }
    for (const body of [{}, { amount: '7.25' }, { amount: null }]) {
      expect((await expectUnlockError(fan, postId, 400, body)).code).toBe('validation_failed')
    }
    expect(await payments(postId)).toHaveLength(0)
    await unlock(fan, postId, 7.25)
    // A later price change does not affect buyers.
    await apiAs(author).patch(`/api/posts/${postId}`, Post, { premiumPrice: 50, content: 'Rewritten' })
    expect((await apiAs(fan).get(`/api/posts/${postId}`, Post)).body).toMatchObject({
      locked: false,
      content: 'Rewritten',
      premiumPrice: 50,
    })
    expect(await payments(postId)).toMatchObject([{ state: 'paid', amount: 725 }])
  })

  it("does not charge for the caller's own post or a free post", async () => {
    const [ownPostId, freePostId] = [await createPremiumPost(5), (await createPost(author, 'For all')).id]
    expect((await unlock(author, ownPostId, 5)).mine).toBe(true)
    expect((await unlock(fan, freePostId, 5)).locked).toBe(false)
    expect([...(await payments(ownPostId)), ...(await payments(freePostId))]).toEqual([])
  })

  it('rejects visitors, read-only accounts and users who cannot see the post', async () => {
    const postId = await createPremiumPost(5)
    const setVisibility = (visibility: string) =>
      sql`update public.profiles set visibility = ${visibility} where id = ${author.id}`
    expect((await expectUnlockError(null, postId, 401, 'nonsense')).code).toBe('unauthorized')
    expect((await expectUnlockError(blockedUser, postId, 404)).message).toBe('Post not found')
    await setVisibility('private')
    await expectUnlockError(fan, postId, 404)
    await setVisibility('followers')
    await expectUnlockError(fan, postId, 404)
    await sql`insert into public.follows (follower_id, followee_id) values (${fan.id}, ${author.id})`
    expect((await expectUnlockError(fan, postId, 400, { amount: 6 })).code).toBe('amount_mismatch')
    await setVisibility('public')
    await expectUnlockError(fan, crypto.randomUUID(), 404)

    const setReadOnly = (user: TestUser, reason: string | null) =>
      sql`update public.accounts set read_only_reason = ${reason} where user_id = ${user.id}`
    // Posts by a read-only author cannot be bought.
    await setReadOnly(author, 'under 18')
    expect((await expectUnlockError(other, postId, 403)).code).toBe('payment_failed')
    await setReadOnly(author, null)

    await setReadOnly(blockedUser, 'under 18')
    expect((await expectUnlockError(blockedUser, postId, 403)).code).toBe('account_read_only')
    await sql`delete from auth.sessions where user_id = ${blockedUser.id}`
    expect((await expectUnlockError(blockedUser, postId, 401)).code).toBe('unauthorized')
    await exhaustRateLimit('unlocks', other.id, 60, '1 minute')
    expect((await expectUnlockError(other, postId, 429)).code).toBe('rate_limited')
    await clearRateLimits(other.id, 'unlocks')
    expect(await payments(postId)).toHaveLength(0)
  })

  it('is undone by a refund, and the post can be bought again', async () => {
    const postId = await createPremiumPost(3)
    await unlock(fan, postId, 3)
    const [first] = await payments(postId)
    await sql`select private.refund_payment(${first?.id ?? ''})`
    expect((await apiAs(fan).get(`/api/posts/${postId}`, Post)).body).toMatchObject({
      locked: true,
      content: '',
    })
    expect(Object.values(await ledgerSums(postId)).map(([cents]) => cents)).toEqual([0, 0, 0, 0])
    expect((await unlock(fan, postId, 3)).locked).toBe(false)
    expect((await payments(postId)).map(({ state }) => state)).toEqual(['refunded', 'paid'])
    expect(await ledgerSums(postId)).toMatchObject({ 'creator sale': [300, 3], 'platform fee': [30, 3] })
  })

  it('keeps the payment and its ledger entries, but not the unlock, when the post is deleted', async () => {
    const postId = await createPremiumPost(2)
    await unlock(fan, postId, 2)
    await apiAs(author).expectNoContent('DELETE', `/api/posts/${postId}`)
    await apiAs(fan).expectError('GET', `/api/posts/${postId}`, 404)
    await expectUnlockError(fan, postId, 404, { amount: 2 })
    expect(await payments(postId)).toMatchObject([{ state: 'paid', amount: 200 }])
    expect(await ledgerSums(postId)).toMatchObject({ 'creator sale': [200, 1] })
    expect(await sql`select from public.unlocks where post_id = ${postId}`).toHaveLength(0)
  })

  it('creates ledger entries that only the creator can read, and a payment and an unlock that only the buyer can read', async () => {
    await unlock(fan, await createPremiumPost(2), 2)
    const rows = async (user: TestUser, table: string) => {
      const response = await call('GET', `/rest/v1/${table}?select=*`, {
        headers: { apikey: stack.publishableKey, ...authorizationHeader(user) },
      })
      expect(response.status).toBe(200)
      return (await response.json()) as { user_id?: string; payer_id?: string }[]
    }
    const entries = await rows(author, 'ledger_entries')
    expect(entries.length).toBeGreaterThan(1)
    expect(new Set(entries.map((row) => row.user_id))).toEqual(new Set([author.id]))
    expect(await rows(fan, 'ledger_entries')).toEqual([])
    expect(new Set((await rows(fan, 'payments')).map((row) => row.payer_id))).toEqual(new Set([fan.id]))
    expect(new Set((await rows(fan, 'unlocks')).map((row) => row.user_id))).toEqual(new Set([fan.id]))
    expect([await rows(author, 'payments'), await rows(author, 'unlocks')]).toEqual([[], []])
  })
})

describe('without a payment provider', () => {
  let api: FunctionServer
  beforeAll(async () => {
    api = await startApiServer({ PAYMENTS_PROVIDER: 'off' })
  })
  afterAll(() => api.stop())

  const unlockRequest = (user: TestUser, postId: string, amount: number) =>
    fetch(`${api.url}/api/posts/${postId}/unlock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...authorizationHeader(user) },
      body: JSON.stringify({ amount }),
    })

  it('unlocking fails and stores no payment; unlocked posts stay unlocked', async () => {
    const [unlockedPostId, postId] = [await createPremiumPost(2), await createPremiumPost(2)]
    await unlock(fan, unlockedPostId, 2)
    const response = await unlockRequest(fan, postId, 2)
    expect(response.status).toBe(503)
    expect(ErrorBody.parse(await response.json())).toEqual({
      code: 'payment_failed',
      message: unlockFailedMessage,
    })
    expect((await unlockRequest(fan, postId, 3)).status).toBe(400)
    expect((await unlockRequest(fan, crypto.randomUUID(), 2)).status).toBe(404)
    expect(await payments(postId)).toHaveLength(0)
    expect((await apiAs(fan).get(`/api/posts/${postId}`, Post)).body.locked).toBe(true)
    expect(UnlockResponse.parse(await (await unlockRequest(fan, unlockedPostId, 2)).json()).post.locked).toBe(
      false,
    )
  })

  it('subscribing fails and stores no subscription; existing subscriptions continue', async () => {
    const subscribe = (user: TestUser) =>
      fetch(`${api.url}/api/subscriptions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...authorizationHeader(user) },
        body: JSON.stringify({ creatorId: author.id }),
      })
    const response = await subscribe(other)
    expect([response.status, ErrorBody.parse(await response.json())]).toEqual([
      503,
      { code: 'payment_failed', message: 'Failed to subscribe' },
    ])
    expect((await subscribe(author)).status).toBe(400)
    expect(await sql`select from public.subscriptions where creator_id = ${author.id}`).toHaveLength(0)
    const body = { creatorId: author.id }
    const subscription = (await apiAs(fan).post('/api/subscriptions', SubscribeResponse, body, 201)).body
    const repeated = await subscribe(fan)
    expect([repeated.status, SubscribeResponse.parse(await repeated.json())]).toEqual([200, subscription])
  })
})
