import { EarningsOverview, GoalsResponse, Transaction } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { Post, UnlockResponse } from '@contract/post.ts'
import { SubscribeResponse } from '@contract/subscription.ts'
import { BlockResponse, OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { ageEarnings, makeCreator, tip } from '../support/creators.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, type TestUser } from '../support/users.ts'

const transactions = z.array(Transaction)
let creator: TestUser
let ana: TestUser
let ben: TestUser

beforeAll(async () => {
  ;[creator, ana, ben] = await Promise.all([
    createUser({ fullName: 'Cleo Creator' }),
    createUser({ fullName: 'Ana Fan' }),
    createUser({ fullName: 'Ben Fan' }),
  ])
  await makeCreator(creator)
})

const overview = async () => (await apiAs(creator).get('/api/earnings/overview', EarningsOverview)).body
const list = (query = '') =>
  apiAs(creator).getAllPages(`/api/earnings/transactions?limit=2${query}`, transactions)
const cents = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0)
/** Every card is what its rows add up to. */
const expectRowsToAddUp = async () => {
  const cards = await overview()
  const rows = async (of: string) => cents((await list(`&of=${of}`)).map(({ amount }) => amount))
  expect({
    available: await rows('available'),
    pending: await rows('pending'),
    this_month: await rows('this_month'),
    last_30_days: await rows('last_30_days'),
  }).toEqual({
    available: cents([cards.available]),
    pending: cents([cards.pending]),
    this_month: cents([cards.thisMonth]),
    last_30_days: cents([cards.last30Days]),
  })
  expect(cents((await list()).map(({ amount }) => amount))).toBe(cents([cards.available, cards.pending]))
  return cards
}
const today = new Date()
const firstOf = (monthsAgo: number) =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 10)

describe('earnings', () => {
  it('are told to creators, and to those who earned something, alone', async () => {
    const paths = ['overview', 'transactions', 'transactions/export', 'goals'].map(
      (name) => `/api/earnings/${name}`,
    )
    for (const path of paths) {
      expect((await apiAs(null).expectError('GET', path, 401)).code).toBe('unauthorized')
      expect(await apiAs(ana).expectError('GET', path, 403)).toEqual({
        code: 'creators_only',
        message: 'Earnings is a Creator Pro exclusive feature.',
      })
    }
    // Whatever is sent.
    expect((await apiAs(null).expectError('PATCH', '/api/earnings/goals', 401, { body: '{' })).code).toBe(
      'unauthorized',
    )
    for (const body of [{ subscribers: -1 }, { subscribers: 5 }]) {
      expect((await apiAs(ana).expectError('PATCH', '/api/earnings/goals', 403, { body })).code).toBe(
        'creators_only',
      )
    }
    expect((await apiAs(creator).expectError('GET', '/api/earnings/transactions?of=all', 400)).code).toBe(
      'validation_failed',
    )
  })

  it('begin with nothing', async () => {
    expect(await overview()).toEqual({
      available: 0,
      pending: 0,
      thisMonth: 0,
      previousMonth: 0,
      last30Days: 0,
      yearlyProjection: 0,
      sources: [],
      months: Array.from({ length: 12 }, (_, at) => ({ month: firstOf(11 - at), amount: 0 })),
      feePercent: 10,
      nextPayoutAt: null,
    })
    expect(await list()).toEqual([])
  })

  it('are the sum of their rows, which say in words what they are', async () => {
    const post = (
      await apiAs(creator).post(
        '/api/posts',
        Post,
        {
          content: 'How I light\na small room with two lamps and no more',
          isPremium: true,
          premiumPrice: 12.5,
        },
        201,
      )
    ).body.id
    await tip(ana, creator, 100, 'Love it')
    await apiAs(ben).post('/api/subscriptions', SubscribeResponse, { creatorId: creator.id }, 201)
    await apiAs(ana).post(`/api/posts/${post}/unlock`, UnlockResponse, { amount: 12.5 })
    await apiAs(ben).post(`/api/posts/${post}/unlock`, UnlockResponse, { amount: 12.5 })
    const [given] = await sql<{ id: string }[]>`
      select id from public.payments where payer_id = ${ben.id} and kind = 'unlock'`
    await sql`select private.refund_payment(${given?.id ?? ''})`

    // Ten percent of each: 90.00, 8.99, 11.25.
    const cards = await expectRowsToAddUp()
    expect(cards).toMatchObject({
      available: 0,
      pending: 110.24,
      thisMonth: 110.24,
      last30Days: 110.24,
      yearlyProjection: 1322.88,
      sources: [
        { source: 'tip', amount: 90, percentage: 82 },
        { source: 'premium_content', amount: 11.25, percentage: 10 },
        { source: 'subscription', amount: 8.99, percentage: 8 },
      ],
    })
    expect(cards.months.at(-1)).toEqual({ month: firstOf(0), amount: 110.24 })

    const title = '“How I light a small room with two lamps…”'
    const rows = await list()
    expect(
      rows.map(({ type, source, amount, description, person }) => [
        type,
        source,
        amount,
        description,
        person?.id,
      ]),
    ).toEqual([
      ['refund', 'premium_content', -11.25, `Refund of the unlock of ${title}`, ben.id],
      ['premium_content', null, 11.25, `Unlock of ${title}`, ben.id],
      ['premium_content', null, 11.25, `Unlock of ${title}`, ana.id],
      ['subscription', null, 8.99, 'Subscription from Ben Fan', ben.id],
      ['tip', null, 90, 'Tip from Ana Fan: “Love it”', ana.id],
    ])
    expect(rows.at(-1)).toMatchObject({ gross: 100, fee: 10, status: 'pending' })
    expect(rows[0]).toMatchObject({ gross: -12.5, fee: -1.25, clearsAt: rows[1]?.clearsAt })
    expect((await list('&type=refund')).map(({ type }) => type)).toEqual(['refund'])
    expect(await list('&type=payout')).toEqual([])
    expect((await list('&type=tip&of=pending')).length).toBe(1)
  })

  it('clear after seven days, and count in the month that they came in', async () => {
    await ageEarnings(creator, '6 days 23 hours')
    expect((await expectRowsToAddUp()).pending).toBe(110.24)
    await ageEarnings(creator, '2 hours')
    expect(await expectRowsToAddUp()).toMatchObject({ available: 110.24, pending: 0, last30Days: 110.24 })
    await tip(ana, creator, 5)
    await ageEarnings(creator, '31 days')
    await tip(ana, creator, 10)
    const cards = await expectRowsToAddUp()
    expect(cards).toMatchObject({ available: 114.74, pending: 9, thisMonth: 9, last30Days: 9 })
    expect(cards.yearlyProjection).toBe(108)
    expect(cents(cards.months.map(({ amount }) => amount))).toBe(12374)
    expect(cards.sources.map(({ percentage }) => percentage).reduce((sum, one) => sum + one)).toBe(100)
    expect((await list('&of=pending')).map(({ status }) => status)).toEqual(['pending'])
  })

  it('name nobody who is blocked or gone', async () => {
    await apiAs(ben).post(`/api/users/${creator.id}/block`, BlockResponse)
    const ofBen = (await list('&type=subscription'))[0]
    expect([ofBen?.description, ofBen?.person]).toEqual(['Subscription from Someone', null])
    await sql`delete from auth.users where id = ${ana.id}`
    const tips = await list('&type=tip')
    expect(tips.map(({ description, person }) => [description, person])).toEqual([
      ['Tip from Deleted user', null],
      ['Tip from Deleted user', null],
      ['Tip from Deleted user: “Love it”', null],
    ])
    // Nor by the Data API, which tells nothing of who paid.
    const answer = await call('GET', '/rest/v1/ledger_transactions?select=*', {
      headers: { apikey: stack.publishableKey, Authorization: `Bearer ${creator.token}` },
    })
    const seen = z.array(z.looseObject({ person_id: z.string() })).parse(await answer.json())
    expect(new Set(seen.map((row) => row.person_id))).toEqual(new Set([creator.id]))
    expect(JSON.stringify(seen)).not.toContain(ben.id)
  })

  it('leave as a table', async () => {
    const path = '/api/earnings/transactions/export'
    const headers = { Authorization: `Bearer ${creator.token}` }
    const answer = await call('GET', path, { headers })
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="ovation-transactions-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const lines = (await answer.text()).split('\r\n')
    const rows = await list()
    expect(lines).toHaveLength(rows.length + 2)
    expect(lines[0]).toBe(
      'Date (UTC),Type,Description,Paid (USD),Fee (USD),Amount (USD),Status,Clears (UTC),Transaction',
    )
    for (const [at, row] of rows.entries()) {
      expect(lines[at + 1]).toContain(`,${row.type},`)
      expect(lines[at + 1]).toContain(`,${row.amount.toFixed(2)},${row.status},`)
      expect(lines[at + 1]?.endsWith(row.id)).toBe(true)
    }
    await sql`
      update public.payments set note = ${'one\n=1+1\r\ttwo;=2+2 \u202Eeno'}
      where payee_id = ${creator.id} and kind = 'tip' and note is not null`
    const ofTips = await call('GET', `${path}?of=last_30_days&type=tip`, { headers })
    expect(ofTips.headers.get('Content-Disposition')).toMatch(
      /"ovation-transactions-last-30-days-tip-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const tips = await (await call('GET', `${path}?type=tip`, { headers })).text()
    expect(tips.trim().split('\r\n')).toHaveLength(4)
    // Whatever a reader takes for the end of a row or a cell, no formula begins behind it.
    expect(tips).toContain("“one =1+1 two;'=2+2 eno”")
    expect(tips).not.toMatch(/[^\r]\n|\r[^\n]|\t/)
    const session = encodeURIComponent(
      JSON.stringify({ access_token: creator.token, refresh_token: creator.refreshToken }),
    )
    const elsewhere = { Cookie: `ovation-auth=${session}`, 'Sec-Fetch-Site': 'cross-site' }
    expect((await apiAs(null).expectError('GET', path, 403, { headers: elsewhere })).code).toBe(
      'origin_refused',
    )
    await exhaustRateLimit('earnings-export', creator.id, 30, '1 hour')
    await apiAs(creator).expectError('GET', path, 429)
  })

  it('have goals, and say how far they are', async () => {
    const path = '/api/earnings/goals'
    const { goals: standard } = limits
    const begun = (await apiAs(creator).get(path, GoalsResponse)).body
    expect(begun.goals).toEqual({
      monthlyRevenue: standard.monthlyRevenue,
      yearlyRevenue: standard.yearlyRevenue,
      subscribers: standard.subscribers,
    })
    const cards = await overview()
    expect(begun.now).toMatchObject({
      monthlyRevenue: cards.thisMonth,
      yearlyRevenue: cards.yearlyProjection,
    })
    expect((await apiAs(creator).patch(path, GoalsResponse, { subscribers: 20 })).body.goals).toEqual({
      ...begun.goals,
      subscribers: 20,
    })
    const changed = (
      await apiAs(creator).patch(path, GoalsResponse, { monthlyRevenue: 750.5, yearlyRevenue: 9000 })
    ).body
    expect(changed.goals).toEqual({ monthlyRevenue: 750.5, yearlyRevenue: 9000, subscribers: 20 })
    expect((await apiAs(creator).get(path, GoalsResponse)).body).toEqual(changed)
    const wrong = [{ monthlyRevenue: 0 }, { yearlyRevenue: 1.005 }, { subscribers: 1.5 }, { people: 3 }]
    for (const body of wrong) {
      expect((await apiAs(creator).expectError('PATCH', path, 400, { body })).code).toBe('validation_failed')
    }
  })

  it('stay open to a creator who is none any more', async () => {
    await sql`update public.profiles set is_creator = false where id = ${creator.id}`
    for (const [who, hasEarned] of [
      [creator, true],
      [await createUser(), false],
    ] as const)
      expect((await apiAs(who).get('/api/auth/user', OwnUser)).body).toMatchObject({
        isCreator: false,
        hasEarned,
      })
    expect((await overview()).available).toBe(114.74)
    await sql`delete from auth.sessions where user_id = ${creator.id}`
    expect((await apiAs(creator).expectError('GET', '/api/earnings/overview', 401)).code).toBe('unauthorized')
  })
})
