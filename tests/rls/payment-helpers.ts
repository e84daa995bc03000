import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { expect } from 'vitest'
import { runAs, runAsService, type SessionUser, sql } from './database.ts'

type LedgerEntry = { account: string; label: string; userId: string | null; amount: number }

/** Inserts a premium post as the superuser, and returns its ID. `price` is in US dollars. */
export async function insertPremiumPost(author: SessionUser, price: number): Promise<string> {
  const id = randomUUID()
  await sql.begin(async (tx) => {
    await tx`insert into public.posts (id, author_id, is_premium, premium_price) values (${id}, ${author.id}, true, ${price})`
    await tx`insert into public.premium_contents (post_id, author_id, content) values (${id}, ${author.id}, 'Paid for')`
  })
  return id
}

/** Begins the purchase of a post and returns the payment's ID, or null if there is nothing to pay. */
export const beginUnlock = (payer: SessionUser, post: string, price: number) =>
  runAs(payer, async (tx) => {
    const [row] = await tx<{ payment: string | null }[]>`
      select private.begin_unlock(${post}, ${price}, 'test') as payment`
    return row?.payment ?? null
  })

/** Settles a payment. Returns whether the payment is paid, as opposed to void or refunded. */
export const settlePayment = (payment: string) =>
  runAsService(async (tx) => {
    const [row] = await tx<{ paid: boolean }[]>`
      select private.settle_payment(${payment}, ${`test_${payment}`}) as paid`
    return row?.paid
  })

/** Refunds a payment. Returns whether there was something to refund. */
export const refundPayment = (payment: string) =>
  runAsService(async (tx) => {
    const [row] = await tx<{ refunded: boolean }[]>`select private.refund_payment(${payment}) as refunded`
    return row?.refunded
  })

/** Buys a post, settles the payment and returns the payment's ID. */
export async function buyPost(payer: SessionUser, post: string, price: number): Promise<string> {
  const payment = await beginUnlock(payer, post, price)
  if (payment === null) throw new Error('There is nothing to pay.')
  expect(await settlePayment(payment)).toBe(true)
  return payment
}

/** Returns the ledger entries of a payment in order. Amounts are in cents. */
export const listLedgerEntries = (db: postgres.Sql | postgres.TransactionSql, payment: string) => db<
  LedgerEntry[]
>`
  select e.account, e.label, e.user_id as "userId", e.amount_cents::int as amount
  from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
  where t.payment_id = ${payment} order by e.id`

export const getPaymentState = async (payment: string) => {
  const [row] = await sql<{ state: string }[]>`select state from public.payments where id = ${payment}`
  return row?.state
}

export const canReadPremium = async (user: SessionUser, post: string) =>
  (await runAs(user, (tx) => tx`select from public.premium_contents where post_id = ${post}`)).count === 1
