import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { expect } from 'vitest'
import { as, owner, type Person } from './support.ts'

type Tx = postgres.TransactionSql
type Booked = { account: string; label: string; person: string | null; amount: number }

/** A premium post, made without the API. */
export async function sell(author: Person, price: number): Promise<string> {
  const id = randomUUID()
  await owner.begin(async (tx) => {
    await tx`insert into public.posts (id, author_id, is_premium, premium_price) values (${id}, ${author.id}, true, ${price})`
    await tx`insert into public.premium_contents (post_id, author_id, content) values (${id}, ${author.id}, 'Paid for')`
  })
  return id
}

/** Begins to pay as somebody; null where nothing is to be paid. */
export const begin = (payer: Person, post: string, price: number) =>
  as(payer, async (tx) => {
    const [row] = await tx<{ payment: string | null }[]>`
      select private.begin_unlock(${post}, ${price}, 'test') as payment`
    return row?.payment ?? null
  })

/** Runs statements as the role of the payments port and of the operator's secret key. */
export const asService = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
  owner
    .begin(async (tx) => {
      await tx`select set_config('role', 'service_role', true), set_config('request.jwt.claims', '{"role":"service_role"}', true)`
      return [await run(tx)] as const
    })
    .then((result) => (result as readonly [T])[0])

export const settle = (payment: string) =>
  asService(async (tx) => {
    const [row] = await tx<{ open: boolean }[]>`
      select private.settle_payment(${payment}, ${`test_${payment}`}) as open`
    return row?.open
  })

export const refund = (payment: string) =>
  asService(async (tx) => {
    const [row] = await tx<{ done: boolean }[]>`select private.refund_payment(${payment}) as done`
    return row?.done
  })

export async function buy(payer: Person, post: string, price: number): Promise<string> {
  const payment = await begin(payer, post, price)
  if (payment === null) throw new Error('There was nothing to pay.')
  expect(await settle(payment)).toBe(true)
  return payment
}

/** What was booked for a payment, in its order. */
export const booked = (sql: postgres.Sql | Tx, payment: string) => sql<Booked[]>`
  select e.account, e.label, e.person_id as person, e.amount_cents::int as amount
  from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
  where t.payment_id = ${payment} order by e.id`

export const stateOf = async (payment: string) => {
  const [row] = await owner<{ state: string }[]>`select state from public.payments where id = ${payment}`
  return row?.state
}

export const isOpen = async (who: Person, post: string) =>
  (await as(who, (tx) => tx`select from public.premium_contents where post_id = ${post}`)).count === 1
