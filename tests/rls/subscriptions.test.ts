import { afterAll, describe, expect, it } from 'vitest'
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

afterAll(() => sql.end())

describe('what crosses a payment on its way', () => {
  it('is a block, a cancelling or a deletion: nothing is opened, nothing is booked', async () => {
    for (const cross of [
      ({ creator, fan }: { creator: SessionUser; fan: SessionUser }) => insertBlock(creator, fan),
      ({ creator, fan }: { creator: SessionUser; fan: SessionUser }) => insertBlock(fan, creator),
      ({ creator, fan }: { creator: SessionUser; fan: SessionUser }) => cancelSubscription(fan, creator),
      ({ creator }: { creator: SessionUser }) => sql`delete from auth.users where id = ${creator.id}`,
      ({ fan }: { fan: SessionUser }) => sql`delete from auth.users where id = ${fan.id}`,
    ]) {
      const people = await createCreatorAndFan()
      const payment = await beginSubscription(people.fan, people.creator)
      await cross(people)
      expect(await settlePayment(payment ?? '')).toBe(false)
      expect((await listSubscriptions(people.fan, people.creator)).map(({ state }) => state)).toEqual([
        'ended',
      ])
      expect([await getPaymentState(payment ?? ''), await listLedgerEntries(sql, payment ?? '')]).toEqual([
        'void',
        [],
      ])
    }
  })
})

describe('somebody who is leaving', () => {
  it.each(['creator', 'fan'] as const)('as the %s leaves no subscription behind', async (who) => {
    // Gone, but not for good yet, when it is begun: it waits, and begins nothing.
    const first = await createCreatorAndFan()
    let begun: Promise<string> = Promise.resolve('')
    await sql.begin(async (tx) => {
      await tx`delete from auth.users where id = ${first[who].id}`
      begun = getSqlState(beginSubscription(first.fan, first.creator))
      await waitForBlockedSession(tx)
    })
    expect([await begun, await listSubscriptions(first.fan, first.creator)]).toEqual(['PT404', []])
    // Begun, but not for good yet, when they leave: it ends with them.
    const { creator, fan } = await createCreatorAndFan()
    const people = { creator, fan }
    let left: Promise<unknown> = Promise.resolve()
    await runAs(fan, async (tx) => {
      await tx`select private.begin_subscription(${creator.id}, 'test')`
      left = sql`delete from auth.users where id = ${people[who].id}`.execute()
      await waitForBlockedSession(tx)
    })
    await left
    expect((await listSubscriptions(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
  })
})

it('a creator and who subscribes to them are deleted by one statement, whoever of them comes first', async () => {
  const people = [
    await insertUser({ creator: true }),
    await insertUser(),
    await insertUser(),
    await insertUser({ creator: true }),
  ]
  const [first, ...rest] = people
  const last = rest.pop()
  for (const creator of [first, last]) {
    for (const fan of rest) if (creator !== undefined) await subscribe(fan, creator)
  }
  await sql.begin(async (tx) => {
    // In the order in which they came.
    await tx`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`
    await tx`delete from auth.users where id = any(${people.map(({ id }) => id)}::uuid[])`
  })
  const left = await sql`
    select distinct state from public.subscriptions where subscriber_id = any(${rest.map(({ id }) => id)}::uuid[])`
  expect(left.map(({ state }) => state)).toEqual(['ended'])
})

describe('the rows', () => {
  it('are read by the two whom they concern, and written by nobody', async () => {
    const { creator, fan } = await createCreatorAndFan()
    const [stranger, admin] = await Promise.all([insertUser(), insertUser({ admin: true })])
    const payment = await beginSubscription(fan, creator)
    const seen = async (who: SessionUser) => [
      (await runAs(who, (tx) => tx`select 1 from public.subscriptions where creator_id = ${creator.id}`))
        .length,
      (await runAs(who, (tx) => tx`select 1 from public.payments where payee_id = ${creator.id}`)).length,
    ]
    // Whoever has not paid yet is nobody's subscriber.
    expect([await seen(fan), await seen(creator)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    await settlePayment(payment ?? '')
    expect(await Promise.all([fan, creator, stranger, admin].map(seen))).toEqual([
      [1, 1],
      [1, 0],
      [0, 0],
      [0, 0],
    ])
    await sql`delete from auth.sessions where id = ${creator.sessionId}`
    expect(await seen(creator)).toEqual([0, 0])
    expect(await getSqlState(runAs(null, (tx) => tx`select 1 from public.subscriptions`))).toBe('42501')
    for (const who of [fan, creator]) {
      const attempts = [
        runAs(who, (tx) => tx`update public.subscriptions set period_end = now() + interval '9 years'`),
        runAs(who, (tx) => tx`delete from public.subscriptions`),
        runAs(
          who,
          (tx) => tx`insert into public.subscriptions (subscriber_id, creator_id, price_cents)
                           values (${fan.id}, ${creator.id}, 1)`,
        ),
        // What its provider calls it is for neither.
        runAs(who, (tx) => tx`select provider_reference from public.subscriptions`),
        runAs(who, (tx) => tx`select provider_knows from public.subscriptions`),
        runAs(who, (tx) => tx`select private.settle_payment(${payment})`),
        runAs(who, (tx) => tx`select private.begin_renewals(1, 'test')`),
        runAs(who, (tx) => tx`select private.is_subscribed(${fan.id}, ${creator.id})`),
      ]
      expect(await Promise.all(attempts.map(getSqlState))).toEqual(attempts.map(() => '42501'))
    }
    expect(await getSqlState(runAsService((tx) => tx`delete from public.subscriptions`))).toBe('42501')
  })
})
