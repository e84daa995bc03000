import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { buy, sell } from './money.ts'
import { as, owner, type Person, person } from './support.ts'

type Tx = postgres.TransactionSql

/** A creator with so much available (in cents) from one sale, which was paid by a fan, and a method to pay it out to. */
export async function rich(cents: number, settings = {}) {
  const [creator, fan] = await Promise.all([person({ creator: true, ...settings }), person()])
  await as(
    creator,
    (tx) => tx`select private.save_payout_method(null, 'bank', 'Bank', '•••• 1234', 'v1.test.test', true)`,
  )
  const [percent] = await owner<{ whole: number }[]>`select private.fee_of(100) as whole`
  const price = Math.round(cents / (1 - (percent?.whole ?? 10) / 100))
  const sale = await buy(fan, await sell(creator, price / 100), price / 100)
  await owner`update public.payout_methods set changed_at = now() - interval '6 days' where user_id = ${creator.id}`
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update public.ledger_transactions set clears_at = created_at where person_id = ${creator.id}`
  })
  return { creator, fan, sale }
}

/** Asks for a payout as the caller of a transaction; cents, all that is available without. */
export const request = (tx: Tx, cents?: number, id: string = randomUUID()) =>
  tx`select private.request_payout(${id}, ${cents === undefined ? null : cents / 100})`
export const payOut = async (who: Person, cents?: number) => {
  const id = randomUUID()
  await as(who, (tx) => request(tx, cents, id))
  return id
}
export const settlePayout = (admin: Person, payout: string, outcome: 'paid' | 'failed') =>
  as(admin, (tx) => tx`select private.settle_payout(${payout}, ${outcome}, 'as it happened')`)
/** In cents. */
export const balance = async ({ id }: Person) => {
  const [row] = await owner<{ cents: number }[]>`select private.balance_of(${id})::int as cents`
  return row?.cents
}
