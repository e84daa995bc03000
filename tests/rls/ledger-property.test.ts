import { expect, it } from 'vitest'
import { retryDeadlocks } from '../support/deadlocks.ts'
import { insertUsers, runAs, type SessionUser, sql } from './database.ts'
import { insertPremiumPost } from './payment-helpers.ts'
import { type OperationCounts, type Participants, runRandomOperations } from './random-ledger-operations.ts'

const idsOf = (users: readonly SessionUser[]) => users.map(({ id }) => id)

/** Adds a payout method that is past its waiting period. */
const addMethod = async (creator: SessionUser) => {
  await runAs(
    creator,
    (tx) => tx`select private.save_payout_method(null, 'bank', 'Bank', '•••• 1234', 'v1.test.test', true)`,
  )
  await sql`update public.payout_methods set changed_at = now() - interval '6 days' where user_id = ${creator.id}`
}

async function insertParticipants(): Promise<Participants> {
  const [fans, creators, admins] = await Promise.all([
    insertUsers(8),
    insertUsers(3, { creator: true }),
    insertUsers(2, { admin: true }),
  ])
  await Promise.all(
    creators.flatMap((creator) => [
      addMethod(creator),
      ...[0.01, 1.15, 12.5, 99.99].map((price) => insertPremiumPost(creator, price)),
    ]),
  )
  return { fans, creators, admins }
}

const sum = (results: readonly OperationCounts[], name: string) =>
  results.reduce((total, counts) => total + (counts[name] ?? 0), 0)

it('the ledger stays consistent through thousands of random concurrent purchases, refunds and payouts', async () => {
  const participants = await insertParticipants()
  const seed = Math.random()
  const steps = 850
  const results = await Promise.all(
    [0, 1, 2, 3].map((n) => runRandomOperations(participants, (seed + n / 4) % 1, steps)),
  )
  const note = `seed ${seed}: ${JSON.stringify(results)}`
  // Operations failed only for expected reasons: no deadlock occurred and no payout exceeded the balance.
  const refusals = new Set(
    results.flatMap((counts) => Object.keys(counts).filter((name) => name.includes(' '))),
  )
  expect(
    [...refusals].filter((name) => !/ PT(400|404|409)$/.test(name)),
    note,
  ).toEqual([])
  expect(results.flatMap((counts) => Object.values(counts)).reduce((total, count) => total + count)).toBe(
    4 * steps,
  )
  for (const name of ['settle', 'refund', 'payout', 'paid', 'failed', 'renew', 'pro', 'clear']) {
    expect(sum(results, name), `${name}, ${note}`).toBeGreaterThan(10)
  }

  const [creators, fans] = [idsOf(participants.creators), idsOf(participants.fans)]
  // The entries of every transaction add up to zero, and the creator's entries add up to the transaction's net amount.
  const unbalanced = await sql`
    select t.id from public.ledger_transactions t left join public.ledger_entries e on e.transaction_id = t.id
    where t.user_id = any (${creators}) or t.payment_id in (
      select p.id from public.payments p where p.payer_id = any (${fans}))
    group by t.id
    having coalesce(sum(e.amount_cents), 1) <> 0
        or coalesce(sum(e.amount_cents) filter (where e.account = 'creator'), 0) <> t.net_cents`
  expect(unbalanced, note).toHaveLength(0)

  // A paid payment has one ledger transaction, a refunded payment has a refund as well, and any other payment has none.
  const wrongPayments = await sql`
    select p.state, p.kind, p.amount_cents, array_agg(t.kind order by t.created_at) filter (where t.id is not null) as kinds
    from public.payments p left join public.ledger_transactions t on t.payment_id = p.id
    where p.payer_id = any (${fans}) group by p.id
    having coalesce(array_agg(t.kind order by t.created_at) filter (where t.id is not null), '{}') <>
      case p.state when 'paid' then array[p.kind] when 'refunded' then array[p.kind, 'refund'] else '{}'::text[] end`
  expect(wrongPayments, note).toHaveLength(0)
  const wrongPayouts = await sql`
    select o.id from public.payouts o left join public.ledger_transactions t on t.payout_id = o.id
    where o.user_id = any (${creators}) group by o.id
    having coalesce(array_agg(t.kind order by t.created_at), '{}') <> case o.state
      when 'requested' then array['payout'] else array['payout', 'payout_' || o.state] end`
  expect(wrongPayouts, note).toHaveLength(0)

  // A creator's balance equals each of these: the sales minus refunds and payouts, the sum of the transactions, the sum
  // of the entries, and the pending plus the cleared amounts.
  const balances = await sql<Record<string, number>[]>`
    select private.balance_cents(c.id, true)::int as balance,
           (select sum(t.net_cents) from public.ledger_transactions t where t.user_id = c.id)::int as transactions,
           (select sum(e.amount_cents) from public.ledger_entries e where e.user_id = c.id)::int as entries,
           (select sum(p.amount_cents - p.fee_cents) from public.payments p
            where p.payee_id = c.id and p.state = 'paid')::int
           - coalesce((select sum(o.amount_cents) from public.payouts o
                       where o.user_id = c.id and o.state <> 'failed'), 0)::int as "fromSales",
           (private.pending_balance_cents(c.id, true) + (select sum(t.net_cents) from public.ledger_transactions t
            where t.user_id = c.id and t.clears_at <= clock_timestamp()))::int as "pendingAndCleared"
    from unnest(${creators}::uuid[]) c (id)`
  for (const { balance, ...others } of balances) {
    expect(others, note).toEqual({
      transactions: balance,
      entries: balance,
      fromSales: balance,
      pendingAndCleared: balance,
    })
  }
  const [accounts] = await sql<Record<string, number>[]>`
    select (sum(e.amount_cents) filter (where e.account = 'payouts'))::int as payouts,
           (select coalesce(sum(o.amount_cents), 0) from public.payouts o
            where o.user_id = any (${creators}) and o.state = 'requested')::int as requested,
           (sum(e.amount_cents) filter (where e.account = 'platform'))::int as platform,
           (select sum(case p.kind when 'creator_pro' then p.amount_cents else p.fee_cents end)
            from public.payments p where p.payer_id = any (${fans}) and p.state = 'paid')::int as fees
    from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
    where t.payment_id in (select p.id from public.payments p where p.payer_id = any (${fans}))
       or t.payout_id in (select o.id from public.payouts o where o.user_id = any (${creators}))`
  expect(accounts, note).toEqual({
    payouts: accounts?.requested,
    requested: accounts?.requested,
    platform: accounts?.fees,
    fees: accounts?.fees,
  })

  expect(await readTotals(creators), note).toEqual(await recomputeTotals(creators))
})

type Totals = { balances: unknown; days: unknown }
const selectTotals = (db: Pick<typeof sql, 'unsafe'>, creators: string[]) =>
  db.unsafe<Totals[]>(
    `select (select jsonb_agg(b order by b.user_id) from public.creator_balances b where b.user_id = any ($1)) as balances,
            (select jsonb_agg(d order by d.user_id, d.day, d.source) from public.earning_days d
             where d.user_id = any ($1)) as days`,
    [creators],
  )
const readTotals = async (creators: string[]) => ({ ...(await selectTotals(sql, creators))[0] })

/**
 * Returns the totals that the database computes from the ledger. The computation can deadlock with ledger writes by
 * other tests. Its short deadlock timeout makes the computation fail rather than the other test, and it is retried.
 */
async function recomputeTotals(creators: string[]): Promise<Partial<Totals>> {
  const rollback = new Error('rollback')
  let totals: Partial<Totals> = {}
  const compute = () =>
    sql.begin(async (tx) => {
      await tx`set local deadlock_timeout = '20ms'`
      await tx`select private.rebuild_balances()`
      totals = { ...(await selectTotals(tx, creators))[0] }
      throw rollback
    })
  await expect(retryDeadlocks(compute, 50)).rejects.toBe(rollback)
  return totals
}
