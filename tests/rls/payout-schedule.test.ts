import type postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, type SessionUser, sql, waitForBlockedSession } from './database.ts'
import { createCreatorWithBalance, requestPayout } from './payout-helpers.ts'

/**
 * Runs `check` in a transaction that is rolled back. In the transaction, the schedules of these users are overdue by
 * `overdueBy`. All other schedules are postponed, so that no payouts are created for the users of other tests.
 */
async function withDueSchedules(
  users: SessionUser[],
  overdueBy: string,
  check: (tx: postgres.TransactionSql) => Promise<void>,
) {
  const rollback = new Error('rollback')
  const ids = users.map(({ id }) => id)
  const attempt = sql.begin(async (tx) => {
    await tx`update public.payout_schedules set next_at = now() + interval '1 day'`
    await tx`update public.payout_schedules set next_at = now() - ${overdueBy}::interval where user_id = any (${ids})`
    await check(tx)
    throw rollback
  })
  await expect(attempt).rejects.toBe(rollback)
}
/** Creates the payouts that are due and returns how many it created. */
const createScheduledPayouts = async (tx: postgres.TransactionSql) => {
  const [row] = await tx<{ count: number }[]>`select private.create_scheduled_payouts(100, true) as count`
  return row?.count
}
const daysUntilNext = async (tx: postgres.ISql, { id }: SessionUser) => {
  const [next] = await tx<{ days: number }[]>`
    select extract(epoch from next_at - clock_timestamp())::float8 / 86400 as days from public.payout_schedules
    where user_id = ${id}`
  return next?.days
}
const listPayoutMethodNames = async (tx: postgres.ISql, { id }: SessionUser) =>
  (await tx<{ name: string }[]>`select method_name as name from public.payouts where user_id = ${id}`).map(
    ({ name }) => name,
  )
const addMethod = (tx: postgres.ISql, name: string, asDefault: boolean) =>
  tx`select private.save_payout_method(null, 'bank', ${name}, '•••• 5678', 'v1.test.test', ${asDefault})`

it('a scheduled payout pays out the available balance once, even if several weeks were missed', async () => {
  const { creator } = await createCreatorWithBalance(12345)
  await withDueSchedules([creator], '15 days', async (tx) => {
    expect(await createScheduledPayouts(tx)).toBe(1)
    const payouts = await tx`
      select kind, amount_cents::int as cents, method_name as name, state from public.payouts
      where user_id = ${creator.id}`
    expect(payouts.map((row) => Object.values(row))).toEqual([['scheduled', 12345, 'Bank', 'requested']])
    expect(await daysUntilNext(tx, creator)).toBeCloseTo(6, 3)
    expect(await createScheduledPayouts(tx)).toBe(0)
    await tx`set constraints all immediate`
  })
})

it('scheduled payouts skip creators with a low balance, no usable method, weekly payouts off, a read-only account, an unconfirmed email address or no balance left after a payout', async () => {
  const results = await Promise.all(
    [9000, 9000, 9000, 9000, 9000, 4999, 9000].map((cents) => createCreatorWithBalance(cents)),
  )
  const [newMethod, noMethod, weeklyOff, readOnly, unconfirmed, , paid] = results.map(
    ({ creator }) => creator,
  )
  if (!newMethod || !noMethod || !weeklyOff || !readOnly || !unconfirmed || !paid)
    throw new Error('unreachable')
  await sql`update public.payout_methods set changed_at = now() where user_id = ${newMethod.id}`
  await sql`delete from public.payout_methods where user_id = ${noMethod.id}`
  await runAs(weeklyOff, (tx) => tx`select private.set_payout_schedule(false)`)
  await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${readOnly.id}`
  await sql`update public.accounts set email_confirmed_at = null where user_id = ${unconfirmed.id}`
  await requestPayout(paid)
  await withDueSchedules(
    results.map(({ creator }) => creator),
    '1 minute',
    async (tx) => {
      expect(await createScheduledPayouts(tx)).toBe(0)
    },
  )
  expect(await getSqlState(runAs(paid, (tx) => tx`select private.create_scheduled_payouts(1)`))).toBe('42501')
})

it('former creators can be paid, but not users who were never creators', async () => {
  const [{ creator }, user] = await Promise.all([createCreatorWithBalance(9000), insertUser()])
  await sql`update public.profiles set is_creator = false where id = ${creator.id}`
  await withDueSchedules([creator], '1 minute', async (tx) => {
    expect(await createScheduledPayouts(tx)).toBe(1)
  })
  await requestPayout(creator)
  expect(await getSqlState(requestPayout(user))).toBe('PT403')
})

describe('a default payout method that is still in its waiting period on the payout day', () => {
  /** Inserts a creator who changed their default method two days ago and has a second method, which is usable. */
  async function insertCreatorWithNewMethod() {
    const { creator } = await createCreatorWithBalance(9000)
    await runAs(creator, (tx) => addMethod(tx, 'New', true))
    await sql`
      update public.payout_methods set changed_at = now() - interval '2 days' where user_id = ${creator.id} and is_default`
    return creator
  }
  const advanceDays = (tx: postgres.ISql, { id }: SessionUser, days: number) => tx`
    with methods as (
      update public.payout_methods set changed_at = changed_at - make_interval(days => ${days}) where user_id = ${id})
    update public.payout_schedules set next_at = next_at - make_interval(days => ${days}) where user_id = ${id}`

  it('delays the payout until the method can be used, and the next payout is a week later', async () => {
    const creator = await insertCreatorWithNewMethod()
    await withDueSchedules([creator], '1 minute', async (tx) => {
      expect(await createScheduledPayouts(tx)).toBe(0)
      expect(await daysUntilNext(tx, creator)).toBeCloseTo(3, 3)
      await advanceDays(tx, creator, 2)
      expect(await createScheduledPayouts(tx)).toBe(0)
      expect(await daysUntilNext(tx, creator)).toBeCloseTo(1, 3)
      await advanceDays(tx, creator, 1)
      expect(await createScheduledPayouts(tx)).toBe(1)
      expect(await listPayoutMethodNames(tx, creator)).toEqual(['New'])
      expect(await daysUntilNext(tx, creator)).toBeCloseTo(7, 3)
    })
  })

  it('delays the payout again when the method is changed, and uses the new default method if the changed one is deleted', async () => {
    const creator = await insertCreatorWithNewMethod()
    await withDueSchedules([creator], '1 minute', async (tx) => {
      expect(await createScheduledPayouts(tx)).toBe(0)
      await advanceDays(tx, creator, 3)
      await tx`update public.payout_methods set changed_at = clock_timestamp() where user_id = ${creator.id} and is_default`
      expect(await createScheduledPayouts(tx)).toBe(0)
      expect(await daysUntilNext(tx, creator)).toBeCloseTo(5, 3)
      await tx`delete from public.payout_methods where user_id = ${creator.id} and is_default`
      await tx`update public.payout_methods set is_default = true where user_id = ${creator.id}`
      await advanceDays(tx, creator, 5)
      expect(await createScheduledPayouts(tx)).toBe(1)
      expect(await listPayoutMethodNames(tx, creator)).toEqual(['Bank'])
    })
  })

  it('delays the payout even if the method is added concurrently', async () => {
    const { creator } = await createCreatorWithBalance(9000)
    let checked: Promise<void> | undefined
    await runAs(creator, async (tx) => {
      await addMethod(tx, 'New', true)
      checked = withDueSchedules([creator], '1 minute', async (jobTx) => {
        expect(await createScheduledPayouts(jobTx)).toBe(0)
        expect(await listPayoutMethodNames(jobTx, creator)).toEqual([])
        expect(await daysUntilNext(jobTx, creator)).toBeCloseTo(5, 3)
      })
      checked.catch(() => undefined)
      await waitForBlockedSession(tx)
    })
    await checked
  })
})

it('turning weekly payouts off and on keeps a future payout day, and moves a past one to a week from now', async () => {
  const { creator } = await createCreatorWithBalance(9000)
  const setSchedule = (weekly: boolean) =>
    runAs(creator, (tx) => tx`select private.set_payout_schedule(${weekly})`)
  const setDaysUntilNext = (days: number) => sql`
    update public.payout_schedules set next_at = now() + make_interval(days => ${days}) where user_id = ${creator.id}`
  for (const [before, after] of [
    [2, 2],
    [-2, 7],
  ] as const) {
    await setDaysUntilNext(before)
    await setSchedule(false)
    await setSchedule(true)
    expect(await daysUntilNext(sql, creator)).toBeCloseTo(after, 2)
  }
})
