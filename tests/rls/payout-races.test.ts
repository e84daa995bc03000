import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import {
  getSqlState,
  impersonate,
  insertUser,
  runAs,
  type SessionUser,
  sql,
  waitForBlockedSession,
} from './database.ts'
import { buyPost, insertPremiumPost, refundPayment } from './payment-helpers.ts'
import {
  createCreatorWithBalance,
  getBalanceCents,
  requestPayout,
  requestPayoutIn,
  settlePayout,
} from './payout-helpers.ts'

type Tx = postgres.TransactionSql

/** Returns the kinds of a payout's ledger transactions in order. */
const listTransactionKinds = async (payoutId: string) => {
  const rows = await sql<{ kind: string }[]>`
    select kind from public.ledger_transactions where payout_id = ${payoutId} order by created_at`
  return rows.map((row) => row.kind)
}

/**
 * Begins a transaction as a user, then runs `first` in another transaction. Runs `second` in the user's transaction
 * before the other one commits, so that `second` has to wait.
 */
async function runConcurrently(
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<unknown>,
  user: SessionUser,
) {
  let allowSecond = () => {}
  const isAllowed = new Promise<void>((resolve) => {
    allowSecond = resolve
  })
  let markBegun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    markBegun = resolve
  })
  const late = runAs(user, async (tx) => {
    markBegun()
    await isAllowed
    return await second(tx)
  })
  late.catch(() => undefined)
  await hasBegun
  await sql.begin(async (tx) => {
    await first(tx)
    allowSecond()
    await waitForBlockedSession(tx)
  })
  return await late
}

describe('requesting a payout', () => {
  it('is refused when a concurrent payout leaves too low a balance', async () => {
    const { creator } = await createCreatorWithBalance(9000)
    const race = runConcurrently(
      async (tx) => {
        await impersonate(tx, creator)
        await requestPayoutIn(tx, 6000)
      },
      (tx) => requestPayoutIn(tx, 6000),
      creator,
    )
    expect(await getSqlState(race)).toBe('PT409')
    expect(await getBalanceCents(creator)).toBe(3000)
  })

  it('is refused when a concurrent refund leaves no balance', async () => {
    const { creator, sale } = await createCreatorWithBalance(9000)
    const race = runConcurrently(
      (tx) => tx`select private.refund_payment(${sale})`,
      (tx) => requestPayoutIn(tx),
      creator,
    )
    expect(await getSqlState(race)).toBe('PT400')
    expect(await getBalanceCents(creator)).toBe(0)
  })

  it('before a refund leaves a negative balance, which later sales offset', async () => {
    const { creator, fan, sale } = await createCreatorWithBalance(9000)
    await requestPayout(creator)
    expect(await refundPayment(sale)).toBe(true)
    expect(await getBalanceCents(creator)).toBe(-9000)
    await buyPost(fan, await insertPremiumPost(creator, 20), 20)
    const [available] = await sql<{ cents: number }[]>`
      select (private.balance_cents(${creator.id}, true) - private.pending_balance_cents(${creator.id}, true))::int as cents`
    expect([await getBalanceCents(creator), available?.cents]).toEqual([-7200, -9000])
    expect(await getSqlState(requestPayout(creator))).toBe('PT400')
  })

  it('is refused for fractions of a cent, for amounts that are negative or too small, and for pending earnings', async () => {
    const { creator, fan } = await createCreatorWithBalance(9000)
    await buyPost(fan, await insertPremiumPost(creator, 500), 500)
    for (const amount of ['50.005', '90.01', '-60', '49.999']) {
      const attempt = runAs(
        creator,
        (tx) =>
          tx`select private.request_payout(${randomUUID()}, ${amount}::text::numeric, test_money => true)`,
      )
      expect(await getSqlState(attempt), amount).toMatch(/^PT4/)
    }
    await requestPayout(creator)
    expect(await getBalanceCents(creator)).toBe(45000)
  })
})

describe('settling a payout', () => {
  it('happens only once when two admins settle the same payout concurrently', async () => {
    const [{ creator }, ...admins] = await Promise.all([
      createCreatorWithBalance(18000),
      insertUser({ admin: true }),
      insertUser({ admin: true }),
    ])
    const [payoutId, contestedId] = [await requestPayout(creator, 6000), await requestPayout(creator, 6000)]
    await Promise.all(admins.map((admin) => settlePayout(admin, payoutId, 'paid')))
    expect(await listTransactionKinds(payoutId)).toEqual(['payout', 'payout_paid'])
    const [first, second] = admins
    if (!first || !second) throw new Error('unreachable')
    const results = await Promise.allSettled([
      settlePayout(first, contestedId, 'paid'),
      settlePayout(second, contestedId, 'failed'),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await listTransactionKinds(contestedId)).toHaveLength(2)
    expect([12000, 6000]).toContain(await getBalanceCents(creator))
  })

  it('is allowed for admins only, and not for their own payouts', async () => {
    const [{ creator }, fan] = await Promise.all([createCreatorWithBalance(9000), insertUser()])
    const payoutId = await requestPayout(creator)
    const calls = [
      `private.settle_payout('${payoutId}', 'paid', test_money => true)`,
      `private.reveal_payout_details('${payoutId}')`,
      'private.require_admin()',
    ]
    for (const call of calls) {
      for (const user of [creator, fan]) {
        expect(await getSqlState(runAs(user, (tx) => tx.unsafe(`select ${call}`))), call).toBe('PT403')
      }
      expect(await getSqlState(runAs(null, (tx) => tx.unsafe(`select ${call}`))), call).toBe('42501')
    }
    await sql`update public.profiles set is_admin = true where id = ${creator.id}`
    expect(await getSqlState(settlePayout(creator, payoutId, 'failed'))).toBe('PT403')
    for (const statement of [
      "update public.payouts set state = 'paid', settled_at = now()",
      'delete from public.payouts',
      'select from private.payout_destinations',
      'select from private.payout_method_details',
      "update public.payout_methods set changed_at = '2020-01-01'",
    ]) {
      expect(await getSqlState(runAs(creator, (tx) => tx.unsafe(statement))), statement).toBe('42501')
    }
    expect(await listTransactionKinds(payoutId)).toEqual(['payout'])
  })
})

describe('deleting an account with an open payout', () => {
  it('keeps the payout open, and forfeits the amount to the platform if the payout fails', async () => {
    const [{ creator }, admin] = await Promise.all([
      createCreatorWithBalance(18000),
      insertUser({ admin: true }),
    ])
    const [paid, failed] = [await requestPayout(creator, 6000), await requestPayout(creator, 6000)]
    await sql`select private.delete_account(${creator.id}, true)`
    expect(await getBalanceCents(creator)).toBe(0)
    await settlePayout(admin, paid, 'paid')
    await settlePayout(admin, failed, 'failed')
    const entries = await sql`
      select t.kind, e.account, e.label, e.amount_cents::int as cents
      from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
      where t.payout_id in (${paid}, ${failed}) and t.kind <> 'payout' order by e.id`
    expect(entries.map((row) => Object.values(row))).toEqual([
      ['payout_paid', 'payouts', 'payout', -6000],
      ['payout_paid', 'processor', 'payout', 6000],
      ['payout_failed', 'payouts', 'payout', -6000],
      ['payout_failed', 'platform', 'given_up', 6000],
    ])
    expect(await getBalanceCents(creator)).toBe(0)
    const remaining = await sql`
      select from private.payout_destinations t where t.payout_id in (${paid}, ${failed})
      union all select from public.payout_methods m where m.user_id = ${creator.id}`
    expect(remaining).toHaveLength(0)
  })

  it('removes the name and number of the payout method once the payout is settled', async () => {
    const [{ creator }, admin] = await Promise.all([
      createCreatorWithBalance(24000),
      insertUser({ admin: true }),
    ])
    const ids: string[] = []
    for (const cents of [6000, 6000, 6000, 6000]) ids.push(await requestPayout(creator, cents))
    const [before = '', failed = '', paid = ''] = ids
    const listMethods = async () => {
      const rows = await sql<{ name: string; masked: string }[]>`
        select p.method_name as name, p.method_masked as masked
        from unnest(${ids}::uuid[]) with ordinality i (id, at) join public.payouts p using (id) order by i.at`
      return rows.map(({ name, masked }) => `${name} ${masked}`)
    }
    await settlePayout(admin, before, 'paid')
    expect(await listMethods()).toEqual(Array.from({ length: 4 }, () => 'Bank •••• 1234'))
    await sql`select private.delete_account(${creator.id}, true)`
    // Admins still need the destination of payouts that are not settled.
    const [removed, kept] = ['bank ••••', 'Bank •••• 1234']
    expect(await listMethods()).toEqual([removed, kept, kept, kept])
    await settlePayout(admin, failed, 'failed')
    await settlePayout(admin, paid, 'paid')
    expect(await listMethods()).toEqual([removed, removed, removed, kept])
  })

  it('works while the payout is settled as failed', async () => {
    const [{ creator }, admin] = await Promise.all([
      createCreatorWithBalance(9000),
      insertUser({ admin: true }),
    ])
    const payoutId = await requestPayout(creator)
    await runConcurrently(
      (tx) => tx`select private.delete_account(${creator.id}, true)`,
      (tx) => tx`select private.settle_payout(${payoutId}, 'failed', 'closed')`,
      admin,
    )
    expect(await listTransactionKinds(payoutId)).toEqual(['payout', 'payout_failed'])
    expect(await getBalanceCents(creator)).toBe(0)
  })

  it('works without a deadlock while the weekly payout is created', async () => {
    const { creator } = await createCreatorWithBalance(9000)
    let deletion: Promise<unknown> | undefined
    // The job that creates weekly payouts locks the schedule first, then the balance.
    await sql.begin(async (tx) => {
      await tx`select from public.payout_schedules where user_id = ${creator.id} for update`
      deletion = sql`select private.delete_account(${creator.id}, true)`.execute()
      deletion.catch(() => undefined)
      await waitForBlockedSession(tx)
      await tx`select from public.creator_balances where user_id = ${creator.id} for update`
    })
    await deletion
    expect(await getBalanceCents(creator)).toBe(0)
  })
})
