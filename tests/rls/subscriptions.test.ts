import { describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertUser,
  runAs,
  runAsService,
  type SessionUser,
  sql,
  waitForBlockedSession,
} from './database.ts'
import { getPaymentState, listLedgerEntries, settlePayment } from './payment-helpers.ts'
import {
  beginSubscription,
  cancelSubscription,
  createCreatorAndFan,
  listSubscriptions,
  subscribe,
} from './subscription-helpers.ts'

describe('a pending subscription payment', () => {
  it('is void after a block, a cancellation or an account deletion', async () => {
    for (const action of [
      ({ creator, fan }: { creator: SessionUser; fan: SessionUser }) => insertBlock(creator, fan),
      ({ creator, fan }: { creator: SessionUser; fan: SessionUser }) => insertBlock(fan, creator),
      ({ creator, fan }: { creator: SessionUser; fan: SessionUser }) => cancelSubscription(fan, creator),
      ({ creator }: { creator: SessionUser }) => sql`delete from auth.users where id = ${creator.id}`,
      ({ fan }: { fan: SessionUser }) => sql`delete from auth.users where id = ${fan.id}`,
    ]) {
      const users = await createCreatorAndFan()
      const paymentId = await beginSubscription(users.fan, users.creator)
      await action(users)
      expect(await settlePayment(paymentId ?? '')).toBe(false)
      expect((await listSubscriptions(users.fan, users.creator)).map(({ state }) => state)).toEqual(['ended'])
      expect([await getPaymentState(paymentId ?? ''), await listLedgerEntries(sql, paymentId ?? '')]).toEqual(
        ['void', []],
      )
    }
  })
})

describe('deleting an account while a subscription begins', () => {
  it.each(['creator', 'fan'] as const)('leaves no open subscription when the %s is deleted', async (role) => {
    // The deletion is not committed yet, so the subscription waits for the deletion and then fails.
    const first = await createCreatorAndFan()
    let outcome: Promise<string> = Promise.resolve('')
    await sql.begin(async (tx) => {
      await tx`delete from auth.users where id = ${first[role].id}`
      outcome = getSqlState(beginSubscription(first.fan, first.creator))
      await waitForBlockedSession(tx)
    })
    expect([await outcome, await listSubscriptions(first.fan, first.creator)]).toEqual(['PT404', []])
    // The subscription is not committed yet, so the deletion waits for the subscription and then ends it.
    const { creator, fan } = await createCreatorAndFan()
    const users = { creator, fan }
    let deletion: Promise<unknown> = Promise.resolve()
    await runAs(fan, async (tx) => {
      await tx`select private.begin_subscription(${creator.id}, 'test')`
      deletion = sql`delete from auth.users where id = ${users[role].id}`.execute()
      await waitForBlockedSession(tx)
    })
    await deletion
    expect((await listSubscriptions(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
  })
})

it('deletes creators and their subscribers in one statement, in either order', async () => {
  const users = [
    await insertUser({ creator: true }),
    await insertUser(),
    await insertUser(),
    await insertUser({ creator: true }),
  ]
  const [firstCreator, ...fans] = users
  const lastCreator = fans.pop()
  for (const creator of [firstCreator, lastCreator]) {
    for (const fan of fans) if (creator !== undefined) await subscribe(fan, creator)
  }
  await sql.begin(async (tx) => {
    // With a sequential scan, the statement deletes the users in insertion order.
    await tx`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`
    await tx`delete from auth.users where id = any(${users.map(({ id }) => id)}::uuid[])`
  })
  const remaining = await sql`
    select distinct state from public.subscriptions where subscriber_id = any(${fans.map(({ id }) => id)}::uuid[])`
  expect(remaining.map(({ state }) => state)).toEqual(['ended'])
})

describe('a subscription', () => {
  it('can be read by the subscriber and the creator only, and written by no client', async () => {
    const { creator, fan } = await createCreatorAndFan()
    const [stranger, admin] = await Promise.all([insertUser(), insertUser({ admin: true })])
    const paymentId = await beginSubscription(fan, creator)
    const countReadable = async (user: SessionUser) => [
      (await runAs(user, (tx) => tx`select 1 from public.subscriptions where creator_id = ${creator.id}`))
        .length,
      (await runAs(user, (tx) => tx`select 1 from public.payments where payee_id = ${creator.id}`)).length,
    ]
    // Before the payment, the creator cannot see the subscription.
    expect([await countReadable(fan), await countReadable(creator)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    await settlePayment(paymentId ?? '')
    expect(await Promise.all([fan, creator, stranger, admin].map(countReadable))).toEqual([
      [1, 1],
      [1, 0],
      [0, 0],
      [0, 0],
    ])
    await sql`delete from auth.sessions where id = ${creator.sessionId}`
    expect(await countReadable(creator)).toEqual([0, 0])
    expect(await getSqlState(runAs(null, (tx) => tx`select 1 from public.subscriptions`))).toBe('42501')
    for (const user of [fan, creator]) {
      const attempts = [
        runAs(user, (tx) => tx`update public.subscriptions set period_end = now() + interval '9 years'`),
        runAs(user, (tx) => tx`delete from public.subscriptions`),
        runAs(
          user,
          (tx) => tx`insert into public.subscriptions (subscriber_id, creator_id, price_cents)
                           values (${fan.id}, ${creator.id}, 1)`,
        ),
        // Neither user may read the payment provider's reference or state.
        runAs(user, (tx) => tx`select provider_reference from public.subscriptions`),
        runAs(user, (tx) => tx`select provider_state from public.subscriptions`),
        runAs(user, (tx) => tx`select private.settle_payment(${paymentId})`),
        runAs(user, (tx) => tx`select private.begin_renewals(1, 'test')`),
        runAs(user, (tx) => tx`select private.is_subscribed(${fan.id}, ${creator.id})`),
      ]
      expect(await Promise.all(attempts.map(getSqlState))).toEqual(attempts.map(() => '42501'))
    }
    expect(await getSqlState(runAsService((tx) => tx`delete from public.subscriptions`))).toBe('42501')
  })
})
