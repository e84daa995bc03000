import { EarningsByDay, EarningsOverview, GoalsResponse, Transaction } from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { UnlockResponse } from '@contract/post.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost, subscribe } from '../support/content-api.ts'
import { backdateEarnings, tip } from '../support/creators.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, getOwnUser, makeCreator, type TestUser } from '../support/users.ts'

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
/** Checks that each total equals the sum of its transactions, and returns the totals. */
const expectRowsToAddUp = async () => {
  const totals = await overview()
  const rows = async (of: string) => cents((await list(`&of=${of}`)).map(({ amount }) => amount))
  expect({
    available: await rows('available'),
    pending: await rows('pending'),
    this_month: await rows('this_month'),
    last_30_days: await rows('last_30_days'),
    earnings: await rows(`earnings&from=${dayAgo(29)}&to=${dayAgo(0)}`),
  }).toEqual({
    available: cents([totals.available]),
    pending: cents([totals.pending]),
    this_month: cents([totals.thisMonth]),
    last_30_days: cents([totals.last30Days]),
    earnings: cents([totals.last30Days]),
  })
  expect(cents((await list()).map(({ amount }) => amount))).toBe(cents([totals.available, totals.pending]))
  return totals
}
const today = new Date()
const dayAgo = (days: number) => new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10)
const firstDayOfMonth = (monthsAgo: number) =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 10)

describe('the earnings API', () => {
  it('is available only to creators and users who have earned something', async () => {
    const days = 'days?from=2026-01-01&to=2026-01-31'
    const paths = ['overview', days, 'transactions', 'transactions/export', 'goals'].map(
      (name) => `/api/earnings/${name}`,
    )
    for (const path of paths) {
      expect((await apiAs(null).expectError('GET', path, 401)).code).toBe('unauthorized')
      expect(await apiAs(ana).expectError('GET', path, 403)).toEqual({
        code: 'creators_only',
        message: 'Earnings is a Creator Pro exclusive feature.',
      })
    }
    // An invalid body does not change the error.
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

  it('returns zeros for a new creator', async () => {
    expect(await overview()).toEqual({
      available: 0,
      pending: 0,
      testBalance: 0,
      thisMonth: 0,
      previousMonth: 0,
      last30Days: 0,
      yearlyProjection: 0,
      sources: [],
      months: Array.from({ length: 12 }, (_, index) => ({
        month: firstDayOfMonth(11 - index),
        amount: 0,
        previousYear: 0,
      })),
      days: Array.from({ length: 30 }, (_, index) => ({ day: dayAgo(29 - index), amount: 0 })),
      feePercent: 10,
      nextPayoutAt: null,
      nextPayoutAmount: null,
    })
    expect(await list()).toEqual([])
  })

  it('returns totals that match the transactions, each with a readable description', async () => {
    const post = (
      await createPost(creator, {
        content: 'How I light\na small room with two lamps and no more',
        isPremium: true,
        premiumPrice: 12.5,
      })
    ).id
    await tip(ana, creator, 100, 'Love it')
    await subscribe(ben, creator)
    await apiAs(ana).post(`/api/posts/${post}/unlock`, UnlockResponse, { amount: 12.5 })
    await apiAs(ben).post(`/api/posts/${post}/unlock`, UnlockResponse, { amount: 12.5 })
    const [unlockPayment] = await sql<{ id: string }[]>`
      select id from public.payments where payer_id = ${ben.id} and kind = 'unlock'`
    await sql`select private.refund_payment(${unlockPayment?.id ?? ''})`

    // After the 10% fee: 90.00, 8.99 and 11.25.
    const totals = await expectRowsToAddUp()
    expect(totals).toMatchObject({
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
    expect(totals.months.at(-1)).toEqual({ month: firstDayOfMonth(0), amount: 110.24, previousYear: 0 })
    expect(totals.days.at(-1)).toEqual({ day: dayAgo(0), amount: 110.24 })
    expect(totals.days[0]).toEqual({ day: dayAgo(29), amount: 0 })

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
      ['premium_content', null, 11.25, `Unlocked ${title}`, ben.id],
      ['premium_content', null, 11.25, `Unlocked ${title}`, ana.id],
      ['subscription', null, 8.99, 'Subscription from Ben Fan', ben.id],
      ['tip', null, 90, 'Tip from Ana Fan: “Love it”', ana.id],
    ])
    const unlockDetails = {
      buyerDeleted: false,
      post: { deleted: false, title: 'How I light a small room with two lamps…' },
    }
    expect(rows.map(({ details }) => details)).toEqual([
      unlockDetails,
      unlockDetails,
      unlockDetails,
      { buyerDeleted: false },
      { buyerDeleted: false, note: 'Love it' },
    ])
    expect(rows.at(-1)).toMatchObject({ gross: 100, fee: 10, status: 'pending' })
    expect(rows[0]).toMatchObject({ gross: -12.5, fee: -1.25, clearsAt: rows[1]?.clearsAt })
    expect((await list('&type=refund')).map(({ type }) => type)).toEqual(['refund'])
    expect(await list('&type=payout')).toEqual([])
    expect((await list('&type=tip&of=pending')).length).toBe(1)
  })

  it('clears earnings after seven days and counts them in the month they were earned', async () => {
    await backdateEarnings(creator, '6 days 23 hours')
    expect((await expectRowsToAddUp()).pending).toBe(110.24)
    await backdateEarnings(creator, '2 hours')
    expect(await expectRowsToAddUp()).toMatchObject({ available: 110.24, pending: 0, last30Days: 110.24 })
    await tip(ana, creator, 5)
    await backdateEarnings(creator, '31 days')
    await tip(ana, creator, 10)
    const totals = await expectRowsToAddUp()
    expect(totals).toMatchObject({ available: 114.74, pending: 9, thisMonth: 9, last30Days: 9 })
    expect(totals.yearlyProjection).toBe(108)
    expect(cents(totals.months.map(({ amount }) => amount))).toBe(12374)
    expect(
      totals.sources.map(({ percentage }) => percentage).reduce((sum, percentage) => sum + percentage),
    ).toBe(100)
    expect((await list('&of=pending')).map(({ status }) => status)).toEqual(['pending'])
    // A scheduled payout includes the earnings that will have cleared by the payout day.
    await sql`
      insert into public.payout_methods (user_id, type, name, masked, is_default, changed_at)
      values (${creator.id}, 'paypal', 'PayPal', 'c•••', true, now() - interval '1 year')`
    for (const [days, nextPayoutAmount] of [
      [6, 114.74],
      [8, 123.74],
    ] as const) {
      await sql`
        insert into public.payout_schedules as s (user_id, next_at)
        values (${creator.id}, now() + make_interval(days => ${days}))
        on conflict (user_id) do update set next_at = excluded.next_at`
      expect((await expectRowsToAddUp()).nextPayoutAmount).toBe(nextPayoutAmount)
    }
    // No payout is due while the account is suspended or its email address is unconfirmed.
    for (const change of [
      { suspended_at: new Date(), suspension_reason: 'Spam', read_only_reason: 'Spam' },
      { email_confirmed_at: null },
    ]) {
      const [account] =
        await sql`select ${sql(Object.keys(change))} from public.accounts where user_id = ${creator.id}`
      await sql`update public.accounts set ${sql(change)} where user_id = ${creator.id}`
      expect(await overview()).toMatchObject({ nextPayoutAt: null, nextPayoutAmount: null })
      await sql`update public.accounts set ${sql(account ?? {})} where user_id = ${creator.id}`
    }
    expect(await overview()).toMatchObject({ nextPayoutAt: expect.any(String), nextPayoutAmount: 123.74 })
    await sql`delete from public.payout_methods where user_id = ${creator.id}`
  })

  it('does not name deleted users or users who blocked the creator', async () => {
    await apiAs(ben).post(`/api/users/${creator.id}/block`, BlockResponse)
    const subscriptionOfBen = (await list('&type=subscription'))[0]
    expect([subscriptionOfBen?.description, subscriptionOfBen?.person]).toEqual([
      'Subscription from Someone',
      null,
    ])
    await sql`delete from auth.users where id = ${ana.id}`
    const tips = await list('&type=tip')
    expect(tips.map(({ description, person }) => [description, person])).toEqual([
      ['Tip from Deleted user', null],
      ['Tip from Deleted user', null],
      ['Tip from Deleted user: “Love it”', null],
    ])
    expect([subscriptionOfBen?.details, tips.at(-1)?.details]).toEqual([
      { buyerDeleted: false },
      { buyerDeleted: true, note: 'Love it' },
    ])
    // The Data API reveals no payers either.
    const response = await call('GET', '/rest/v1/ledger_transactions?select=*', {
      headers: { apikey: stack.publishableKey, ...authorizationHeader(creator) },
    })
    const ledgerRows = z.array(z.looseObject({ user_id: z.string() })).parse(await response.json())
    expect(new Set(ledgerRows.map((row) => row.user_id))).toEqual(new Set([creator.id]))
    expect(JSON.stringify(ledgerRows)).not.toContain(ben.id)
  })

  it('lists and exports the transactions in a date range, and compares a month with the same month of the previous year', async () => {
    const path = '/api/earnings/transactions'
    const earner = await createUser()
    await makeCreator(earner)
    for (let count = 0; count < 4; count++) await tip(ben, earner, 10 + count)
    const times = [
      '2024-02-28T23:59:59.9Z',
      '2024-02-29T00:00:00Z',
      '2024-02-29T23:59:59.9Z',
      '2024-03-01T00:00:00Z',
    ]
    await sql.begin(async (tx) => {
      // This disables the triggers that make the ledger append-only.
      await tx`set local session_replication_role = replica`
      for (const [index, time] of times.entries())
        await tx`
          update public.ledger_transactions set created_at = ${time}
          where user_id = ${earner.id} and gross_cents = ${1000 + 100 * index}`
      await tx`
        insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
        values (${earner.id}, (${firstDayOfMonth(0)}::date - interval '1 year')::date, 'tip', 5000, 500, 1)`
    })
    const grossOf = async (query: string) =>
      (await apiAs(earner).get(`${path}?${query}`, z.array(Transaction))).body.map(({ gross }) => gross)
    expect(await grossOf('from=2024-02-29&to=2024-02-29')).toEqual([12, 11])
    expect(await grossOf('to=2024-02-28')).toEqual([10])
    expect(await grossOf('from=2024-03-01&type=tip')).toEqual([13])
    expect(await grossOf('from=2024-03-01&type=subscription')).toEqual([])
    const file = await call('GET', `${path}/export?from=2024-02-29&to=2024-03-01`, {
      headers: authorizationHeader(earner),
    })
    expect(file.headers.get('Content-Disposition')).toContain('from-2024-02-29-to-2024-03-01-')
    expect((await file.text()).trim().split('\r\n')).toHaveLength(4)
    for (const invalid of ['from=2024-02-30', 'to=yesterday', 'from=0000-01-01'])
      await apiAs(earner).expectError('GET', `${path}?${invalid}`, 400)
    const { months } = (await apiAs(earner).get('/api/earnings/overview', EarningsOverview)).body
    expect(months.map(({ previousYear }) => previousYear)).toEqual([...Array(11).fill(0), 45])
  })

  it('returns the earnings of a range of days, and of the same number of days before it', async () => {
    const earner = await createUser()
    await makeCreator(earner)
    await sql`
      insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
      values (${earner.id}, '2026-01-06', 'tip', 900, 90, 1), (${earner.id}, '2026-01-07', 'tip', 1000, 100, 1),
             (${earner.id}, '2026-01-09', 'tip', 2000, 200, 1), (${earner.id}, '2026-01-09', 'unlock', 1005, 101, 1),
             (${earner.id}, '2026-01-11', 'tip', 5000, 500, 1)`
    const path = '/api/earnings/days'
    const { body } = await apiAs(earner).get(`${path}?from=2026-01-09&to=2026-01-10`, EarningsByDay)
    expect(body).toEqual({
      total: 27.04,
      previousTotal: 9,
      days: [
        { day: '2026-01-09', amount: 27.04 },
        { day: '2026-01-10', amount: 0 },
      ],
      previousDays: [
        { day: '2026-01-07', amount: 9 },
        { day: '2026-01-08', amount: 0 },
      ],
    })
    for (const query of [
      '',
      'from=2026-01-09',
      'from=2026-01-09&to=2026-01-08',
      'from=2024-01-01&to=2026-01-01',
    ])
      await apiAs(earner).expectError('GET', `${path}?${query}`, 400)
  })

  it('exports transactions as CSV', async () => {
    const path = '/api/earnings/transactions/export'
    const headers = authorizationHeader(creator)
    const response = await call('GET', path, { headers })
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="ovation-transactions-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const lines = (await response.text()).split('\r\n')
    const rows = await list()
    expect(lines).toHaveLength(rows.length + 2)
    expect(lines[0]).toBe(
      'Date (UTC),Type,Description,Paid (USD),Fee (USD),Amount (USD),Status,Clears (UTC),Transaction,Test money',
    )
    for (const [index, row] of rows.entries()) {
      expect(lines[index + 1]).toContain(`,${row.type},`)
      expect(lines[index + 1]).toContain(`,${row.amount.toFixed(2)},${row.status},`)
      expect(lines[index + 1]?.endsWith(`,${row.id},yes`)).toBe(true)
    }
    await sql`
      update public.payments set note = ${'one\n=1+1\r\ttwo;=2+2 \u202Eeno'}
      where payee_id = ${creator.id} and kind = 'tip' and note is not null`
    const tipExport = await call('GET', `${path}?of=last_30_days&type=tip`, { headers })
    expect(tipExport.headers.get('Content-Disposition')).toMatch(
      /"ovation-transactions-last-30-days-tip-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const tips = await (await call('GET', `${path}?type=tip`, { headers })).text()
    expect(tips.trim().split('\r\n')).toHaveLength(4)
    // No unescaped formula follows a character that a spreadsheet may treat as the end of a row or cell.
    expect(tips).toContain("“one =1+1 two;'=2+2 eno”")
    expect(tips).not.toMatch(/[^\r]\n|\r[^\n]|\t/)
    const session = encodeURIComponent(
      JSON.stringify({ access_token: creator.token, refresh_token: creator.refreshToken }),
    )
    const crossSiteHeaders = { Cookie: `ovation-auth=${session}`, 'Sec-Fetch-Site': 'cross-site' }
    expect((await apiAs(null).expectError('GET', path, 403, { headers: crossSiteHeaders })).code).toBe(
      'origin_refused',
    )
    await exhaustRateLimit('earnings-export', creator.id, 30, '1 hour')
    await apiAs(creator).expectError('GET', path, 429)
  })

  it('stores goals and returns the progress toward them', async () => {
    const path = '/api/earnings/goals'
    const { goals: defaultGoals } = limits
    const initial = (await apiAs(creator).get(path, GoalsResponse)).body
    expect(initial.goals).toEqual({
      monthlyRevenue: defaultGoals.monthlyRevenue,
      yearlyRevenue: defaultGoals.yearlyRevenue,
      subscribers: defaultGoals.subscribers,
    })
    const totals = await overview()
    expect(initial.now).toMatchObject({
      monthlyRevenue: totals.thisMonth,
      yearlyRevenue: totals.yearlyProjection,
    })
    expect((await apiAs(creator).patch(path, GoalsResponse, { subscribers: 20 })).body.goals).toEqual({
      ...initial.goals,
      subscribers: 20,
    })
    const changed = (
      await apiAs(creator).patch(path, GoalsResponse, { monthlyRevenue: 750.5, yearlyRevenue: 9000 })
    ).body
    expect(changed.goals).toEqual({ monthlyRevenue: 750.5, yearlyRevenue: 9000, subscribers: 20 })
    expect((await apiAs(creator).get(path, GoalsResponse)).body).toEqual(changed)
    const invalidBodies = [
      { monthlyRevenue: 0 },
      { yearlyRevenue: 1.005 },
      { subscribers: 1.5 },
      { people: 3 },
    ]
    for (const body of invalidBodies) {
      expect((await apiAs(creator).expectError('PATCH', path, 400, { body })).code).toBe('validation_failed')
    }
  })

  it('stays available to a former creator', async () => {
    await sql`update public.profiles set is_creator = false where id = ${creator.id}`
    for (const [user, hasEarned] of [
      [creator, true],
      [await createUser(), false],
    ] as const)
      expect(await getOwnUser(user)).toMatchObject({
        isCreator: false,
        hasEarned,
      })
    expect((await overview()).available).toBe(114.74)
    await sql`delete from auth.sessions where user_id = ${creator.id}`
    expect((await apiAs(creator).expectError('GET', '/api/earnings/overview', 401)).code).toBe('unauthorized')
  })
})
