import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, type SessionUser, sql, waitForBlockedSession } from './database.ts'
import { beginUnlock, getPaymentState, insertPremiumPost, settlePayment } from './payment-helpers.ts'
import { createCreatorWithBalance, getBalanceCents, requestPayout, settlePayout } from './payout-helpers.ts'

/** Money on its way to somebody who is leaving: nothing stays for nobody, and nobody waits in a circle. */
afterAll(() => sql.end())

type Tx = postgres.TransactionSql

const remove = (db: Tx | typeof sql, who: SessionUser, giveUp = true) =>
  db`select private.remove_account(${who.id}, ${giveUp})`
const tip = async (from: SessionUser, to: SessionUser, amount = 100) => {
  const id = randomUUID()
  await runAs(from, (tx) => tx`select private.begin_tip(${id}, ${to.id}, ${amount}, 'test')`)
  return id
}
/** A creator who wants to hear nothing of money, and has earned none. */
const quiet = async () => {
  const [star, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
  await sql`update public.person_settings set payment_alerts = false where user_id = ${star.id}`
  return { star, fan }
}
const booked = async ({ id }: SessionUser) =>
  (
    await sql<{ kind: string; net: number }[]>`
      select kind, net_cents::int as net from public.ledger_transactions where person_id = ${id} order by created_at`
  ).map(({ kind, net }) => `${kind} ${net}`)

/** Runs `leave` beside `first`, which has done its work and is not over: it has to wait. */
async function leaveBeside(first: (tx: Tx) => Promise<unknown>, leave: () => Promise<unknown>) {
  let left: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    await first(tx)
    left = leave()
    left.catch(() => undefined)
    await waitForBlockedSession(tx)
  })
  return await left
}

describe('an account that goes while a tip comes', () => {
  it('gives it up, as the first that somebody ever earned', async () => {
    const { star, fan } = await quiet()
    const id = await tip(fan, star)
    await leaveBeside(
      (tx) => tx`select private.settle_payment(${id}, ${`test_${id}`})`,
      () => remove(sql, star).execute(),
    )
    expect([await getBalanceCents(star), await booked(star)]).toEqual([0, ['tip 9000', 'given_up -9000']])
  })

  it('stays, if it was not to be given up', async () => {
    const { star, fan } = await quiet()
    const id = await tip(fan, star)
    const race = leaveBeside(
      (tx) => tx`select private.settle_payment(${id}, ${`test_${id}`})`,
      () => remove(sql, star, false).execute(),
    )
    expect([await getSqlState(race), await getBalanceCents(star)]).toEqual(['PT409', 9000])
  })

  it('waits for whatever is booked, and leaves no empty balance where nothing was', async () => {
    const { star } = await quiet()
    await sql`
      insert into public.payouts (person_id, kind, amount_cents, method_type, method_name, method_masked)
      values (${star.id}, 'instant', 70, 'bank', 'Bank', '•••• 1234')`
    await leaveBeside(
      (tx) => tx`select private.book('payout_failed', ${star.id}, null, null, array[
        ('payouts', null, 'payout', -70)::private.ledger_line,
        ('creator', ${star.id}, 'payout', 70)::private.ledger_line], paid_out_by => (
          select id from public.payouts where person_id = ${star.id}))`,
      () => remove(sql, star).execute(),
    )
    expect(await getBalanceCents(star)).toBe(0)
    const other = await insertUser()
    await remove(sql, other)
    expect(await sql`select from public.creator_balances where person_id = ${other.id}`).toHaveLength(0)
  })

  it('and neither waits for the other in a circle', async () => {
    const [star, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const id = await tip(fan, star)
    let settled: Promise<boolean | undefined> = Promise.resolve(undefined)
    // As a deletion holds them: what they are told, then themselves.
    await sql.begin(async (tx) => {
      await tx`select from public.user_counters where user_id = ${star.id} for update`
      settled = settlePayment(id)
      settled.catch(() => undefined)
      await waitForBlockedSession(tx)
      await remove(tx, star)
    })
    expect([await settled, await getPaymentState(id), await booked(star)]).toEqual([false, 'void', []])
  })
})

it('an account that goes while it pays for a post: neither waits for the other in a circle', async () => {
  const [star, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
  const payment = (await beginUnlock(fan, await insertPremiumPost(star, 5), 5)) ?? ''
  let settled: Promise<boolean | undefined> = Promise.resolve(undefined)
  // A deletion holds what those are told of whom the person follows, then the person.
  await sql.begin(async (tx) => {
    await tx`select from public.user_counters where user_id = ${star.id} for update`
    settled = settlePayment(payment)
    settled.catch(() => undefined)
    await waitForBlockedSession(tx)
    await remove(tx, fan)
  })
  expect([await settled, await getPaymentState(payment), await booked(star)]).toEqual([false, 'void', []])
})

it('an account that goes while its payout is settled: neither waits for the other in a circle', async () => {
  const [{ creator }, admin] = await Promise.all([
    createCreatorWithBalance(9000),
    insertUser({ admin: true }),
  ])
  const payout = await requestPayout(creator)
  let settled: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    await tx`select from public.user_counters where user_id = ${creator.id} for update`
    settled = settlePayout(admin, payout, 'failed')
    settled.catch(() => undefined)
    await waitForBlockedSession(tx)
    await remove(tx, creator)
  })
  await settled
  expect(await getBalanceCents(creator)).toBe(0)
  const [row] = await sql`select state from public.payouts where id = ${payout}`
  expect(row).toEqual({ state: 'failed' })
})

it('who settled a payout is told to nobody', async () => {
  const [{ creator }, admin] = await Promise.all([
    createCreatorWithBalance(9000),
    insertUser({ admin: true }),
  ])
  const payout = await requestPayout(creator)
  await settlePayout(admin, payout, 'paid')
  expect(await runAs(creator, (tx) => tx`select state from public.payouts`)).toEqual([{ state: 'paid' }])
  for (const who of [creator, admin]) {
    expect(await getSqlState(runAs(who, (tx) => tx`select settled_by from public.payouts`))).toBe('42501')
  }
})
