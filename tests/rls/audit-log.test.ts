import type postgres from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, runAsService, type SessionUser, sql } from './database.ts'
import { createCreatorWithBalance, requestPayout, settlePayout } from './payout-helpers.ts'

let creator: SessionUser
let admin: SessionUser
/** The IDs of the three entries about the creator's payouts. */
let entryIds: string[]

beforeAll(async () => {
  admin = await insertUser({ admin: true })
  ;({ creator } = await createCreatorWithBalance(18000))
  for (const outcome of ['paid', 'failed', 'paid'] as const) {
    await settlePayout(admin, await requestPayout(creator, 5000), outcome)
  }
  const found = await sql<{ id: string }[]>`
    select id::text from public.audit_entries where target_id = ${creator.id} order by id`
  entryIds = found.map(({ id }) => id)
})

/** Returns the ID of the first entry that breaks the hash chain, or null. */
const findFirstInvalid = async (db: Pick<typeof sql, 'unsafe'>) => {
  const [row] = await db.unsafe<{ id: string | null }[]>('select private.verify_audit_chain()::text as id')
  return row?.id
}

/**
 * Changes the log as the superuser with triggers disabled, finds the first invalid entry, rolls back the change and
 * returns the entry's ID.
 */
async function checkAfterTampering(change: (tx: postgres.TransactionSql) => Promise<unknown>) {
  const rollback = new Error('rollback')
  let firstInvalid: string | null | undefined
  const attempt = sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await change(tx)
    firstInvalid = await findFirstInvalid(tx)
    throw rollback
  })
  await expect(attempt).rejects.toBe(rollback)
  return firstInvalid
}

describe('the audit log', () => {
  it('detects an entry that was changed, reordered or deleted', async () => {
    expect(entryIds).toHaveLength(3)
    expect(await findFirstInvalid(sql)).toBeNull()
    const [first = '', second = '', third = ''] = entryIds
    for (const change of [
      "action = 'payout.paid '",
      'actor_id = target_id',
      'change = change || \'{"amount": 1}\'',
      "created_at = created_at + interval '1 microsecond'",
      'subject = null',
      "previous_hash = '\\x00'",
      'hash = sha256(hash)',
    ]) {
      const firstInvalid = await checkAfterTampering((tx) =>
        tx.unsafe(`update public.audit_entries set ${change} where id = ${second}`),
      )
      expect(firstInvalid, change).toBe(second)
    }
    // A missing entry breaks the chain at the next entry.
    const nextId = async (id: string) => {
      const [row] = await sql<{ id: string }[]>`
        select id::text from public.audit_entries where id > ${id} order by id limit 1`
      return row?.id
    }
    expect(await checkAfterTampering((tx) => tx`delete from public.audit_entries where id = ${first}`)).toBe(
      await nextId(first),
    )
    // Swaps the contents of two entries.
    const swapped = await checkAfterTampering(
      (tx) => tx`
        update public.audit_entries e set action = o.action, subject = o.subject, change = o.change
        from public.audit_entries o
        where (e.id, o.id) in ((${first}::bigint, ${third}::bigint), (${third}::bigint, ${first}::bigint))`,
    )
    expect(swapped).toBe(first)
    expect(await findFirstInvalid(sql)).toBeNull()
  })

  it('is append-only, and neither users nor the service role can write to balances, earnings or payouts directly', async () => {
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
        for (const runWithRole of [
          runAsService,
          (run: Parameters<typeof runAsService>[0]) => runAs(creator, run),
        ]) {
          expect(await getSqlState(runWithRole((tx) => tx.unsafe(statement))), statement).toBe('42501')
        }
      }
    }
    for (const user of [creator, admin]) {
      expect(
        await getSqlState(runAs(user, (tx) => tx`select private.write_audit_entry(${user.id}, 'forged')`)),
      ).toBe('42501')
    }
  })

  it('is readable by admins only, because entries record who viewed what', async () => {
    const countReadable = async (user: SessionUser) => {
      const found = await runAs(
        user,
        (tx) =>
          tx<
            { id: string }[]
          >`select id::text from public.audit_entries where id = any (${entryIds}::bigint[])`,
      )
      return found.length
    }
    expect(await Promise.all([admin, creator, await insertUser()].map(countReadable))).toEqual([3, 0, 0])
    expect(await getSqlState(runAs(null, (tx) => tx`select from public.audit_entries`))).toBe('42501')
  })
})
