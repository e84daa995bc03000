import { randomUUID } from 'node:crypto'
import {
  AdminPayout,
  EarningsOverview,
  Payout,
  PayoutDestination,
  PayoutMethod,
  Transaction,
} from '@contract/earnings.ts'
import { Notification } from '@contract/notification.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { backdateEarnings, tip } from '../support/creators.ts'
import { startApiServer } from '../support/function-server.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

const methodsPath = '/api/payouts/methods'
const paypal = { type: 'paypal', email: 'cleo.creator@example.com' } as const
let creator: TestUser
let fan: TestUser
let admin: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ creator, fan, admin, other } = await createUsers('creator', 'fan', 'admin', 'other'))
  await makeCreator(creator)
  await makeAdmin(admin, other)
  for (const name of ['PayPal', 'Another']) {
    await apiAs(creator).post(methodsPath, PayoutMethod, { name, details: paypal }, 201)
  }
})

const earn = async (amount: number) => {
  await tip(fan, creator, amount)
  await backdateEarnings(creator, '8 days')
}
const available = async () =>
  (await apiAs(creator).get('/api/earnings/overview', EarningsOverview)).body.available
const requestPayout = async (body: unknown = {}, status = 201) =>
  (await apiAs(creator).post('/api/payouts', Payout, body, status)).body
const expectPayoutError = (status: number, body: unknown = {}) =>
  apiAs(creator).expectError('POST', '/api/payouts', status, { body })
const settle = async (id: string, body: unknown) =>
  (await apiAs(admin).post(`/api/admin/payouts/${id}/settle`, AdminPayout, body)).body

describe('POST /api/payouts', () => {
  it('requires at least $50.00, a usable payout method and enough balance', async () => {
    const tooLittle = { code: 'payout_minimum', message: 'The minimum payout is $50.00.' }
    expect(await expectPayoutError(400)).toEqual(tooLittle)
    await earn(55)
    expect(await available()).toBe(49.5)
    expect(await expectPayoutError(400)).toEqual(tooLittle)
    await earn(100)
    expect(await expectPayoutError(400, { amount: 49.99 })).toEqual(tooLittle)
    expect(await expectPayoutError(409, { amount: 139.51 })).toEqual({
      code: 'balance_too_low',
      message: 'You have $139.50 available.',
    })
    expect((await expectPayoutError(400, { amount: 50.001 })).code).toBe('validation_failed')
    expect((await expectPayoutError(409, { methodId: randomUUID() })).code).toBe('payout_method_missing')
    const method = (await apiAs(creator).get(methodsPath, z.array(PayoutMethod))).body[1]
    await sql`update public.payout_methods set changed_at = now() where id = ${method?.id ?? ''}`
    const waitingError = await expectPayoutError(409, { methodId: method?.id })
    expect(waitingError.code).toBe('payout_method_waiting')
    expect(waitingError.message).toMatch(
      /less than 5 days ago\. It can be used from [A-Z][a-z]+ \d+, \d\d:\d\d UTC\.$/,
    )
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${creator.id}`
    expect((await expectPayoutError(403, { amount: 'x' })).code).toBe('account_read_only')
    await sql`update public.accounts set read_only_reason = null where user_id = ${creator.id}`
    expect((await apiAs(creator).get('/api/payouts', z.array(Payout))).body).toEqual([])
  })

  it('creates one payout per request ID and debits the balance once', async () => {
    const id = randomUUID()
    const repeatedResponses = await Promise.all(
      Array.from({ length: 5 }, () =>
        call('POST', '/api/payouts', {
          body: { id, amount: 60 },
          headers: authorizationHeader(creator),
        }),
      ),
    )
    expect(repeatedResponses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect(await available()).toBe(79.5)
    const payout = await requestPayout({ id, amount: 60 }, 200)
    expect(payout).toMatchObject({
      id,
      kind: 'instant',
      amount: 60,
      methodType: 'paypal',
      methodName: 'PayPal',
      methodDetails: 'c•••@example.com',
      state: 'requested',
      settledAt: null,
      reference: null,
      failure: null,
    })
    expect((await expectPayoutError(409, { id, amount: 61 })).message).toBe('This ID is already in use.')
    const rows = await apiAs(creator).getAllPages(
      '/api/earnings/transactions?type=payout',
      z.array(Transaction),
    )
    expect(
      rows.map(({ amount, description, status, person }) => [amount, description, status, person]),
    ).toEqual([[-60, 'Payout to PayPal c•••@example.com', 'completed', null]])
    expect(rows[0]?.details).toEqual({ payoutMethod: 'PayPal c•••@example.com' })
    // Each request without an ID asks for a separate payout. The balance is enough for only one.
    const parallelResponses = await Promise.all(
      Array.from({ length: 4 }, () =>
        call('POST', '/api/payouts', {
          body: { amount: 50 },
          headers: authorizationHeader(creator),
        }),
      ),
    )
    expect(parallelResponses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(await available()).toBe(29.5)
    expect(await apiAs(creator).getAllPages('/api/payouts?limit=1', z.array(Payout))).toHaveLength(2)
  })

  it('creates payouts that only admins can settle, and whose details only admins can reveal', async () => {
    const [latestPayout] = (await apiAs(creator).get('/api/payouts', z.array(Payout))).body
    const id = latestPayout?.id ?? ''
    const adminCalls = [
      ['GET', '/api/admin/payouts'],
      ['POST', `/api/admin/payouts/${id}/settle`],
      ['POST', `/api/admin/payouts/${id}/details`],
    ] as const
    for (const [method, path] of adminCalls) {
      for (const body of method === 'GET' ? [undefined] : [{ outcome: 'gone' }, { outcome: 'paid' }]) {
        const options = body === undefined ? {} : { body }
        expect((await apiAs(null).expectError(method, path, 401, options)).code, path).toBe('unauthorized')
        for (const user of [fan, creator]) {
          expect((await apiAs(user).expectError(method, path, 403, options)).code, path).toBe('forbidden')
        }
      }
    }
    const dataApiResponse = await call('GET', '/rest/v1/payouts?select=id', {
      headers: { apikey: stack.publishableKey, ...authorizationHeader(fan) },
    })
    expect(await dataApiResponse.json()).toEqual([])

    const listed = await apiAs(admin).getAllPages('/api/admin/payouts?state=requested', z.array(AdminPayout))
    const payoutsOfCreator = listed.filter(({ personId }) => personId === creator.id)
    expect(payoutsOfCreator).toHaveLength(2)
    expect(payoutsOfCreator[0]).toMatchObject({ id, person: { username: creator.username } })
    const oldestFirst = await apiAs(admin).getAllPages(
      '/api/admin/payouts?state=requested&sort=oldest&limit=1',
      z.array(AdminPayout),
    )
    const times = oldestFirst.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort())
    expect(oldestFirst.map((payout) => payout.id)).toContain(id)
    await apiAs(admin).expectError('GET', '/api/admin/payouts?state=lost', 400)
    for (const action of ['settle', 'details']) {
      const path = `/api/admin/payouts/${randomUUID()}/${action}`
      await apiAs(admin).expectError('POST', path, 404, { body: { outcome: 'paid' } })
    }
    await apiAs(admin).expectError('POST', `/api/admin/payouts/${id}/settle`, 400, {
      body: { outcome: 'failed', reason: ' ' },
    })

    const path = `/api/admin/payouts/${id}/details`
    expect((await apiAs(admin).post(path, PayoutDestination)).body).toEqual({ details: paypal })
    const audit = await sql<{ action: string; actor_id: string }[]>`
      select action, actor_id from public.audit_entries where subject = ${id}`
    expect(audit.map((row) => ({ ...row }))).toEqual([{ action: 'payout.reveal', actor_id: admin.id }])
    // Payout details copied to another payout cannot be decrypted there.
    const [otherPayout] = await sql<{ id: string }[]>`
      insert into public.payouts (user_id, kind, amount_cents, method_type, method_name, method_masked)
      values (${fan.id}, 'instant', 5000, 'paypal', 'Theirs', 'f•••@example.com') returning id`
    await sql`insert into private.payout_destinations (payout_id, secret)
              select ${otherPayout?.id ?? ''}, t.secret from private.payout_destinations t where t.payout_id = ${id}`
    const unreadableError = await apiAs(admin).expectError(
      'POST',
      `/api/admin/payouts/${otherPayout?.id}/details`,
      409,
    )
    expect(unreadableError.message).toMatch(/^Couldn't decrypt these details/)
    await sql`delete from public.payouts where id = ${otherPayout?.id ?? ''}`
  })

  it('creates a payout that is settled once: paid, or failed with the money returned', async () => {
    const [first, second] = (await apiAs(creator).get('/api/payouts', z.array(Payout))).body
    const [failedId, paidId] = [first?.id ?? '', second?.id ?? '']
    const settled = await settle(paidId, { outcome: 'paid', reference: 'Transfer 17' })
    expect(settled).toMatchObject({ state: 'paid', reference: 'Transfer 17', failure: null })
    expect(settled.settledAt).not.toBeNull()
    expect(await settle(paidId, { outcome: 'paid', reference: 'Another' })).toEqual(settled)
    const path = `/api/admin/payouts/${paidId}`
    const opposite = { body: { outcome: 'failed', reason: 'Changed my mind' } }
    expect((await apiAs(admin).expectError('POST', `${path}/settle`, 409, opposite)).message).toBe(
      'This payout was already settled as paid.',
    )
    expect((await apiAs(admin).expectError('POST', `${path}/details`, 409)).message).toBe(
      'This payout is settled. Its details were deleted.',
    )
    expect(await available()).toBe(29.5)

    expect(await settle(failedId, { outcome: 'failed', reason: 'The account is closed' })).toMatchObject({
      state: 'failed',
      failure: 'The account is closed',
    })
    expect(await available()).toBe(79.5)
    const destinations = await sql`
      select from private.payout_destinations t join public.payouts o on o.id = t.payout_id
      where o.user_id = ${creator.id}`
    expect(destinations).toHaveLength(0)
    const [row] = (await apiAs(creator).get('/api/earnings/transactions', z.array(Transaction))).body
    expect(row).toMatchObject({
      type: 'payout_failed',
      amount: 50,
      description: 'Payout returned: The account is closed',
      details: { failure: 'The account is closed' },
    })
    const notifications = (await apiAs(creator).get('/api/notifications', z.array(Notification))).body
    expect(notifications.filter(({ kind }) => kind === 'payout').map(({ message }) => message)).toEqual([
      'Your payout of $50.00 failed, and the money is back in your balance: The account is closed',
      'Your payout of $60.00 is on its way.',
    ])
    await sql`update public.notifications set detail = 'failed $1234567.89: Why: 1:2' where user_id = ${creator.id}`
    const updated = (await apiAs(creator).get('/api/notifications', z.array(Notification))).body
    expect(updated.find(({ kind }) => kind === 'payout')?.message).toBe(
      'Your payout of $1,234,567.89 failed, and the money is back in your balance: Why: 1:2',
    )
    const audit = await sql<{ action: string; by: string; change: unknown }[]>`
      select action, actor_id as by, change from public.audit_entries
      where target_id = ${creator.id} and action <> 'payout.reveal' order by id`
    expect(audit.map((entry) => ({ ...entry }))).toEqual([
      { action: 'payout.paid', by: admin.id, change: { amount: 60, said: 'Transfer 17' } },
      { action: 'payout.failed', by: admin.id, change: { amount: 50, said: 'The account is closed' } },
    ])
  })

  it('creates a payout that only another admin can settle if the creator is an admin', async () => {
    await makeAdmin(creator)
    const { id } = await requestPayout()
    const path = `/api/admin/payouts/${id}/settle`
    const error = await apiAs(creator).expectError('POST', path, 403, { body: { outcome: 'paid' } })
    expect(error.message).toBe('Another admin has to settle your own payout.')
    // If two admins settle the payout differently in parallel, only one of them succeeds.
    const outcomes = [
      [admin, { outcome: 'paid' }],
      [other, { outcome: 'failed', reason: 'It came back' }],
    ] as const
    const responses = await Promise.all(
      outcomes.map(([user, body]) => call('POST', path, { body, headers: authorizationHeader(user) })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const [balance] = await sql<{ cents: number }[]>`
      select sum(e.amount_cents)::int as cents from public.ledger_entries e
      join public.ledger_transactions t on t.id = e.transaction_id
      where t.payout_id = ${id} and e.account = 'payouts'`
    expect(balance?.cents).toBe(0)
  })
})

describe('test money', () => {
  it('is shown separately and cannot be paid out while test payments are off', async () => {
    const { seller, buyer } = await createUsers('seller', 'buyer')
    await makeCreator(seller)
    await apiAs(seller).post(methodsPath, PayoutMethod, { name: 'PayPal', details: paypal }, 201)
    await tip(buyer, seller, 200)
    await backdateEarnings(seller, '8 days')
    const requested = await apiAs(seller).post('/api/payouts', Payout, { amount: 60 }, 201)
    expect(requested.body.isTest).toBe(true)
    const overview = (await apiAs(seller).get('/api/earnings/overview', EarningsOverview)).body
    expect([overview.available, overview.testBalance]).toEqual([120, 120])

    const server = await startApiServer({ PAYMENTS_PROVIDER: 'off' })
    try {
      const send = async (user: TestUser, path: string, body?: object) => {
        const response = await fetch(`${server.url}${path}`, {
          method: body ? 'POST' : 'GET',
          headers: { ...authorizationHeader(user), 'Content-Type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        return [response.status, await response.json()]
      }
      expect(await send(seller, '/api/earnings/overview')).toMatchObject([
        200,
        { available: 0, pending: 0, testBalance: 120 },
      ])
      expect(await send(seller, '/api/earnings/transactions?of=available')).toEqual([200, []])
      expect(await send(seller, '/api/earnings/transactions')).toMatchObject([
        200,
        [
          { type: 'payout', isTest: true },
          { type: 'tip', isTest: true },
        ],
      ])
      expect(await send(seller, '/api/payouts', {})).toMatchObject([400, { code: 'payout_minimum' }])
      expect(await send(seller, '/api/payouts', { amount: 60 })).toMatchObject([
        409,
        { code: 'balance_too_low' },
      ])
      const [status, payouts] = await send(admin, '/api/admin/payouts?state=requested')
      expect(status).toBe(200)
      expect(payouts).toContainEqual(expect.objectContaining({ id: requested.body.id, isTest: true }))
      const settlePath = `/api/admin/payouts/${requested.body.id}/settle`
      expect(await send(admin, settlePath, { outcome: 'paid' })).toMatchObject([409, { code: 'test_money' }])
      expect(await send(admin, settlePath, { outcome: 'failed', reason: 'Test money' })).toMatchObject([
        200,
        { state: 'failed', isTest: true },
      ])
      expect(await send(seller, '/api/earnings/overview')).toMatchObject([
        200,
        { available: 0, testBalance: 180 },
      ])
    } finally {
      server.stop()
    }
  })
})
