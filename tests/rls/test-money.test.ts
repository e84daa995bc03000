import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, runAsService, type SessionUser, sql } from './database.ts'
import { buyPost, insertPremiumPost, settlePayment } from './payment-helpers.ts'
import { createCreatorWithBalance, requestPayout, settlePayout } from './payout-helpers.ts'

/**
 * Begins a tip of 100 dollars with `provider`. Settles it with Stripe if `reference` starts with `pi_`, and with the
 * test provider otherwise. Clears the creator's share of 90 dollars and returns the ID of the payment.
 */
async function tip(fan: SessionUser, creator: SessionUser, provider: 'test' | 'stripe', reference: string) {
  const id = randomUUID()
  await runAs(fan, (tx) => tx`select private.begin_tip(${id}, ${creator.id}, 100, ${provider})`)
  await runAsService((tx) =>
    reference.startsWith('pi_')
      ? tx`select private.settle_checkout(${id}, ${reference}, 10000)`
      : tx`select private.settle_payment(${id}, ${reference})`,
  )
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update public.ledger_transactions set clears_at = created_at where user_id = ${creator.id}`
  })
  return id
}

const getBalances = async ({ id }: SessionUser) => {
  const [row] = await sql<{ real: number; test: number }[]>`
    select private.balance_cents(${id}, false)::int as real, private.balance_cents(${id}, true)::int as test`
  return row
}
const requestRealPayout = async (creator: SessionUser, dollars: number | null = null) => {
  const id = randomUUID()
  await runAs(creator, (tx) => tx`select private.request_payout(${id}, ${dollars}, test_money => false)`)
  return id
}

describe('test money', () => {
  it('is kept apart from real money, and a real payout takes only real money', async () => {
    const { creator, fan, sale } = await createCreatorWithBalance(9000)
    expect(await getBalances(creator)).toEqual({ real: 0, test: 9000 })
    expect(await getSqlState(requestRealPayout(creator))).toBe('PT400')
    expect(await getSqlState(requestRealPayout(creator, 60))).toBe('PT409')

    await tip(fan, creator, 'stripe', `pi_${randomUUID()}`)
    expect(await getBalances(creator)).toEqual({ real: 9000, test: 9000 })
    expect(await getSqlState(requestRealPayout(creator, 90.01))).toBe('PT409')
    await requestRealPayout(creator)
    expect(await getBalances(creator)).toEqual({ real: 0, test: 9000 })

    // A refund of test money counts as test money.
    await sql`select private.refund_payment(${sale})`
    expect(await getBalances(creator)).toEqual({ real: 0, test: 0 })
    const [row] = await sql`
      select bool_and(t.is_test = coalesce(p.provider = 'test', o.is_test)) as marked, count(*)::int as count
      from public.ledger_transactions t left join public.payments p on p.id = t.payment_id
      left join public.payouts o on o.id = t.payout_id where t.user_id = ${creator.id}`
    expect(row).toEqual({ marked: true, count: 4 })
  })

  it('is not paid out by the weekly schedule while test mode is off', async () => {
    const { creator } = await createCreatorWithBalance(9000)
    await sql`update public.payout_schedules set next_at = now() - interval '1 hour' where user_id = ${creator.id}`
    await runAsService((tx) => tx`select private.create_scheduled_payouts(1000, false)`)
    expect(await sql`select from public.payouts where user_id = ${creator.id}`).toHaveLength(0)
    expect(await getBalances(creator)).toEqual({ real: 0, test: 9000 })
  })

  it('is not paid out while test mode is off, and its payouts can then only be marked as failed', async () => {
    const [{ creator }, admin] = await Promise.all([
      createCreatorWithBalance(9000),
      insertUser({ admin: true }),
    ])
    const payoutId = await requestPayout(creator)
    const pay = runAs(admin, (tx) => tx`select private.settle_payout(${payoutId}, 'paid', 'Sent', false)`)
    expect(await getSqlState(pay)).toBe('PT409')
    await runAs(admin, (tx) => tx`select private.settle_payout(${payoutId}, 'failed', 'Test money', false)`)
    expect(await getBalances(creator)).toEqual({ real: 0, test: 9000 })
    await settlePayout(admin, await requestPayout(creator), 'paid')
    expect(await getBalances(creator)).toEqual({ real: 0, test: 0 })
  })

  it('is identified by the provider that took the money, not by the one with which the payment began', async () => {
    const [creator, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const test = await tip(fan, creator, 'stripe', `test_${randomUUID()}`)
    expect(await getBalances(creator)).toEqual({ real: 0, test: 9000 })
    const real = await tip(fan, creator, 'test', `pi_${randomUUID()}`)
    expect(await getBalances(creator)).toEqual({ real: 9000, test: 9000 })
    const providers = await sql<{ id: string; provider: string }[]>`
      select id, provider from public.payments where id in (${test}, ${real})`
    expect(Object.fromEntries(providers.map(({ id, provider }) => [id, provider]))).toEqual({
      [test]: 'test',
      [real]: 'stripe',
    })
  })

  it('does not overwrite the Stripe charge to be refunded when a void payment is also settled with the test provider', async () => {
    const [creator, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const [id, charge] = [randomUUID(), `pi_${randomUUID()}`]
    await runAs(fan, (tx) => tx`select private.begin_tip(${id}, ${creator.id}, 100, 'stripe')`)
    await sql`insert into public.blocks (blocker_id, blocked_id) values (${creator.id}, ${fan.id})`
    await runAsService((tx) => tx`select private.settle_checkout(${id}, ${charge}, 10000)`)
    await runAsService((tx) => tx`select private.settle_payment(${id}, ${`test_${id}`})`)
    const due = await runAsService(
      (tx) => tx`select reference from private.due_refunds(100000) where id = ${id}`,
    )
    expect(due).toEqual([{ reference: charge }])
  })

  it('is not used for a pending tip that is retried after a switch to Stripe', async () => {
    const [creator, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const id = randomUUID()
    for (const provider of ['test', 'stripe'])
      await runAs(fan, (tx) => tx`select private.begin_tip(${id}, ${creator.id}, 100, ${provider})`)
    expect(await sql`select provider from public.payments where id = ${id}`).toEqual([{ provider: 'stripe' }])
  })

  it('cannot be booked as real money, nor real money as test money', async () => {
    const { creator, fan, sale } = await createCreatorWithBalance(9000)
    const real = await tip(fan, creator, 'stripe', `pi_${randomUUID()}`)
    const book = (payment: string, isTest: boolean) =>
      sql.begin(async (tx) => {
        const [transaction] = await tx<{ id: string }[]>`
          insert into public.ledger_transactions (kind, payment_id, user_id, is_test)
          values ('refund', ${payment}, ${creator.id}, ${isTest}) returning id`
        await tx`
          insert into public.ledger_entries (transaction_id, account, user_id, label, amount_cents)
          values (${transaction?.id ?? ''}, 'processor', null, 'payment', 5),
                 (${transaction?.id ?? ''}, 'platform', null, 'fee', -5)`
      })
    expect(await getSqlState(book(sale, false))).toBe('23514')
    expect(await getSqlState(book(real, true))).toBe('23514')
  })

  it('is forfeited separately from real money when the account is deleted', async () => {
    const { creator, fan } = await createCreatorWithBalance(9000)
    await tip(fan, creator, 'stripe', `pi_${randomUUID()}`)
    await sql`select private.delete_account(${creator.id}, true)`
    const booked = await sql`
      select is_test, net_cents::int as cents from public.ledger_transactions
      where user_id = ${creator.id} and kind = 'given_up' order by is_test`
    expect(booked).toEqual([
      { is_test: false, cents: -9000 },
      { is_test: true, cents: -9000 },
    ])
  })

  it('does not offset real money: even in test mode, deleting an account that has real money requires consent to forfeit it', async () => {
    const [creator, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    await tip(fan, creator, 'stripe', `pi_${randomUUID()}`)
    const deleteWithoutConsent = (testMode: boolean) =>
      runAs(creator, (tx) => tx`select private.delete_own_account(false, ${testMode})`)
    expect(await getSqlState(deleteWithoutConsent(true))).toBe('PT409')
    expect(await getSqlState(deleteWithoutConsent(false))).toBe('PT409')
    // A negative balance of test money does not offset real money either. Refunding a sale that was already paid out,
    // for example, leaves such a balance.
    await sql`
      select private.book_transaction('given_up', ${creator.id}, null, null, array[
        ('creator', ${creator.id}::uuid, 'given_up', -9000)::private.ledger_line,
        ('platform', null, 'given_up', 9000)::private.ledger_line], test_money => true)`
    expect(await getSqlState(deleteWithoutConsent(true))).toBe('PT409')
  })

  it('is not deducted again by a refund after it was voided', async () => {
    const { creator, fan, sale } = await createCreatorWithBalance(9000)
    const post = await insertPremiumPost(creator, 5)
    const unlock = await buyPost(fan, post, 5)
    const [plan] = await sql<{ id: string }[]>`
      insert into public.creator_plans (user_id, price_cents) values (${creator.id}, 1999) returning id`
    const [month] = await sql<{ id: string }[]>`
      insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider)
      values ('creator_pro', ${creator.id}, ${plan?.id ?? ''}, now(), 1999, 0, 'test') returning id`
    expect(await settlePayment(month?.id ?? '')).toBe(true)
    // Voiding affects the test money of other tests too, so the transaction is rolled back.
    const rollback = new Error('rollback')
    const attempt = sql.begin(async (tx) => {
      await tx`select private.void_test_money()`
      const refunds = [sale, unlock, month?.id ?? '']
      for (const expected of [true, false]) {
        for (const payment of refunds) {
          const [row] = await tx`select private.refund_payment(${payment}) as refunded`
          expect(row).toEqual({ refunded: expected })
        }
      }
      const accounts = await tx`
        select e.account from public.ledger_entries e join public.ledger_transactions t on t.id = e.transaction_id
        where t.payment_id = any (${refunds}) and t.kind in ('refund', 'test_void')
        group by e.account having sum(e.amount_cents) <> 0`
      const [balance] = await tx`
        select total_cents::int as total, test_cents::int as test from public.creator_balances
        where user_id = ${creator.id}`
      expect([accounts, balance]).toEqual([[], { total: 0, test: 0 }])
      expect(await tx`select from public.unlocks where payment_id = ${unlock}`).toHaveLength(0)
      await tx`set constraints all immediate`
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
    // A refund deducts test money that was not voided.
    await sql`select private.refund_payment(${sale})`
    expect(await getBalances(creator)).toEqual({ real: 0, test: 450 })
  })

  it('cannot be voided through the API, not even by admins or the service role', async () => {
    const admin = await insertUser({ admin: true })
    const attempts = [
      runAs(null, (tx) => tx`select private.void_test_money()`),
      runAs(admin, (tx) => tx`select private.void_test_money()`),
      runAsService((tx) => tx`select private.void_test_money()`),
    ]
    expect(await Promise.all(attempts.map(getSqlState))).toEqual(['42501', '42501', '42501'])
  })
})
