import type postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { readConnection } from '../support/connection.ts'
import { runJob } from '../support/run-job.ts'
import {
  countBlockedSessions,
  insertBlock,
  insertUser,
  insertUsers,
  runAs,
  runAsService,
  type SessionUser,
  sql,
  waitForBlockedSession,
} from './database.ts'
import { getPaymentState, listLedgerEntries, refundPayment, settlePayment } from './payment-helpers.ts'
import {
  beginSubscription,
  cancelSubscription,
  createCreatorAndFan,
  expirePeriod,
  getSubscriberCount,
  isSubscribed,
  lengths,
  listSubscriptions,
  offerLengths,
  subscribe,
} from './subscription-helpers.ts'

// All tests of renewals are in this file and so run one after another, because a renewal run processes every due
// subscription in the database.

type RunResult = { renewed: number; ended: number; failed: number }
/** Runs the renewals job and returns its counts. */
const runRenewals = async (): Promise<RunResult> => {
  const { status, body } = await runJob('renewals')
  expect(status).toBe(200)
  return body as RunResult
}
/** Begins all due renewals. Returns a subscription's pending payment, if any, and whether this call created it. */
const beginRenewal = async (id: string, provider: string | null = 'test') => {
  const before = await sql<{ id: string }[]>`select id from public.payments where subscription_id = ${id}`
  await runAsService((tx) => tx`select private.begin_renewals(100, ${provider})`)
  const [row] = await sql<{ id: string }[]>`
    select id from public.payments where subscription_id = ${id} and state = 'pending'`
  return { paymentId: row?.id, isNew: !before.some((payment) => payment.id === row?.id) }
}

describe('the renewals job', () => {
  it('charges each month once, even if it runs repeatedly, and ends cancelled subscriptions', async () => {
    const { creator, fan } = await createCreatorAndFan()
    const other = await insertUser()
    const first = await subscribe(fan, creator)
    await subscribe(other, creator)
    await cancelSubscription(other, creator)
    await Promise.all([expirePeriod(fan, '1 minute'), expirePeriod(other, '1 minute')])
    // A subscription stays active while its renewal is late, unless it was cancelled.
    expect(await Promise.all([isSubscribed(fan, creator), isSubscribed(other, creator)])).toEqual([
      true,
      false,
    ])
    const runs = await Promise.all([runRenewals(), runRenewals(), runRenewals()])
    const sum = (key: keyof RunResult) => runs.reduce((total, result) => total + result[key], 0)
    expect([sum('renewed') >= 1, sum('ended') >= 1, sum('failed')]).toEqual([true, true, 0])
    const [renewed] = await listSubscriptions(fan, creator)
    expect(renewed).toMatchObject({ state: 'active', periods: 2 })
    expect(renewed?.ends.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000)
    const paid = await sql<{ id: string }[]>`
      select id from public.payments where subscription_id = ${renewed?.id ?? ''} and state = 'paid'`
    expect(paid.map(({ id }) => id)).toContain(first)
    expect(await Promise.all(paid.map(async ({ id }) => (await listLedgerEntries(sql, id)).length))).toEqual([
      4, 4,
    ])
    expect((await listSubscriptions(other, creator)).map(({ state, periods }) => [state, periods])).toEqual([
      ['ended', 1],
    ])
    expect([await isSubscribed(fan, creator), await getSubscriberCount(creator)]).toEqual([true, 1])
    await runRenewals()
    expect((await listSubscriptions(fan, creator))[0]?.periods).toBe(2)
  })

  it('ends subscriptions to users who are no longer creators or who hide their profile from the subscriber', async () => {
    const [formerCreator, privateCreator, fan] = await Promise.all([
      insertUser({ creator: true }),
      insertUser({ creator: true }),
      insertUser(),
    ])
    await Promise.all([subscribe(fan, formerCreator), subscribe(fan, privateCreator)])
    await sql`update public.profiles set is_creator = false where id = ${formerCreator.id}`
    await sql`update public.profiles set visibility = 'private' where id = ${privateCreator.id}`
    expect(await isSubscribed(fan, formerCreator)).toBe(true)
    await expirePeriod(fan, '1 minute')
    expect((await runRenewals()).ended).toBeGreaterThanOrEqual(2)
    for (const creator of [formerCreator, privateCreator]) {
      expect((await listSubscriptions(fan, creator)).map(({ state, periods }) => [state, periods])).toEqual([
        ['ended', 1],
      ])
      expect(await getSubscriberCount(creator)).toBe(0)
    }
  })

  it('rejects a request without the job secret', async () => {
    expect((await fetch(`${readConnection().jobsUrl}/renewals`, { method: 'POST' })).status).toBe(401)
  })
})

describe('a renewal that is not charged on time', () => {
  it('is retried with the same payment, and ends the subscription after the grace period', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const [first] = await listSubscriptions(fan, creator)
    const id = first?.id ?? ''
    await expirePeriod(fan, '1 hour')
    const begun = await beginRenewal(id)
    expect(begun).toEqual({ paymentId: expect.any(String), isNew: true })
    const begunAt = () => sql`select renewal_begun_at from public.subscriptions where id = ${id}`
    const firstBegunAt = await begunAt()
    // This renewal was begun a moment ago, so the next run skips it.
    await beginRenewal(id)
    expect(await begunAt()).toEqual(firstBegunAt)
    await expirePeriod(fan, '2 days')
    expect(await beginRenewal(id)).toEqual({ paymentId: begun.paymentId, isNew: false })
    expect([await isSubscribed(fan, creator), await getSubscriberCount(creator)]).toEqual([true, 1])
    await expirePeriod(fan, '73 hours')
    expect(await isSubscribed(fan, creator)).toBe(false)
    expect((await beginRenewal(id)).paymentId).toBeUndefined()
    expect((await listSubscriptions(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
    expect([await getPaymentState(begun.paymentId ?? ''), await getSubscriberCount(creator)]).toEqual([
      'void',
      0,
    ])
    // A payment that arrives too late does not renew the subscription. Its reference is recorded so that it can be
    // refunded.
    expect(await settlePayment(begun.paymentId ?? '')).toBe(false)
    const [late] =
      await sql`select state, provider_reference from public.payments where id = ${begun.paymentId ?? ''}`
    expect(late).toMatchObject({ state: 'void', provider_reference: `test_${begun.paymentId}` })
    expect(await listLedgerEntries(sql, begun.paymentId ?? '')).toEqual([])
  })

  it('starts a new month on the day of the charge if no charge was attempted during the grace period', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const id = (await listSubscriptions(fan, creator))[0]?.id ?? ''
    await expirePeriod(fan, '10 days')
    const { paymentId } = await beginRenewal(id)
    expect(await isSubscribed(fan, creator)).toBe(false)
    expect(await Promise.all([settlePayment(paymentId ?? ''), settlePayment(paymentId ?? '')])).toEqual([
      true,
      true,
    ])
    const [renewed] = await listSubscriptions(fan, creator)
    expect(renewed?.ends.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000)
    expect([
      await isSubscribed(fan, creator),
      (await listLedgerEntries(sql, paymentId ?? '')).length,
    ]).toEqual([true, 4])
    // The payment is for the month that it started.
    const [month] = await sql`select p.period_start + interval '1 month' = s.period_end as same
      from public.payments p join public.subscriptions s on s.id = p.subscription_id where p.id = ${paymentId ?? ''}`
    expect(month).toEqual({ same: true })
  })

  it('ends the subscription when no provider can renew it', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const id = (await listSubscriptions(fan, creator))[0]?.id ?? ''
    // The run could end the subscriptions of other tests, so the transaction is rolled back.
    const rollback = new Error('rollback')
    const attempt = sql.begin(async (tx) => {
      await tx`update public.subscriptions set period_end = now() - interval '9 years' where id = ${id}`
      expect(await tx`select payment from private.begin_renewals(1, null)`).toEqual([{ payment: null }])
      expect(await tx`select state from public.subscriptions where id = ${id}`).toEqual([{ state: 'ended' }])
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })
})

describe('a payment pause', () => {
  it('extends subscriptions and plans without payment, and ends cancelled subscriptions', async () => {
    const { creator, fan } = await createCreatorAndFan()
    const other = await insertUser()
    await subscribe(fan, creator)
    await subscribe(other, creator)
    await cancelSubscription(other, creator)
    const ids = [fan.id, other.id]
    // The runs affect the subscriptions of other tests too, so the transaction is rolled back.
    const rollback = new Error('rollback')
    const attempt = sql.begin(async (tx) => {
      await tx`select private.set_setting('creator_pro_billing', 'true')`
      const [plan] = await tx<{ id: string }[]>`
        insert into public.creator_plans (user_id, state, price_cents, periods, started_at, period_end)
        values (${creator.id}, 'active', 1999, 1, now() - interval '1 month', now() - interval '9 years') returning id`
      await tx`
        update public.subscriptions set period_end = now() - interval '9 years' where subscriber_id = any (${ids})`
      // Subscriptions that Stripe renews continue too, although its events do not arrive while payments are off.
      for (const reference of [null, 'sub_paused']) {
        await tx`update public.subscriptions set provider_reference = ${reference}, renewal_begun_at = null,
                   period_end = now() - interval '9 years' where subscriber_id = ${fan.id}`
        const begun = await tx`select payment, paused from private.begin_renewals(1000, null, true)`
        expect(begun).toContainEqual({ payment: null, paused: true })
        const after = await tx`
          select state, private.is_subscribed(subscriber_id, creator_id) as subscribed from public.subscriptions
          where subscriber_id = any (${ids}) order by array_position(${ids}::uuid[], subscriber_id)`
        expect(after).toEqual([
          { state: 'active', subscribed: true },
          { state: 'ended', subscribed: false },
        ])
      }
      await tx`select private.begin_plan_renewals(1000, null, true)`
      expect(
        await tx`select from public.creator_plans where id = ${plan?.id ?? ''} and state = 'active' and period_end > now()`,
      ).toHaveLength(1)
      expect(
        await tx`select from public.payments where payer_id = any (${[...ids, creator.id]}) and state = 'pending'`,
      ).toHaveLength(0)
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })

  it('is not charged afterwards, because the next month begins when the pause ends', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const rollback = new Error('rollback')
    const attempt = sql.begin(async (tx) => {
      // Renewals were paused for almost two months, until an hour ago.
      await tx`
        update public.subscriptions set started_at = now() - interval '3 months', period_end = now() - interval '1 hour'
        where subscriber_id = ${fan.id}`
      await tx`update public.payments set period_start = now() - interval '3 months' where payer_id = ${fan.id}`
      await tx`select private.begin_renewals(1000, 'test')`
      const [pending] = await tx<{ id: string }[]>`
        select id from public.payments where payer_id = ${fan.id} and state = 'pending'`
      await tx`select private.settle_payment(${pending?.id ?? ''}, ${`test_${pending?.id}`})`
      const [renewed] = await tx`
        select periods, started_at = now() - interval '1 hour' as restarted,
               period_end = now() - interval '1 hour' + interval '1 month' as "fullMonth"
        from public.subscriptions where subscriber_id = ${fan.id}`
      expect(renewed).toEqual({ periods: 1, restarted: true, fullMonth: true })
      await tx`select private.roll_up_days(1000)`
      const [day] = await tx`
        select coalesce(sum(subscribers), 0)::int as "newSubscribers" from public.creator_days
        where creator_id = ${creator.id}`
      expect(day).toEqual({ newSubscribers: 0 })
      await tx`update public.subscriptions set renewal_begun_at = null where subscriber_id = ${fan.id}`
      await tx`select private.begin_renewals(1000, 'test')`
      expect(
        await tx`select from public.payments where payer_id = ${fan.id} and state = 'pending'`,
      ).toHaveLength(0)
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })

  it('allows months charged by Stripe to be booked afterwards without moving the periods', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const [reference, planReference] = [`sub_${fan.id}`, `sub_${creator.id}`]
    const rollback = new Error('rollback')
    const attempt = sql.begin(async (tx) => {
      await tx`select private.set_setting('creator_pro_billing', 'true')`
      await tx`
        update public.subscriptions set provider_reference = ${reference}, started_at = now() - interval '100 days',
          period_end = now() + interval '12 hours'
        where subscriber_id = ${fan.id}`
      await tx`
        insert into public.creator_plans
          (user_id, state, price_cents, periods, started_at, period_end, provider_reference)
        values (${creator.id}, 'active', 1999, 1, now() - interval '100 days', now() + interval '12 hours',
                ${planReference})`
      // The second and the third month are over.
      for (const month of [2, 3, 4]) {
        const invoicedAt = tx`now() - interval '100 days' + ${month - 1} * interval '1 month' - interval '1 minute'`
        await tx`
          select private.settle_provider_period(${reference}, ${`in_${fan.id}_${month}`}, 999, ${invoicedAt})`
        await tx`
          select private.settle_provider_period(${planReference}, ${`in_${creator.id}_${month}`}, 1999, ${invoicedAt})`
      }
      const periods = await tx`
        select periods, started_at, period_end = started_at + interval '4 months' as unchanged
        from public.subscriptions where subscriber_id = ${fan.id}
        union all
        select periods, started_at, period_end = started_at + interval '4 months'
        from public.creator_plans where user_id = ${creator.id}`
      const [start] = await tx`select now() - interval '100 days' as started_at`
      const expected = { ...start, periods: 4, unchanged: true }
      expect(periods).toEqual([expected, expected])
      for (const payer of [fan, creator]) {
        expect(
          await tx`
            select distinct period_start from public.payments
            where payer_id = ${payer.id} and provider = 'stripe' and state = 'paid'`,
        ).toHaveLength(3)
      }
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })
})

it('the first month that Stripe charges after an unpaid pause restarts subscriptions and plans', async () => {
  const { creator, fan } = await createCreatorAndFan()
  await subscribe(fan, creator)
  const [reference, planReference] = [`sub_${fan.id}`, `sub_${creator.id}`]
  const rollback = new Error('rollback')
  const attempt = sql.begin(async (tx) => {
    await tx`select private.set_setting('creator_pro_billing', 'true')`
    await tx`
      update public.subscriptions set provider_reference = ${reference}, started_at = now() - interval '100 days',
        period_end = now() + interval '12 hours'
      where subscriber_id = ${fan.id}`
    await tx`
      insert into public.creator_plans
        (user_id, state, price_cents, periods, started_at, period_end, provider_reference)
      values (${creator.id}, 'active', 1999, 1, now() - interval '100 days', now() + interval '12 hours',
              ${planReference})`
    const readPeriods = () => tx`
      select periods, started_at = now() - interval '1 hour' as restarted,
             period_end = started_at + periods * interval '1 month' as exact
      from public.subscriptions where subscriber_id = ${fan.id}
      union all
      select periods, started_at = now() - interval '1 hour', period_end = started_at + periods * interval '1 month'
      from public.creator_plans where user_id = ${creator.id}`
    for (const [periods, invoicedAt] of [
      [1, tx`now() - interval '1 hour'`],
      [2, tx`now() - interval '1 hour' + interval '1 month'`],
    ] as const) {
      await tx`
        select private.settle_provider_period(${reference}, ${`in_${fan.id}_${periods}`}, 999, ${invoicedAt})`
      await tx`
        select private.settle_provider_period(${planReference}, ${`in_${creator.id}_${periods}`}, 1999, ${invoicedAt})`
      const expected = { periods, restarted: true, exact: true }
      expect(await readPeriods()).toEqual([expected, expected])
    }
    throw rollback
  })
  await expect(attempt).rejects.toBe(rollback)
})

it('a renewal run does not deadlock with concurrent subscriptions, blocks, follows, cancellations and account deletions', async () => {
  const { creator, fan } = await createCreatorAndFan()
  const fans = await insertUsers(3)
  for (let round = 0; round < 6; round++) {
    await Promise.all(
      fans.map((user) =>
        beginSubscription(user, creator).then((paymentId) => (paymentId ? settlePayment(paymentId) : true)),
      ),
    )
    // Renewals are due for a subscriber, a subscriber who blocks the creator, and a subscriber who is deleted while the
    // creator blocks them.
    await Promise.all([fans[0], fans[1]].map((user) => expirePeriod(user as SessionUser, '1 hour')))
    const deletedUser = await insertUser({ creator: true })
    await subscribe(deletedUser, creator)
    await subscribe(fan, deletedUser)
    await expirePeriod(deletedUser, '1 hour')
    const paymentId = await beginSubscription(fan, creator)
    const settled = paymentId ? settlePayment(paymentId) : Promise.resolve(true)
    await Promise.all([
      settled,
      runAsService((tx) => tx`select private.begin_renewals(100, 'test')`),
      beginSubscription(fan, creator),
      insertBlock(fans[1] as SessionUser, creator),
      insertBlock(creator, deletedUser).catch((error: { code?: string }) => expect(error.code).toBe('23503')),
      runAs(fans[2] as SessionUser, (tx) => tx`select public.toggle_follow(${creator.id})`),
      sql`select private.delete_account(${deletedUser.id}, true)`,
      runAsService((tx) => tx`select private.begin_renewals(100, 'test')`),
      cancelSubscription(fan, creator).catch((error: { code?: string }) => expect(error.code).toBe('PT404')),
    ])
    await sql`delete from public.blocks where ${creator.id} in (blocker_id, blocked_id)`
  }
  const [mismatch] = await sql`
      select from public.profile_counts c where c.user_id = ${creator.id} and c.subscribers <>
        (select count(*) from public.subscriptions s where s.creator_id = ${creator.id} and s.state = 'active')`
  expect(mismatch).toBeUndefined()
})

describe('blocking a subscriber whose renewal is due', () => {
  it.each(['renewal', 'account deletion'])('does not deadlock with the %s', async (kind) => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    await expirePeriod(fan, '1 hour')
    const [{ id } = { id: '' }] = await listSubscriptions(fan, creator)
    const attempts: Promise<unknown>[] = []
    await sql.begin(async (tx) => {
      // A block takes this lock last, just before it inserts its row, so it waits here while it holds its other locks.
      await tx`select from public.user_counters where user_id in (${creator.id}, ${fan.id}) for update`
      attempts.push(insertBlock(creator, fan))
      await waitForBlockedSession(tx)
      let isDone = false
      const deleteFan = () => sql`delete from auth.users where id = ${fan.id}`.execute()
      const concurrent = (kind === 'renewal' ? beginRenewal(id) : deleteFan()).then(() => {
        isDone = true
      })
      attempts.push(concurrent)
      // A renewal skips locked subscriptions; a deletion waits for the block.
      await expect.poll(async () => isDone || (await countBlockedSessions(tx)) > 1).toBe(true)
    })
    await Promise.all(attempts)
    expect((await listSubscriptions(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
  })
})

it('a renewal run cancels subscriptions and plans that Stripe renews but that can no longer be sold', async () => {
  const [formerCreator, suspended, privateCreator, activeCreator, fan] = await Promise.all([
    insertUser({ creator: true }),
    insertUser({ creator: true }),
    insertUser({ creator: true }),
    insertUser({ creator: true }),
    insertUser(),
  ])
  const creators = [formerCreator, suspended, privateCreator, activeCreator]
  for (const creator of creators) await subscribe(fan, creator)
  await sql`update public.profiles set is_creator = false where id = ${formerCreator.id}`
  await sql`update public.accounts set read_only_reason = 'suspended' where user_id = ${suspended.id}`
  await sql`update public.profiles set visibility = 'private' where id = ${privateCreator.id}`
  /** Makes the fan's periods end in `end`, begins renewals and returns whether each subscription was cancelled. */
  const cancelledAfterRenewals = async (tx: typeof sql | postgres.TransactionSql, end: string) => {
    await tx`update public.subscriptions set provider_reference = 'sub_' || id, cancelled_at = null,
               period_end = now() + ${end}::interval where subscriber_id = ${fan.id}`
    await tx`select private.begin_renewals(1000, 'test')`
    const rows = await tx<{ cancelled: boolean }[]>`
      select cancelled_at is not null as cancelled from public.subscriptions where subscriber_id = ${fan.id}
      order by array_position(${creators.map(({ id }) => id)}::uuid[], creator_id)`
    return rows.map((row) => row.cancelled)
  }
  // The runs affect the subscriptions of other tests too, so the transaction is rolled back.
  const rollback = new Error('rollback')
  const attempt = sql.begin(async (tx) => {
    expect(await cancelledAfterRenewals(tx, '2 days')).toEqual([false, false, false, false])
    expect(await cancelledAfterRenewals(tx, '12 hours')).toEqual([true, true, true, false])
    const unsynced = await tx<{ wanted: string }[]>`
      select u.wanted from private.unsynced_subscriptions(1000) u join public.subscriptions s using (id)
      where s.subscriber_id = ${fan.id}`
    expect(unsynced.map(({ wanted }) => wanted)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    const [plan] = await tx<{ id: string }[]>`
      insert into public.creator_plans
        (user_id, state, price_cents, periods, started_at, period_end, provider_reference)
      values (${fan.id}, 'active', 1999, 1, now(), now() + interval '12 hours', 'sub_plan') returning id`
    await tx`select private.begin_plan_renewals(1000, 'test')`
    // The plan is cancelled because this instance does not sell Creator Pro.
    expect(
      await tx`select from public.creator_plans where id = ${plan?.id ?? ''} and cancelled_at is not null`,
    ).toHaveLength(1)
    throw rollback
  })
  await expect(attempt).rejects.toBe(rollback)
})

describe('refunding a subscription payment', () => {
  it('ends the subscription if the payment was for the current month, but not for an earlier month', async () => {
    const { creator, fan } = await createCreatorAndFan()
    const first = await subscribe(fan, creator)
    await expirePeriod(fan, '1 hour')
    const { paymentId } = await beginRenewal((await listSubscriptions(fan, creator))[0]?.id ?? '')
    expect(await settlePayment(paymentId ?? '')).toBe(true)
    expect([await refundPayment(first), await refundPayment(first)]).toEqual([true, false])
    expect([await isSubscribed(fan, creator), (await listLedgerEntries(sql, first)).length]).toEqual([
      true,
      8,
    ])
    expect(await refundPayment(paymentId ?? '')).toBe(true)
    expect([await isSubscribed(fan, creator), await getSubscriberCount(creator)]).toEqual([false, 0])
    const [sum] = await sql`select coalesce(sum(amount_cents), 0)::int as cents from public.ledger_entries
                              where user_id = ${creator.id}`
    expect(sum?.cents).toBe(0)
  })
})

describe('a subscription for three months', () => {
  const { threeMonths } = lengths
  const subscribeForThreeMonths = async () => {
    const users = await createCreatorAndFan()
    await offerLengths(users.creator)
    await subscribe(users.fan, users.creator, threeMonths)
    return users
  }

  it('is renewed for three months at its price, even if the creator no longer offers them', async () => {
    const { creator, fan } = await subscribeForThreeMonths()
    await sql`update public.profile_details set quarterly_discount = null where user_id = ${creator.id}`
    await runRenewals()
    expect(await listSubscriptions(fan, creator)).toMatchObject([{ periods: 3 }])
    await sql`
      update public.subscriptions
      set started_at = now() - interval '1 minute' - interval '3 months', period_end = now() - interval '1 minute'
      where subscriber_id = ${fan.id}`
    await sql`update public.payments set period_start = now() - interval '3 months' where payer_id = ${fan.id}`
    await Promise.all([runRenewals(), runRenewals()])
    expect(
      await sql`
        select s.state, s.periods, s.period_end = s.started_at + interval '6 months' as exact,
               array_agg(p.amount_cents) as amounts, array_agg(p.months) as months
        from public.subscriptions s join public.payments p on p.subscription_id = s.id and p.state = 'paid'
        where s.subscriber_id = ${fan.id} group by s.id`,
    ).toEqual([{ state: 'active', periods: 6, exact: true, amounts: [2547, 2547], months: [3, 3] }])
  })

  it('ends with the third month if it was cancelled, and immediately if its period is refunded', async () => {
    const { creator, fan } = await subscribeForThreeMonths()
    await cancelSubscription(fan, creator)
    await runRenewals()
    expect(await isSubscribed(fan, creator)).toBe(true)
    await expirePeriod(fan, '1 minute')
    expect(await isSubscribed(fan, creator)).toBe(false)
    await runRenewals()
    expect(await listSubscriptions(fan, creator)).toMatchObject([{ state: 'ended', periods: 3 }])
    const paymentId = await subscribe(fan, creator, threeMonths)
    expect(await refundPayment(paymentId)).toBe(true)
    expect((await listSubscriptions(fan, creator)).map(({ state }) => state)).toEqual(['ended', 'ended'])
  })

  it('keeps the day of the month on which it began, and books each period that Stripe reports once', async () => {
    const { fan } = await subscribeForThreeMonths()
    const reference = `sub_${fan.id}`
    const rollback = new Error('rollback')
    const attempt = sql.begin(async (tx) => {
      await tx`
        update public.subscriptions
        set provider_reference = ${reference}, started_at = '2099-01-31 10:00Z', period_end = '2099-04-30 10:00Z'
        where subscriber_id = ${fan.id}`
      for (const [invoice, end] of [
        [1, '2099-07-31'],
        [1, '2099-07-31'],
        [2, '2099-10-31'],
        [3, '2100-01-31'],
        [4, '2100-04-30'],
      ] as const) {
        await tx`
          select private.settle_provider_period(${reference}, ${`in_${fan.id}_${invoice}`}, 2547, s.period_end)
          from public.subscriptions s where s.subscriber_id = ${fan.id}`
        const [row] = await tx`
          select periods, (period_end at time zone 'UTC')::date::text as ends from public.subscriptions
          where subscriber_id = ${fan.id}`
        expect(row).toEqual({ periods: 3 + 3 * invoice, ends: end })
      }
      const periods = await tx<{ start: string; months: number }[]>`
        select (period_start at time zone 'UTC')::date::text as start, months from public.payments
        where payer_id = ${fan.id} and provider = 'stripe' and state = 'paid' order by period_start`
      expect(periods).toEqual(
        ['2099-04-30', '2099-07-31', '2099-10-31', '2100-01-31'].map((start) => ({ start, months: 3 })),
      )
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })

  it('continues during a pause, and the next three months begin when the pause ends', async () => {
    const { fan } = await subscribeForThreeMonths()
    const rollback = new Error('rollback')
    const attempt = sql.begin(async (tx) => {
      // Renewals were paused for almost a month, until an hour ago.
      await tx`
        update public.subscriptions set started_at = now() - interval '4 months', period_end = now() - interval '1 hour'
        where subscriber_id = ${fan.id}`
      await tx`update public.payments set period_start = now() - interval '4 months' where payer_id = ${fan.id}`
      await tx`select private.begin_renewals(1000, null, true)`
      expect(
        await tx`select from public.subscriptions where subscriber_id = ${fan.id} and period_end > now() + interval '23 hours'`,
      ).toHaveLength(1)
      await tx`
        update public.subscriptions set period_end = now() - interval '1 hour', renewal_begun_at = null
        where subscriber_id = ${fan.id}`
      await tx`select private.begin_renewals(1000, 'test')`
      const [pending] = await tx<{ id: string }[]>`
        select id from public.payments where payer_id = ${fan.id} and state = 'pending'`
      await tx`select private.settle_payment(${pending?.id ?? ''}, ${`test_${pending?.id}`})`
      const [renewed] = await tx`
        select periods, started_at = now() - interval '1 hour' as restarted,
               period_end = now() - interval '1 hour' + interval '3 months' as exact
        from public.subscriptions where subscriber_id = ${fan.id}`
      expect(renewed).toEqual({ periods: 3, restarted: true, exact: true })
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })

  it('starts over if it is paid for after the grace period', async () => {
    const { creator, fan } = await subscribeForThreeMonths()
    await expirePeriod(fan, '1 hour')
    const [subscription] = await listSubscriptions(fan, creator)
    const { paymentId = '' } = await beginRenewal(subscription?.id ?? '')
    await sql`
      update public.subscriptions set period_end = now() - interval '4 days' where subscriber_id = ${fan.id}`
    expect(await settlePayment(paymentId)).toBe(true)
    const [restarted] = await listSubscriptions(fan, creator)
    expect(restarted).toMatchObject({ state: 'active', periods: 3 })
    expect(restarted?.ends.getTime()).toBeGreaterThan(Date.now() + 88 * 86_400_000)
  })
})
