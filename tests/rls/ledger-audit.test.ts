import type postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, runAsService, type SessionUser, sql } from './database.ts'
import { createCreatorWithBalance, requestPayout, settlePayout } from './payout-helpers.ts'

afterAll(() => sql.end())

let creator: SessionUser
let admin: SessionUser
/** The three rows that the admin left about the creator. */
let rows: string[]

beforeAll(async () => {
  admin = await insertUser({ admin: true })
  ;({ creator } = await createCreatorWithBalance(18000))
  for (const outcome of ['paid', 'failed', 'paid'] as const) {
    await settlePayout(admin, await requestPayout(creator, 5000), outcome)
  }
  const found = await sql<{ id: string }[]>`
    select id::text from public.audit_entries where target_id = ${creator.id} order by id`
  rows = found.map(({ id }) => id)
})

const firstWrong = async (db: Pick<typeof sql, 'unsafe'>) => {
  const [row] = await db.unsafe<{ id: string | null }[]>('select private.check_audit()::text as id')
  return row?.id
}

/** What is found after somebody who may do anything did this to the log, without its triggers; it is taken back. */
async function tampered(change: (tx: postgres.TransactionSql) => Promise<unknown>) {
  const undone = new Error('taken back')
  let found: string | null | undefined
  const attempt = sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await change(tx)
    found = await firstWrong(tx)
    throw undone
  })
  await expect(attempt).rejects.toBe(undone)
  return found
}

it('shows a row that was changed, moved or removed', async () => {
  expect(rows).toHaveLength(3)
  expect(await firstWrong(sql)).toBeNull()
  const [first = '', second = '', third = ''] = rows
  for (const change of [
    "action = 'payout.paid '",
    'actor_id = target_id',
    'change = change || \'{"amount": 1}\'',
    "created_at = created_at + interval '1 microsecond'",
    'subject = null',
    "previous_hash = '\\x00'",
    'hash = sha256(hash)',
  ]) {
    const found = await tampered((tx) =>
      tx.unsafe(`update public.audit_entries set ${change} where id = ${second}`),
    )
    expect(found, change).toBe(second)
  }
  // The one behind it says so.
  const next = async (id: string) => {
    const [row] = await sql<{ id: string }[]>`
      select id::text from public.audit_entries where id > ${id} order by id limit 1`
    return row?.id
  }
  expect(await tampered((tx) => tx`delete from public.audit_entries where id = ${first}`)).toBe(
    await next(first),
  )
  // Two that change places.
  const swapped = await tampered(
    (tx) => tx`
      update public.audit_entries e set action = o.action, subject = o.subject, change = o.change
      from public.audit_entries o
      where (e.id, o.id) in ((${first}::bigint, ${third}::bigint), (${third}::bigint, ${first}::bigint))`,
  )
  expect(swapped).toBe(first)
  expect(await firstWrong(sql)).toBeNull()
})

it('only grows, and nobody writes it or the totals beside the ledger', async () => {
  for (const statement of [
    'update public.audit_entries set created_at = created_at',
    'delete from public.audit_entries',
    'truncate public.audit_entries',
  ]) {
    expect(await getSqlState(sql.begin((tx) => tx.unsafe(statement))), statement).toBe('42501')
    expect(await getSqlState(runAsService((tx) => tx.unsafe(statement))), statement).toBe('42501')
  }
  for (const table of ['creator_balances', 'earning_days', 'payouts']) {
    for (const statement of [`delete from public.${table}`, `insert into public.${table} default values`]) {
      for (const attempt of [
        runAsService,
        (run: Parameters<typeof runAsService>[0]) => runAs(creator, run),
      ]) {
        expect(await getSqlState(attempt((tx) => tx.unsafe(statement))), statement).toBe('42501')
      }
    }
  }
  for (const who of [creator, admin]) {
    expect(await getSqlState(runAs(who, (tx) => tx`select private.audit(${who.id}, 'forged')`))).toBe('42501')
  }
})

it('is read by admins and by nobody else: it names them, and what they only looked at', async () => {
  const read = async (who: SessionUser) => {
    const found = await runAs(
      who,
      (tx) =>
        tx<{ id: string }[]>`select id::text from public.audit_entries where id = any (${rows}::bigint[])`,
    )
    return found.length
  }
  expect(await Promise.all([admin, creator, await insertUser()].map(read))).toEqual([3, 0, 0])
  expect(await getSqlState(runAs(null, (tx) => tx`select from public.audit_entries`))).toBe('42501')
})
