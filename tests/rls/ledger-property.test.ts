import { afterAll, expect, it } from 'vitest'
import { insertUser, runAs, type SessionUser, sql } from './database.ts'
import { insertPremiumPost } from './payment-helpers.ts'
import { type MoveCounts, type Participants, runRandomMoves } from './random-ledger-moves.ts'

afterAll(() => sql.end())

const several = (count: number, settings = {}) =>
  Promise.all(Array.from({ length: count }, () => insertUser(settings)))
const ids = (people: readonly SessionUser[]) => people.map(({ id }) => id)

/** A payout method that may be used already. */
const addMethod = async (creator: SessionUser) => {
  await runAs(
    creator,
    (tx) => tx`select private.save_payout_method(null, 'bank', 'Bank', '•••• 1234', 'v1.test.test', true)`,
  )
  await sql`update public.payout_methods set changed_at = now() - interval '6 days' where user_id = ${creator.id}`
}

async function setScene(): Promise<Participants> {
  const [fans, creators, admins] = await Promise.all([
    several(8),
    several(3, { creator: true }),
    several(2, { admin: true }),
  ])
  await Promise.all(
    creators.flatMap((creator) => [
      addMethod(creator),
      ...[0.01, 1.15, 12.5, 99.99].map((price) => insertPremiumPost(creator, price)),
    ]),
  )
  return { fans, creators, admins }
}

const sum = (all: readonly MoveCounts[], name: string) =>
  all.reduce((total, made) => total + (made[name] ?? 0), 0)

it('holds after thousands of purchases, refunds, payouts and repeats of each, at once and in any order', async () => {
  const scene = await setScene()
  const seed = Math.random()
  const steps = 850
  const all = await Promise.all([0, 1, 2, 3].map((n) => runRandomMoves(scene, (seed + n / 4) % 1, steps)))
  const note = `seed ${seed}: ${JSON.stringify(all)}`
  // Refused were such moves alone as have to be: nothing clashed, and nothing was taken that is not there.
  const refusals = new Set(all.flatMap((made) => Object.keys(made).filter((name) => name.includes(' '))))
  expect(
    [...refusals].filter((name) => !/ PT(400|404|409)$/.test(name)),
    note,
  ).toEqual([])
  expect(all.flatMap((made) => Object.values(made)).reduce((total, one) => total + one)).toBe(4 * steps)
  for (const name of ['settle', 'refund', 'payout', 'paid', 'failed', 'renew', 'pro', 'clear']) {
    expect(sum(all, name), `${name}, ${note}`).toBeGreaterThan(10)
  }

  const [creators, fans] = [ids(scene.creators), ids(scene.fans)]
  // Every transaction's entries balance, and it says of itself what they say.
  const unbalanced = await sql`
    select t.id from public.ledger_transactions t left join public.ledger_entries e on e.transaction_id = t.id
    where t.person_id = any (${creators}) or t.payment_id in (
      select p.id from public.payments p where p.payer_id = any (${fans}))
    group by t.id
    having coalesce(sum(e.amount_cents), 1) <> 0
        or coalesce(sum(e.amount_cents) filter (where e.account = 'creator'), 0) <> t.net_cents`
  expect(unbalanced, note).toHaveLength(0)

  // A payment is booked once for what it is now, and given back once where it was; any other is not in the books.
  const booked = await sql`
    select p.state, p.kind, p.amount_cents, array_agg(t.kind order by t.created_at) filter (where t.id is not null) as kinds
    from public.payments p left join public.ledger_transactions t on t.payment_id = p.id
    where p.payer_id = any (${fans}) group by p.id
    having coalesce(array_agg(t.kind order by t.created_at) filter (where t.id is not null), '{}') <>
      case p.state when 'paid' then array[p.kind] when 'refunded' then array[p.kind, 'refund'] else '{}'::text[] end`
  expect(booked, note).toHaveLength(0)
  const steered = await sql`
    select o.id from public.payouts o left join public.ledger_transactions t on t.payout_id = o.id
    where o.person_id = any (${creators}) group by o.id
    having coalesce(array_agg(t.kind order by t.created_at), '{}') <> case o.state
      when 'requested' then array['payout'] else array['payout', 'payout_' || o.state] end`
  expect(steered, note).toHaveLength(0)

  // Balances are what was sold less what was given back and paid out, and the sum of their rows.
  const balances = await sql<Record<string, number>[]>`
    select private.balance_of(c.id)::int as kept,
           (select sum(t.net_cents) from public.ledger_transactions t where t.person_id = c.id)::int as rows,
           (select sum(e.amount_cents) from public.ledger_entries e where e.person_id = c.id)::int as entries,
           (select sum(p.amount_cents - p.fee_cents) from public.payments p
            where p.payee_id = c.id and p.state = 'paid')::int
           - coalesce((select sum(o.amount_cents) from public.payouts o
                       where o.person_id = c.id and o.state <> 'failed'), 0)::int as told,
           (private.pending_of(c.id) + (select sum(t.net_cents) from public.ledger_transactions t
            where t.person_id = c.id and t.clears_at <= clock_timestamp()))::int as parts
    from unnest(${creators}::uuid[]) c (id)`
  for (const { kept, ...others } of balances) {
    expect(others, note).toEqual({ rows: kept, entries: kept, told: kept, parts: kept })
  }
  const [accounts] = await sql<Record<string, number>[]>`
    select (sum(e.amount_cents) filter (where e.account = 'payouts'))::int as payouts,
           (select coalesce(sum(o.amount_cents), 0) from public.payouts o
            where o.person_id = any (${creators}) and o.state = 'requested')::int as waiting,
           (sum(e.amount_cents) filter (where e.account = 'platform'))::int as platform,
           (select sum(case p.kind when 'creator_pro' then p.amount_cents else p.fee_cents end)
            from public.payments p where p.payer_id = any (${fans}) and p.state = 'paid')::int as fees
    from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
    where t.payment_id in (select p.id from public.payments p where p.payer_id = any (${fans}))
       or t.payout_id in (select o.id from public.payouts o where o.person_id = any (${creators}))`
  expect(accounts, note).toEqual({
    payouts: accounts?.waiting,
    waiting: accounts?.waiting,
    platform: accounts?.fees,
    fees: accounts?.fees,
  })

  expect(await totals(creators), note).toEqual(await recounted(creators))
})

type Totals = { balances: unknown; days: unknown }
const selectTotals = (db: Pick<typeof sql, 'unsafe'>, creators: string[]) =>
  db.unsafe<Totals[]>(
    `select (select jsonb_agg(b order by b.person_id) from public.creator_balances b where b.person_id = any ($1)) as balances,
            (select jsonb_agg(d order by d.person_id, d.day, d.source) from public.earning_days d
             where d.person_id = any ($1)) as days`,
    [creators],
  )
const totals = async (creators: string[]) => ({ ...(await selectTotals(sql, creators))[0] })

/**
 * The totals as they would be, were they counted again now. Whoever books in another test meanwhile may wait for this and
 * this for them: it gives in, long before they do, and begins anew.
 */
async function recounted(creators: string[]): Promise<Partial<Totals>> {
  const undone = new Error('taken back')
  for (let tries = 0; ; tries++) {
    let counted: Partial<Totals> = {}
    const outcome: unknown = await sql
      .begin(async (tx) => {
        await tx`set local deadlock_timeout = '20ms'`
        await tx`select private.recount_money()`
        counted = { ...(await selectTotals(tx, creators))[0] }
        throw undone
      })
      .catch((error) => error)
    if (outcome === undone) return counted
    if ((outcome as { code?: string }).code !== '40P01' || tries === 50) throw outcome
  }
}
