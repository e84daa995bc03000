import { describe, expect, it } from 'vitest'
import { limits } from '../../supabase/functions/_shared/contract/limits.ts'
import { subscriptionPrice } from '../../supabase/functions/_shared/contract/subscription.ts'
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
  isSubscribed,
  lengths,
  listSubscriptions,
  offerLengths,
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

it('creators and their subscribers can be deleted in one statement, in either order', async () => {
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
    await beginSubscription(fan, creator)
    const countReadable = async (user: SessionUser) => [
      (await runAs(user, (tx) => tx`select 1 from public.subscriptions where creator_id = ${creator.id}`))
        .length,
      (await runAs(user, (tx) => tx`select 1 from public.payments where payee_id = ${creator.id}`)).length,
    ]
    // Before the payment, the creator cannot see the subscription, and they never see one that ended unpaid.
    const unpaid = [
      [1, 1],
      [0, 0],
    ]
    expect([await countReadable(fan), await countReadable(creator)]).toEqual(unpaid)
    await cancelSubscription(fan, creator)
    expect([await countReadable(fan), await countReadable(creator)]).toEqual(unpaid)
    const paymentId = await subscribe(fan, creator)
    expect(await Promise.all([fan, creator, stranger, admin].map(countReadable))).toEqual([
      [2, 2],
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

/** Returns the lengths in months of the subscriptions that a creator offers to a user or a visitor. */
const readOffer = async (reader: SessionUser | null, creator: SessionUser) =>
  (
    await runAs(
      reader,
      (tx) => tx<{ months: number }[]>`
        select months from private.subscription_offers where creator_id = ${creator.id} order by months`,
    )
  ).map(({ months }) => months)

describe('subscriptions for several months', () => {
  const { threeMonths, sixMonths, twelveMonths } = lengths

  it('are offered by the creator only, and hidden from those who cannot view the profile', async () => {
    const { creator, fan } = await createCreatorAndFan()
    const blocked = await insertUser()
    await insertBlock(creator, blocked)
    expect(await readOffer(fan, creator)).toEqual([1])
    await runAs(
      creator,
      (tx) => tx`select private.update_own_profile('{"quarterly_discount": 15, "yearly_discount": 30}')`,
    )
    expect([await readOffer(fan, creator), await readOffer(blocked, creator)]).toEqual([[1, 3, 12], []])
    expect(await getSqlState(readOffer(null, creator))).toBe('42501')
    const readDiscounts = (reader: SessionUser | null) =>
      runAs(
        reader,
        (tx) => tx`select yearly_discount from public.profile_details where user_id = ${creator.id}`,
      )
    const visible = [{ yearly_discount: 30 }]
    expect([await readDiscounts(null), await readDiscounts(fan), await readDiscounts(blocked)]).toEqual([
      visible,
      visible,
      [],
    ])
    await sql`update public.profiles set visibility = 'private' where id = ${creator.id}`
    expect([await readOffer(fan, creator), await readDiscounts(null), await readDiscounts(fan)]).toEqual([
      [],
      [],
      [],
    ])
    for (const user of [creator, fan]) {
      const update = runAs(user, (tx) => tx`update public.profile_details set yearly_discount = 50`)
      expect(await getSqlState(update)).toBe('42501')
    }
    for (const discount of [0, 3, 55, -5]) {
      const changes = JSON.stringify({ yearly_discount: discount })
      const update = runAs(creator, (tx) => tx`select private.update_own_profile(${changes}::text::jsonb)`)
      expect(await getSqlState(update)).toBe('23514')
    }
    // Other changes to the profile keep the discounts.
    await runAs(
      creator,
      (tx) => tx`select private.update_own_profile('{"bio": "New", "quarterly_discount": null}')`,
    )
    expect(await readOffer(creator, creator)).toEqual([1, 12])
  })

  it('have the price that the contract computes', async () => {
    const { creator } = await createCreatorAndFan()
    for (const discount of limits.subscriptionDiscounts) {
      await sql`
        update public.profile_details
        set quarterly_discount = ${discount}, half_yearly_discount = ${discount}, yearly_discount = ${discount}
        where user_id = ${creator.id}`
      const offers = await sql<{ months: number; price: number }[]>`
        select months, price_cents::float8 / 100 as price from private.subscription_offers
        where creator_id = ${creator.id} and months > 1 order by months`
      expect(offers).toEqual(
        [3, 6, 12].map((months) => ({ months, price: subscriptionPrice(months, discount) })),
      )
    }
  })

  it('begin only at the current price of an offered length', async () => {
    const { creator, fan } = await createCreatorAndFan()
    expect(await getSqlState(beginSubscription(fan, creator, threeMonths))).toBe('PT400')
    await offerLengths(creator)
    for (const length of [
      [3, null],
      [3, 25.46],
      [3, 25.471],
      [3, 9.99],
      [1, 25.47],
      [6, 25.47],
      [2, 19.98],
      [null, 25.47],
    ] satisfies [number | null, number | null][]) {
      expect(await getSqlState(beginSubscription(fan, creator, length))).toBe('PT400')
    }
    expect(await listSubscriptions(fan, creator)).toEqual([])
    const paymentId = await subscribe(fan, creator, threeMonths)
    expect(
      await sql`
        select p.amount_cents, p.months, s.price_cents, s.months as length, s.periods,
               s.period_end = s.started_at + interval '3 months' as exact, p.period_start = s.started_at as first
        from public.payments p join public.subscriptions s on s.id = p.subscription_id where p.id = ${paymentId}`,
    ).toEqual([
      { amount_cents: 2547, months: 3, price_cents: 2547, length: 3, periods: 3, exact: true, first: true },
    ])
    expect((await listLedgerEntries(sql, paymentId)).map(({ amount }) => amount)).toEqual([
      -2547, 2547, -255, 255,
    ])
  })

  it('replace one of another length that was begun but not paid for, and void its payment', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await offerLengths(creator)
    const first = (await beginSubscription(fan, creator)) ?? ''
    const second = (await beginSubscription(fan, creator, sixMonths)) ?? ''
    expect(await beginSubscription(fan, creator, sixMonths)).toBe(second)
    expect([await getPaymentState(first), await settlePayment(first)]).toEqual(['void', false])
    expect(await isSubscribed(fan, creator)).toBe(false)
    // The creator changes the discount before the payment.
    await sql`update public.profile_details set half_yearly_discount = 25 where user_id = ${creator.id}`
    expect(await getSqlState(beginSubscription(fan, creator, sixMonths))).toBe('PT400')
    const third = (await beginSubscription(fan, creator, [6, 44.96])) ?? ''
    expect(await Promise.all([second, third].map(settlePayment))).toEqual([false, true])
    expect((await listSubscriptions(fan, creator)).map(({ state, periods }) => [state, periods])).toEqual([
      ['ended', 0],
      ['ended', 0],
      ['active', 6],
    ])
  })

  it('begin with only one length if two are chosen concurrently, or one while the payment for another is settled', async () => {
    for (let round = 0; round < 5; round++) {
      const { creator, fan } = await createCreatorAndFan()
      await offerLengths(creator)
      const begun = await Promise.all([
        beginSubscription(fan, creator, threeMonths),
        beginSubscription(fan, creator, twelveMonths),
      ])
      const states = await Promise.all(begun.map((payment) => getPaymentState(payment ?? '')))
      expect(states.toSorted()).toEqual(['pending', 'void'])
      const pending = begun[states.indexOf('pending')] ?? ''
      const other = pending === begun[0] ? sixMonths : threeMonths
      const [isPaid, outcome] = await Promise.all([
        settlePayment(pending),
        beginSubscription(fan, creator, other).catch((error: unknown) => error),
      ])
      // Either the payment came first, and the other length was refused, or the other length voided the payment.
      if (isPaid) expect(outcome).toMatchObject({ code: 'PT409' })
      else expect(outcome).toEqual(expect.any(String))
      const live = (await listSubscriptions(fan, creator)).filter(({ state }) => state !== 'ended')
      expect(live.map(({ state }) => state)).toEqual([isPaid ? 'active' : 'pending'])
    }
  })

  it('cannot be changed to another length, and are resumed only as they are', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await offerLengths(creator)
    await subscribe(fan, creator, threeMonths)
    await cancelSubscription(fan, creator)
    for (const length of [twelveMonths, [1, 9.99], [3, 9.99]] satisfies [number, number][]) {
      expect(await getSqlState(beginSubscription(fan, creator, length))).toBe('PT409')
    }
    expect(await listSubscriptions(fan, creator)).toMatchObject([{ cancelled: true, periods: 3 }])
    // The creator's later offers do not matter.
    await sql`update public.profile_details set quarterly_discount = null where user_id = ${creator.id}`
    expect(await beginSubscription(fan, creator, threeMonths)).toBeNull()
    expect(await listSubscriptions(fan, creator)).toMatchObject([{ cancelled: false }])
    await cancelSubscription(fan, creator)
    expect(await beginSubscription(fan, creator)).toBeNull()
    expect(await listSubscriptions(fan, creator)).toMatchObject([{ cancelled: false, periods: 3 }])
  })
})
