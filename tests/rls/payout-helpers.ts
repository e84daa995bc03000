import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { insertUser, runAs, type SessionUser, sql } from './database.ts'
import { buyPost, insertPremiumPost } from './payment-helpers.ts'

/**
 * Inserts a creator with a usable payout method and an available balance from one sale to a fan. In the result, `sale`
 * is the ID of the payment.
 */
export async function createCreatorWithBalance(availableCents: number, settings = {}) {
  const [creator, fan] = await Promise.all([insertUser({ creator: true, ...settings }), insertUser()])
  await runAs(
    creator,
    (tx) => tx`select private.save_payout_method(null, 'bank', 'Bank', '•••• 1234', 'v1.test.test', true)`,
  )
  const [row] = await sql<{ feePercent: number }[]>`select private.platform_fee_cents(100) as "feePercent"`
  const priceCents = Math.round(availableCents / (1 - (row?.feePercent ?? 10) / 100))
  const sale = await buyPost(fan, await insertPremiumPost(creator, priceCents / 100), priceCents / 100)
  await sql`update public.payout_methods set changed_at = now() - interval '6 days' where user_id = ${creator.id}`
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update public.ledger_transactions set clears_at = created_at where user_id = ${creator.id}`
  })
  return { creator, fan, sale }
}

/** Requests a payout in a transaction run as the creator. Without `cents`, requests the whole available balance. */
export const requestPayoutIn = (tx: postgres.TransactionSql, cents?: number, id: string = randomUUID()) =>
  tx`select private.request_payout(${id}, ${cents === undefined ? null : cents / 100}, test_money => true)`

/** Requests a payout as a creator and returns its ID. */
export const requestPayout = async (creator: SessionUser, cents?: number) => {
  const id = randomUUID()
  await runAs(creator, (tx) => requestPayoutIn(tx, cents, id))
  return id
}

export const settlePayout = (admin: SessionUser, payoutId: string, outcome: 'paid' | 'failed') =>
  runAs(admin, (tx) => tx`select private.settle_payout(${payoutId}, ${outcome}, 'Test note', true)`)

export const getBalanceCents = async ({ id }: SessionUser) => {
  const [row] = await sql<{ cents: number }[]>`select private.balance_cents(${id}, true)::int as cents`
  return row?.cents
}
