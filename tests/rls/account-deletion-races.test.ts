import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, type SessionUser, sql, waitForBlockedSession } from './database.ts'
import { beginUnlock, getPaymentState, insertPremiumPost, settlePayment } from './payment-helpers.ts'
import { createCreatorWithBalance, getBalanceCents, requestPayout, settlePayout } from './payout-helpers.ts'

// An account deletion that runs concurrently with a payment or a payout must not leave money without an owner and must
// not deadlock.

type Tx = postgres.TransactionSql

const deleteAccount = (db: Tx | typeof sql, user: SessionUser, forfeitsBalance = true) =>
  db`select private.delete_account(${user.id}, ${forfeitsBalance})`
const beginTip = async (from: SessionUser, to: SessionUser, amount = 100) => {
  const id = randomUUID()
  await runAs(from, (tx) => tx`select private.begin_tip(${id}, ${to.id}, ${amount}, 'test')`)
  return id
}
/** Inserts a creator who has no earnings and gets no payment notifications, and a user who may tip them. */
const insertCreatorAndFan = async () => {
  const [creator, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
  await sql`update public.user_settings set payment_alerts = false where user_id = ${creator.id}`
  return { creator, fan }
}
/** Returns the kind and net amount in cents of each of a user's ledger transactions, oldest first. */
const listTransactions = async ({ id }: SessionUser) =>
  (
    await sql<{ kind: string; net: number }[]>`
      select kind, net_cents::int as net from public.ledger_transactions where user_id = ${id} order by created_at`
  ).map(({ kind, net }) => `${kind} ${net}`)

/**
 * Runs `work` in a transaction and starts a deletion that has to wait for the transaction. Commits the transaction and
 * waits for the deletion.
 */
async function deleteDuring(work: (tx: Tx) => Promise<unknown>, deletion: () => Promise<unknown>) {
  let deleted: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    await work(tx)
    deleted = deletion()
    deleted.catch(() => undefined)
    await waitForBlockedSession(tx)
  })
  return await deleted
}

describe('deleting an account while money is booked for its user', () => {
  it('forfeits a first tip that is settled just before the deletion', async () => {
    const { creator, fan } = await insertCreatorAndFan()
    const id = await beginTip(fan, creator)
    await deleteDuring(
      (tx) => tx`select private.settle_payment(${id}, ${`test_${id}`})`,
      () => deleteAccount(sql, creator).execute(),
    )
    expect([await getBalanceCents(creator), await listTransactions(creator)]).toEqual([
      0,
      ['tip 9000', 'given_up -9000'],
    ])
  })

  it('is refused without consent to forfeit the balance', async () => {
    const { creator, fan } = await insertCreatorAndFan()
    const id = await beginTip(fan, creator)
    const race = deleteDuring(
      (tx) => tx`select private.settle_payment(${id}, ${`test_${id}`})`,
      () => deleteAccount(sql, creator, false).execute(),
    )
    expect([await getSqlState(race), await getBalanceCents(creator)]).toEqual(['PT409', 9000])
  })

  it('waits for a concurrent ledger transaction, and creates no balance for a user without earnings', async () => {
    const { creator } = await insertCreatorAndFan()
    await sql`
      insert into public.payouts (user_id, kind, amount_cents, method_type, method_name, method_masked, is_test, state,
                                  failure, settled_at)
      values (${creator.id}, 'instant', 70, 'bank', 'Bank', '•••• 1234', true, 'failed', 'Closed', now())`
    await deleteDuring(
      (tx) => tx`select private.book_transaction('payout_failed', ${creator.id}, null, null, array[
        ('payouts', null, 'payout', -70)::private.ledger_line,
        ('creator', ${creator.id}, 'payout', 70)::private.ledger_line], booked_payout_id => (
          select id from public.payouts where user_id = ${creator.id}))`,
      () => deleteAccount(sql, creator).execute(),
    )
    expect(await getBalanceCents(creator)).toBe(0)
    const other = await insertUser()
    await deleteAccount(sql, other)
    expect(await sql`select from public.creator_balances where user_id = ${other.id}`).toHaveLength(0)
  })

  it('voids a tip without a deadlock when the deletion comes first', async () => {
    const [creator, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const id = await beginTip(fan, creator)
    let settled: Promise<boolean | undefined> = Promise.resolve(undefined)
    // A deletion locks the user's counters before it deletes the user's row in auth.users.
    await sql.begin(async (tx) => {
      await tx`select from public.user_counters where user_id = ${creator.id} for update`
      settled = settlePayment(id)
      settled.catch(() => undefined)
      await waitForBlockedSession(tx)
      await deleteAccount(tx, creator)
    })
    expect([await settled, await getPaymentState(id), await listTransactions(creator)]).toEqual([
      false,
      'void',
      [],
    ])
  })
})

it('a deleted buyer’s purchase is voided without a deadlock', async () => {
  const [creator, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
  const paymentId = (await beginUnlock(fan, await insertPremiumPost(creator, 5), 5)) ?? ''
  let settled: Promise<boolean | undefined> = Promise.resolve(undefined)
  // If the buyer follows the creator, the deletion locks the creator's counters before it deletes the buyer's row in
  // auth.users.
  await sql.begin(async (tx) => {
    await tx`select from public.user_counters where user_id = ${creator.id} for update`
    settled = settlePayment(paymentId)
    settled.catch(() => undefined)
    await waitForBlockedSession(tx)
    await deleteAccount(tx, fan)
  })
  expect([await settled, await getPaymentState(paymentId), await listTransactions(creator)]).toEqual([
    false,
    'void',
    [],
  ])
})

it('a deleted creator’s payout is settled without a deadlock', async () => {
  const [{ creator }, admin] = await Promise.all([
    createCreatorWithBalance(9000),
    insertUser({ admin: true }),
  ])
  const payoutId = await requestPayout(creator)
  let settled: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    await tx`select from public.user_counters where user_id = ${creator.id} for update`
    settled = settlePayout(admin, payoutId, 'failed')
    settled.catch(() => undefined)
    await waitForBlockedSession(tx)
    await deleteAccount(tx, creator)
  })
  await settled
  expect(await getBalanceCents(creator)).toBe(0)
  const [row] = await sql`select state from public.payouts where id = ${payoutId}`
  expect(row).toEqual({ state: 'failed' })
})

it('neither creators nor admins can see the ID of the admin who settled a payout', async () => {
  const [{ creator }, admin] = await Promise.all([
    createCreatorWithBalance(9000),
    insertUser({ admin: true }),
  ])
  const payoutId = await requestPayout(creator)
  await settlePayout(admin, payoutId, 'paid')
  expect(await runAs(creator, (tx) => tx`select state from public.payouts`)).toEqual([{ state: 'paid' }])
  for (const user of [creator, admin]) {
    expect(await getSqlState(runAs(user, (tx) => tx`select settled_by from public.payouts`))).toBe('42501')
  }
})
