import type postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, type SessionUser, sql, waitForBlockedSession } from './database.ts'
import { createCreatorWithBalance, requestPayout } from './payout-helpers.ts'

afterAll(() => sql.end())

/** Makes what is due in a transaction that is taken back: it would be made for everybody else who is there, too. */
async function makePayouts(
  people: SessionUser[],
  since: string,
  look: (tx: postgres.TransactionSql) => Promise<void>,
) {
  const undone = new Error('taken back')
  const ids = people.map(({ id }) => id)
  const attempt = sql.begin(async (tx) => {
    await tx`update public.payout_schedules set next_at = now() + interval '1 day'`
    await tx`update public.payout_schedules set next_at = now() - ${since}::interval where user_id = any (${ids})`
    await look(tx)
    throw undone
  })
  await expect(attempt).rejects.toBe(undone)
}
const make = async (tx: postgres.TransactionSql) => {
  const [row] = await tx<{ made: number }[]>`select private.make_scheduled_payouts(100) as made`
  return row?.made
}
const daysUntilNext = async (tx: postgres.ISql, { id }: SessionUser) => {
  const [next] = await tx<{ days: number }[]>`
    select extract(epoch from next_at - clock_timestamp())::float8 / 86400 as days from public.payout_schedules
    where user_id = ${id}`
  return next?.days
}
/** Payouts of somebody, as where they go. */
const madeTo = async (tx: postgres.ISql, { id }: SessionUser) =>
  (await tx<{ name: string }[]>`select method_name as name from public.payouts where person_id = ${id}`).map(
    ({ name }) => name,
  )
const addMethod = (tx: postgres.ISql, name: string, asDefault: boolean) =>
  tx`select private.save_payout_method(null, 'bank', ${name}, '•••• 5678', 'v1.test.test', ${asDefault})`

it('pays all that is available out, once for all the weeks that nobody looked', async () => {
  const { creator } = await createCreatorWithBalance(12345)
  await makePayouts([creator], '15 days', async (tx) => {
    expect(await make(tx)).toBe(1)
    const made = await tx`
      select kind, amount_cents::int as cents, method_name as name, state from public.payouts
      where person_id = ${creator.id}`
    expect(made.map((row) => Object.values(row))).toEqual([['scheduled', 12345, 'Bank', 'requested']])
    expect(await daysUntilNext(tx, creator)).toBeCloseTo(6, 3)
    expect(await make(tx)).toBe(0)
    await tx`set constraints all immediate`
  })
})

it('leaves alone who has too little, no method that may be used, no wish for it, or may do nothing', async () => {
  const all = await Promise.all(
    [9000, 9000, 9000, 9000, 4999, 9000].map((cents) => createCreatorWithBalance(cents)),
  )
  const [waiting, without, off, readOnly, , paid] = all.map(({ creator }) => creator)
  if (!waiting || !without || !off || !readOnly || !paid) throw new Error('There are six.')
  await sql`update public.payout_methods set changed_at = now() where user_id = ${waiting.id}`
  await sql`delete from public.payout_methods where user_id = ${without.id}`
  await runAs(off, (tx) => tx`select private.set_payout_schedule(false)`)
  await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${readOnly.id}`
  await requestPayout(paid)
  await makePayouts(
    all.map(({ creator }) => creator),
    '1 minute',
    async (tx) => {
      expect(await make(tx)).toBe(0)
    },
  )
  expect(await getSqlState(runAs(paid, (tx) => tx`select private.make_scheduled_payouts(1)`))).toBe('42501')
})

it('pays who lapsed, and nobody else who is no creator', async () => {
  const [{ creator }, nobody] = await Promise.all([createCreatorWithBalance(9000), insertUser()])
  await sql`update public.profiles set is_creator = false where id = ${creator.id}`
  await makePayouts([creator], '1 minute', async (tx) => {
    expect(await make(tx)).toBe(1)
  })
  await requestPayout(creator)
  expect(await getSqlState(requestPayout(nobody))).toBe('PT403')
})

describe('a default method that still waits on the day', () => {
  /** Who changed their default method two days ago, and has another one that can be used. */
  async function withWaiting() {
    const { creator } = await createCreatorWithBalance(9000)
    await runAs(creator, (tx) => addMethod(tx, 'New', true))
    await sql`
      update public.payout_methods set changed_at = now() - interval '2 days' where user_id = ${creator.id} and is_default`
    return creator
  }
  const letPass = (tx: postgres.ISql, { id }: SessionUser, days: number) => tx`
    with methods as (
      update public.payout_methods set changed_at = changed_at - make_interval(days => ${days}) where user_id = ${id})
    update public.payout_schedules set next_at = next_at - make_interval(days => ${days}) where user_id = ${id}`

  it('is paid to once it can be used, no other one is, and the next week counts from there', async () => {
    const creator = await withWaiting()
    await makePayouts([creator], '1 minute', async (tx) => {
      expect(await make(tx)).toBe(0)
      expect(await daysUntilNext(tx, creator)).toBeCloseTo(3, 3)
      await letPass(tx, creator, 2)
      expect(await make(tx)).toBe(0)
      expect(await daysUntilNext(tx, creator)).toBeCloseTo(1, 3)
      await letPass(tx, creator, 1)
      expect(await make(tx)).toBe(1)
      expect(await madeTo(tx, creator)).toEqual(['New'])
      expect(await daysUntilNext(tx, creator)).toBeCloseTo(7, 3)
    })
  })

  it('waits anew where it is changed again, and for nothing where it is deleted', async () => {
    const creator = await withWaiting()
    await makePayouts([creator], '1 minute', async (tx) => {
      expect(await make(tx)).toBe(0)
      await letPass(tx, creator, 3)
      await tx`update public.payout_methods set changed_at = clock_timestamp() where user_id = ${creator.id} and is_default`
      expect(await make(tx)).toBe(0)
      expect(await daysUntilNext(tx, creator)).toBeCloseTo(5, 3)
      await tx`delete from public.payout_methods where user_id = ${creator.id} and is_default`
      await tx`update public.payout_methods set is_default = true where user_id = ${creator.id}`
      await letPass(tx, creator, 5)
      expect(await make(tx)).toBe(1)
      expect(await madeTo(tx, creator)).toEqual(['Bank'])
    })
  })

  it('counts as it is after a change that is being made', async () => {
    const { creator } = await createCreatorWithBalance(9000)
    let made: Promise<void> | undefined
    await runAs(creator, async (tx) => {
      await addMethod(tx, 'New', true)
      made = makePayouts([creator], '1 minute', async (job) => {
        expect(await make(job)).toBe(0)
        expect(await madeTo(job, creator)).toEqual([])
        expect(await daysUntilNext(job, creator)).toBeCloseTo(5, 3)
      })
      made.catch(() => undefined)
      await waitForBlockedSession(tx)
    })
    await made
  })
})

it('keeps its day when it is switched off and on, and is a week from now where that is over', async () => {
  const { creator } = await createCreatorWithBalance(9000)
  const set = (weekly: boolean) => runAs(creator, (tx) => tx`select private.set_payout_schedule(${weekly})`)
  const next = (days: number) => sql`
    update public.payout_schedules set next_at = now() + make_interval(days => ${days}) where user_id = ${creator.id}`
  for (const [before, after] of [
    [2, 2],
    [-2, 7],
  ] as const) {
    await next(before)
    await set(false)
    await set(true)
    expect(await daysUntilNext(sql, creator)).toBeCloseTo(after, 2)
  }
})
