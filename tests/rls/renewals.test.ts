import type postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { readConnection } from '../support/connection.ts'
import { runJob } from '../support/job.ts'
import { asService, booked, refund, settle, stateOf } from './money.ts'
import {
  begin,
  cancel,
  count,
  expectWaiting,
  held,
  isOpen,
  letEnd,
  pair,
  subscribe,
  waiting,
} from './subscribing.ts'
import { as, block, owner, type Person, person } from './support.ts'

/**
 * Everything that takes subscriptions whose month is over, in one file: it takes everybody's, so no two may run at once.
 */
afterAll(() => owner.end())

type Run = { renewed: number; ended: number; failed: number }
const run = async (): Promise<Run> => {
  const { status, body } = await runJob('renewals')
  expect(status).toBe(200)
  return body as Run
}
/** Takes what is due of everybody's; answers the payment of one subscription: undefined when it was not taken. */
const renewal = async (id: string, provider: string | null = 'test') => {
  const before = await owner<{ id: string }[]>`select id from public.payments where subscription_id = ${id}`
  await asService((tx) => tx`select private.begin_renewals(100, ${provider})`)
  const [row] = await owner<{ id: string }[]>`
    select id from public.payments where subscription_id = ${id} and state = 'pending'`
  return { payment: row?.id, isNew: !before.some((one) => one.id === row?.id) }
}

describe('the job', () => {
  it('charges each month once, however often it runs, and ends what was cancelled', async () => {
    const { creator, fan } = await pair()
    const other = await person()
    const first = await subscribe(fan, creator)
    await subscribe(other, creator)
    await cancel(other, creator)
    await Promise.all([letEnd(fan, '1 minute'), letEnd(other, '1 minute')])
    // A renewal that is late closes nothing; what was cancelled is closed.
    expect(await Promise.all([isOpen(fan, creator), isOpen(other, creator)])).toEqual([true, false])
    const runs = await Promise.all([run(), run(), run()])
    const sum = (key: keyof Run) => runs.reduce((all, one) => all + one[key], 0)
    expect([sum('renewed') >= 1, sum('ended') >= 1, sum('failed')]).toEqual([true, true, 0])
    const [now] = await held(fan, creator)
    expect(now).toMatchObject({ state: 'active', periods: 2 })
    expect(now?.ends.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000)
    const paid = await owner<{ id: string }[]>`
      select id from public.payments where subscription_id = ${now?.id ?? ''} and state = 'paid'`
    expect(paid.map(({ id }) => id)).toContain(first)
    expect(await Promise.all(paid.map(async ({ id }) => (await booked(owner, id)).length))).toEqual([4, 4])
    expect((await held(other, creator)).map(({ state, periods }) => [state, periods])).toEqual([['ended', 1]])
    expect([await isOpen(fan, creator), await count(creator)]).toEqual([true, 1])
    await run()
    expect((await held(fan, creator))[0]?.periods).toBe(2)
  })

  it('ends what is to a creator who is none any more, or not open to the subscriber', async () => {
    const [none, hidden, fan] = await Promise.all([
      person({ creator: true }),
      person({ creator: true }),
      person(),
    ])
    await Promise.all([subscribe(fan, none), subscribe(fan, hidden)])
    await owner`update public.profiles set is_creator = false where id = ${none.id}`
    await owner`update public.profiles set visibility = 'private' where id = ${hidden.id}`
    expect(await isOpen(fan, none)).toBe(true)
    await letEnd(fan, '1 minute')
    expect((await run()).ended).toBeGreaterThanOrEqual(2)
    for (const creator of [none, hidden]) {
      expect((await held(fan, creator)).map(({ state, periods }) => [state, periods])).toEqual([['ended', 1]])
      expect(await count(creator)).toBe(0)
    }
  })

  it('is called with its secret', async () => {
    expect((await fetch(`${readConnection().jobsUrl}/renewals`, { method: 'POST' })).status).toBe(401)
  })
})

describe('a renewal that cannot be charged', () => {
  it('is tried again with the same payment, is in no other’s way, and ends it when the grace is over', async () => {
    const { creator, fan } = await pair()
    await subscribe(fan, creator)
    const [first] = await held(fan, creator)
    const id = first?.id ?? ''
    await letEnd(fan, '1 hour')
    const begun = await renewal(id)
    expect(begun).toEqual({ payment: expect.any(String), isNew: true })
    const begunAt = () => owner`select renewal_begun_at from public.subscriptions where id = ${id}`
    const taken = await begunAt()
    // Taken a moment ago: whoever comes now takes others.
    await renewal(id)
    expect(await begunAt()).toEqual(taken)
    await letEnd(fan, '2 days')
    expect(await renewal(id)).toEqual({ payment: begun.payment, isNew: false })
    expect([await isOpen(fan, creator), await count(creator)]).toEqual([true, 1])
    await letEnd(fan, '73 hours')
    expect(await isOpen(fan, creator)).toBe(false)
    expect((await renewal(id)).payment).toBeUndefined()
    expect((await held(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
    expect([await stateOf(begun.payment ?? ''), await count(creator)]).toEqual(['void', 0])
    // Money that comes after all opens nothing, and is noted for whoever gives it back.
    expect(await settle(begun.payment ?? '')).toBe(false)
    const [late] =
      await owner`select state, provider_reference from public.payments where id = ${begun.payment ?? ''}`
    expect(late).toMatchObject({ state: 'void', provider_reference: `test_${begun.payment}` })
    expect(await booked(owner, begun.payment ?? '')).toEqual([])
  })

  it('is charged from the day on which it opens again, if nobody tried for longer than the grace', async () => {
    const { creator, fan } = await pair()
    await subscribe(fan, creator)
    const id = (await held(fan, creator))[0]?.id ?? ''
    await letEnd(fan, '10 days')
    const { payment } = await renewal(id)
    expect(await isOpen(fan, creator)).toBe(false)
    expect(await Promise.all([settle(payment ?? ''), settle(payment ?? '')])).toEqual([true, true])
    const [now] = await held(fan, creator)
    expect(now?.ends.getTime()).toBeGreaterThan(Date.now() + 27 * 86_400_000)
    expect([await isOpen(fan, creator), (await booked(owner, payment ?? '')).length]).toEqual([true, 4])
    // What was paid is the month that it opened.
    const [month] = await owner`select p.period_start + interval '1 month' = s.period_end as same
      from public.payments p join public.subscriptions s on s.id = p.subscription_id where p.id = ${payment ?? ''}`
    expect(month).toEqual({ same: true })
  })

  it('is none where no payments are taken any more: it ends', async () => {
    const { creator, fan } = await pair()
    await subscribe(fan, creator)
    const id = (await held(fan, creator))[0]?.id ?? ''
    // Nobody else's may end: in a transaction that is taken back.
    const undone = new Error('taken back')
    const attempt = owner.begin(async (tx) => {
      await tx`update public.subscriptions set period_end = now() - interval '9 years' where id = ${id}`
      expect(await tx`select payment from private.begin_renewals(1, null)`).toEqual([{ payment: null }])
      expect(await tx`select state from public.subscriptions where id = ${id}`).toEqual([{ state: 'ended' }])
      throw undone
    })
    await expect(attempt).rejects.toBe(undone)
  })
})

it('waits for nobody in a circle', async () => {
  const { creator, fan } = await pair()
  const fans = await Promise.all([1, 2, 3].map(() => person()))
  for (let round = 0; round < 6; round++) {
    await Promise.all(
      fans.map((one) => begin(one, creator).then((payment) => (payment ? settle(payment) : true))),
    )
    // Who is renewed, who blocks, and who leaves while they are blocked: all are due.
    await Promise.all([fans[0], fans[1]].map((one) => letEnd(one as Person, '1 hour')))
    const leaver = await person({ creator: true })
    await subscribe(leaver, creator)
    await subscribe(fan, leaver)
    await letEnd(leaver, '1 hour')
    const payment = await begin(fan, creator)
    const settled = payment ? settle(payment) : Promise.resolve(true)
    await Promise.all([
      settled,
      asService((tx) => tx`select private.begin_renewals(100, 'test')`),
      begin(fan, creator),
      block(fans[1] as Person, creator),
      block(creator, leaver).catch((error: { code?: string }) => expect(error.code).toBe('23503')),
      as(fans[2] as Person, (tx) => tx`select public.toggle_follow(${creator.id})`),
      owner`select private.remove_account(${leaver.id}, true)`,
      asService((tx) => tx`select private.begin_renewals(100, 'test')`),
      cancel(fan, creator).catch((error: { code?: string }) => expect(error.code).toBe('PT404')),
    ])
    await owner`delete from public.blocks where ${creator.id} in (blocker_id, blocked_id)`
  }
  const [wrong] = await owner`
      select from public.profile_counts c where c.user_id = ${creator.id} and c.subscribers <>
        (select count(*) from public.subscriptions s where s.creator_id = ${creator.id} and s.state = 'active')`
  expect(wrong).toBeUndefined()
})

describe('a block of somebody whose subscription is due', () => {
  it.each(['renewed', 'leaving'])('holds it before the counts, as does who is %s', async (kind) => {
    const { creator, fan } = await pair()
    await subscribe(fan, creator)
    await letEnd(fan, '1 hour')
    const [{ id } = { id: '' }] = await held(fan, creator)
    const others: Promise<unknown>[] = []
    await owner.begin(async (tx) => {
      // The last that a block holds before its row: it stands here with all else, and the other one comes upon that.
      await tx`select from public.user_counters where user_id in (${creator.id}, ${fan.id}) for update`
      others.push(block(creator, fan))
      await expectWaiting(tx)
      let isDone = false
      const leave = () => owner`delete from auth.users where id = ${fan.id}`.execute()
      const other = (kind === 'renewed' ? renewal(id) : leave()).then(() => {
        isDone = true
      })
      others.push(other)
      // A renewal passes by what is held; whoever leaves waits for the block.
      await expect.poll(async () => isDone || (await waiting(tx)) > 1).toBe(true)
    })
    await Promise.all(others)
    expect((await held(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
  })
})

it('what its provider renews ends with its period where it may not be sold any more', async () => {
  const [none, suspended, hidden, fine, fan] = await Promise.all([
    person({ creator: true }),
    person({ creator: true }),
    person({ creator: true }),
    person({ creator: true }),
    person(),
  ])
  const creators = [none, suspended, hidden, fine]
  for (const creator of creators) await subscribe(fan, creator)
  await owner`update public.profiles set is_creator = false where id = ${none.id}`
  await owner`update public.accounts set read_only_reason = 'suspended' where user_id = ${suspended.id}`
  await owner`update public.profiles set visibility = 'private' where id = ${hidden.id}`
  const cancelled = async (tx: typeof owner | postgres.TransactionSql, end: string) => {
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
  const attempt = owner.begin(async (tx) => {
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
    const { creator, fan } = await pair()
    const first = await subscribe(fan, creator)
    await letEnd(fan, '1 hour')
    const { payment } = await renewal((await held(fan, creator))[0]?.id ?? '')
    expect(await settle(payment ?? '')).toBe(true)
    expect([await refund(first), await refund(first)]).toEqual([true, false])
    expect([await isOpen(fan, creator), (await booked(owner, first)).length]).toEqual([true, 8])
    expect(await refund(payment ?? '')).toBe(true)
    expect([await isOpen(fan, creator), await count(creator)]).toEqual([false, 0])
    const [sum] = await owner`select coalesce(sum(amount_cents), 0)::int as cents from public.ledger_entries
                              where person_id = ${creator.id}`
    expect(sum?.cents).toBe(0)
  })
})
