import type postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { readConnection } from '../support/connection.ts'
import { runJob } from '../support/run-job.ts'
import {
  countBlockedSessions,
  insertBlock,
  insertUser,
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
  listSubscriptions,
  subscribe,
} from './subscription-helpers.ts'

/**
 * Everything that takes subscriptions whose month is over, in one file: it takes everybody's, so no two may run at once.
 */
afterAll(() => sql.end())

type Run = { renewed: number; ended: number; failed: number }
const run = async (): Promise<Run> => {
  const { status, body } = await runJob('renewals')
  expect(status).toBe(200)
  return body as Run
}
/** Takes what is due of everybody's; answers the payment of one subscription: undefined when it was not taken. */
const renewal = async (id: string, provider: string | null = 'test') => {
  const before = await sql<{ id: string }[]>`select id from public.payments where subscription_id = ${id}`
  await runAsService((tx) => tx`select private.begin_renewals(100, ${provider})`)
  const [row] = await sql<{ id: string }[]>`
    select id from public.payments where subscription_id = ${id} and state = 'pending'`
  return { payment: row?.id, isNew: !before.some((one) => one.id === row?.id) }
}

describe('the job', () => {
  it('charges each month once, however often it runs, and ends what was cancelled', async () => {
    const { creator, fan } = await createCreatorAndFan()
    const other = await insertUser()
    const first = await subscribe(fan, creator)
    await subscribe(other, creator)
    await cancelSubscription(other, creator)
    await Promise.all([expirePeriod(fan, '1 minute'), expirePeriod(other, '1 minute')])
    // A renewal that is late closes nothing; what was cancelled is closed.
    expect(await Promise.all([isSubscribed(fan, creator), isSubscribed(other, creator)])).toEqual([
      true,
      false,
    ])
    const runs = await Promise.all([run(), run(), run()])
    const sum = (key: keyof Run) => runs.reduce((all, one) => all + one[key], 0)
    expect([sum('renewed') >= 1, sum('ended') >= 1, sum('failed')]).toEqual([true, true, 0])
    const [now] = await listSubscriptions(fan, creator)
    expect(now).toMatchObject({ state: 'active', periods: 2 })
    expect(now?.ends.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000)
    const paid = await sql<{ id: string }[]>`
      select id from public.payments where subscription_id = ${now?.id ?? ''} and state = 'paid'`
    expect(paid.map(({ id }) => id)).toContain(first)
    expect(await Promise.all(paid.map(async ({ id }) => (await listLedgerEntries(sql, id)).length))).toEqual([
      4, 4,
    ])
    expect((await listSubscriptions(other, creator)).map(({ state, periods }) => [state, periods])).toEqual([
      ['ended', 1],
    ])
    expect([await isSubscribed(fan, creator), await getSubscriberCount(creator)]).toEqual([true, 1])
    await run()
    expect((await listSubscriptions(fan, creator))[0]?.periods).toBe(2)
  })

  it('ends what is to a creator who is none any more, or not open to the subscriber', async () => {
    const [none, hidden, fan] = await Promise.all([
      insertUser({ creator: true }),
      insertUser({ creator: true }),
      insertUser(),
    ])
    await Promise.all([subscribe(fan, none), subscribe(fan, hidden)])
    await sql`update public.profiles set is_creator = false where id = ${none.id}`
    await sql`update public.profiles set visibility = 'private' where id = ${hidden.id}`
    expect(await isSubscribed(fan, none)).toBe(true)
    await expirePeriod(fan, '1 minute')
    expect((await run()).ended).toBeGreaterThanOrEqual(2)
    for (const creator of [none, hidden]) {
      expect((await listSubscriptions(fan, creator)).map(({ state, periods }) => [state, periods])).toEqual([
        ['ended', 1],
      ])
      expect(await getSubscriberCount(creator)).toBe(0)
    }
  })

  it('is called with its secret', async () => {
    expect((await fetch(`${readConnection().jobsUrl}/renewals`, { method: 'POST' })).status).toBe(401)
  })
})

describe('a renewal that cannot be charged', () => {
  it('is tried again with the same payment, is in no other’s way, and ends it when the grace is over', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const [first] = await listSubscriptions(fan, creator)
    const id = first?.id ?? ''
    await expirePeriod(fan, '1 hour')
    const begun = await renewal(id)
    expect(begun).toEqual({ payment: expect.any(String), isNew: true })
    const begunAt = () => sql`select renewal_begun_at from public.subscriptions where id = ${id}`
    const taken = await begunAt()
    // Taken a moment ago: whoever comes now takes others.
    await renewal(id)
    expect(await begunAt()).toEqual(taken)
    await expirePeriod(fan, '2 days')
    expect(await renewal(id)).toEqual({ payment: begun.payment, isNew: false })
    expect([await isSubscribed(fan, creator), await getSubscriberCount(creator)]).toEqual([true, 1])
    await expirePeriod(fan, '73 hours')
    expect(await isSubscribed(fan, creator)).toBe(false)
    expect((await renewal(id)).payment).toBeUndefined()
    expect((await listSubscriptions(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
    expect([await getPaymentState(begun.payment ?? ''), await getSubscriberCount(creator)]).toEqual([
      'void',
      0,
    ])
    // Money that comes after all opens nothing, and is noted for whoever gives it back.
    expect(await settlePayment(begun.payment ?? '')).toBe(false)
    const [late] =
      await sql`select state, provider_reference from public.payments where id = ${begun.payment ?? ''}`
    expect(late).toMatchObject({ state: 'void', provider_reference: `test_${begun.payment}` })
    expect(await listLedgerEntries(sql, begun.payment ?? '')).toEqual([])
  })

  it('is charged from the day on which it opens again, if nobody tried for longer than the grace', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const id = (await listSubscriptions(fan, creator))[0]?.id ?? ''
    await expirePeriod(fan, '10 days')
    const { payment } = await renewal(id)
    expect(await isSubscribed(fan, creator)).toBe(false)
    expect(await Promise.all([settlePayment(payment ?? ''), settlePayment(payment ?? '')])).toEqual([
      true,
      true,
    ])
    const [now] = await listSubscriptions(fan, creator)
    expect(now?.ends.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000)
    expect([await isSubscribed(fan, creator), (await listLedgerEntries(sql, payment ?? '')).length]).toEqual([
      true,
      4,
    ])
    // What was paid is the month that it opened.
    const [month] = await sql`select p.period_start + interval '1 month' = s.period_end as same
      from public.payments p join public.subscriptions s on s.id = p.subscription_id where p.id = ${payment ?? ''}`
    expect(month).toEqual({ same: true })
  })

  it('is none where no payments are taken any more: it ends', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const id = (await listSubscriptions(fan, creator))[0]?.id ?? ''
    // Nobody else's may end: in a transaction that is taken back.
    const undone = new Error('taken back')
    const attempt = sql.begin(async (tx) => {
      await tx`update public.subscriptions set period_end = now() - interval '9 years' where id = ${id}`
      expect(await tx`select payment from private.begin_renewals(1, null)`).toEqual([{ payment: null }])
      expect(await tx`select state from public.subscriptions where id = ${id}`).toEqual([{ state: 'ended' }])
      throw undone
    })
    await expect(attempt).rejects.toBe(undone)
  })
})

it('waits for nobody in a circle', async () => {
  const { creator, fan } = await createCreatorAndFan()
  const fans = await Promise.all([1, 2, 3].map(() => insertUser()))
  for (let round = 0; round < 6; round++) {
    await Promise.all(
      fans.map((one) =>
        beginSubscription(one, creator).then((payment) => (payment ? settlePayment(payment) : true)),
      ),
    )
    // Who is renewed, who blocks, and who leaves while they are blocked: all are due.
    await Promise.all([fans[0], fans[1]].map((one) => expirePeriod(one as SessionUser, '1 hour')))
    const leaver = await insertUser({ creator: true })
    await subscribe(leaver, creator)
    await subscribe(fan, leaver)
    await expirePeriod(leaver, '1 hour')
    const payment = await beginSubscription(fan, creator)
    const settled = payment ? settlePayment(payment) : Promise.resolve(true)
    await Promise.all([
      settled,
      runAsService((tx) => tx`select private.begin_renewals(100, 'test')`),
      beginSubscription(fan, creator),
      insertBlock(fans[1] as SessionUser, creator),
      insertBlock(creator, leaver).catch((error: { code?: string }) => expect(error.code).toBe('23503')),
      runAs(fans[2] as SessionUser, (tx) => tx`select public.toggle_follow(${creator.id})`),
      sql`select private.remove_account(${leaver.id}, true)`,
      runAsService((tx) => tx`select private.begin_renewals(100, 'test')`),
      cancelSubscription(fan, creator).catch((error: { code?: string }) => expect(error.code).toBe('PT404')),
    ])
    await sql`delete from public.blocks where ${creator.id} in (blocker_id, blocked_id)`
  }
  const [wrong] = await sql`
      select from public.profile_counts c where c.user_id = ${creator.id} and c.subscribers <>
        (select count(*) from public.subscriptions s where s.creator_id = ${creator.id} and s.state = 'active')`
  expect(wrong).toBeUndefined()
})

describe('a block of somebody whose subscription is due', () => {
  it.each(['renewed', 'leaving'])('holds it before the counts, as does who is %s', async (kind) => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    await expirePeriod(fan, '1 hour')
    const [{ id } = { id: '' }] = await listSubscriptions(fan, creator)
    const others: Promise<unknown>[] = []
    await sql.begin(async (tx) => {
      // The last that a block holds before its row: it stands here with all else, and the other one comes upon that.
      await tx`select from public.user_counters where user_id in (${creator.id}, ${fan.id}) for update`
      others.push(insertBlock(creator, fan))
      await waitForBlockedSession(tx)
      let isDone = false
      const leave = () => sql`delete from auth.users where id = ${fan.id}`.execute()
      const other = (kind === 'renewed' ? renewal(id) : leave()).then(() => {
        isDone = true
      })
      others.push(other)
      // A renewal passes by what is held; whoever leaves waits for the block.
      await expect.poll(async () => isDone || (await countBlockedSessions(tx)) > 1).toBe(true)
    })
    await Promise.all(others)
    expect((await listSubscriptions(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
  })
})

it('what its provider renews ends with its period where it may not be sold any more', async () => {
  const [none, suspended, hidden, fine, fan] = await Promise.all([
    insertUser({ creator: true }),
    insertUser({ creator: true }),
    insertUser({ creator: true }),
    insertUser({ creator: true }),
    insertUser(),
  ])
  const creators = [none, suspended, hidden, fine]
  for (const creator of creators) await subscribe(fan, creator)
  await sql`update public.profiles set is_creator = false where id = ${none.id}`
  await sql`update public.accounts set read_only_reason = 'suspended' where user_id = ${suspended.id}`
  await sql`update public.profiles set visibility = 'private' where id = ${hidden.id}`
  const cancelled = async (tx: typeof sql | postgres.TransactionSql, end: string) => {
    await tx`update public.subscriptions set provider_reference = 'sub_' || id, cancelled_at = null,
               period_end = now() + ${end}::interval where subscriber_id = ${fan.id}`
    await tx`select private.begin_renewals(1000, 'test')`
    const rows = await tx<{ cancelled: boolean }[]>`
      select cancelled_at is not null as cancelled from public.subscriptions where subscriber_id = ${fan.id}
      order by array_position(${creators.map(({ id }) => id)}::uuid[], creator_id)`
    return rows.map((row) => row.cancelled)
  }
  // Everybody else's due ones are taken, too: in a transaction that is taken back.
  const undone = new Error('taken back')
  const attempt = sql.begin(async (tx) => {
    expect(await cancelled(tx, '2 days')).toEqual([false, false, false, false])
    expect(await cancelled(tx, '12 hours')).toEqual([true, true, true, false])
    const untold = await tx<{ wanted: string }[]>`
      select u.wanted from private.untold_subscriptions(1000) u join public.subscriptions s using (id)
      where s.subscriber_id = ${fan.id}`
    expect(untold.map(({ wanted }) => wanted)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    const [plan] = await tx<{ id: string }[]>`
      insert into public.creator_plans
        (user_id, state, price_cents, periods, started_at, period_end, provider_reference)
      values (${fan.id}, 'active', 1999, 1, now(), now() + interval '12 hours', 'sub_plan') returning id`
    await tx`select private.begin_plan_renewals(1000, 'test')`
    // Nobody pays for being a creator here.
    expect(
      await tx`select from public.creator_plans where id = ${plan?.id ?? ''} and cancelled_at is not null`,
    ).toHaveLength(1)
    throw undone
  })
  await expect(attempt).rejects.toBe(undone)
})

describe('giving back', () => {
  it('the present month ends it, an earlier one does not', async () => {
    const { creator, fan } = await createCreatorAndFan()
    const first = await subscribe(fan, creator)
    await expirePeriod(fan, '1 hour')
    const { payment } = await renewal((await listSubscriptions(fan, creator))[0]?.id ?? '')
    expect(await settlePayment(payment ?? '')).toBe(true)
    expect([await refundPayment(first), await refundPayment(first)]).toEqual([true, false])
    expect([await isSubscribed(fan, creator), (await listLedgerEntries(sql, first)).length]).toEqual([
      true,
      8,
    ])
    expect(await refundPayment(payment ?? '')).toBe(true)
    expect([await isSubscribed(fan, creator), await getSubscriberCount(creator)]).toEqual([false, 0])
    const [sum] = await sql`select coalesce(sum(amount_cents), 0)::int as cents from public.ledger_entries
                              where person_id = ${creator.id}`
    expect(sum?.cents).toBe(0)
  })
})
