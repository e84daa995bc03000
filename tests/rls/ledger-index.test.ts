import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { sql } from './database.ts'

afterAll(() => sql.end())

it('a large creator’s transactions of one type are found by an index, also where there are none', async () => {
  const person = randomUUID()
  const undone = new Error('taken back')
  const attempt = sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into public.ledger_transactions (kind, person_id, created_at)
      select 'tip', ${person}, now() - n * interval '1 minute' from generate_series(1, 20000) n`
    await tx`analyze public.ledger_transactions`
    const plan = await tx<{ line: string }[]>`
      explain select t.id from public.ledger_transactions t where t.person_id = ${person} and t.kind = 'refund'
      order by t.created_at desc, t.id desc limit 21`
    const text = plan.map((row) => Object.values(row).join('')).join('\n')
    expect(text).toContain('ledger_transactions_kind_idx')
    expect(text).not.toMatch(/Seq Scan|Sort|Filter/)
    throw undone
  })
  await expect(attempt).rejects.toBe(undone)
})
