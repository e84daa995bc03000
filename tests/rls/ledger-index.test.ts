import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { sql } from './database.ts'

it('a search for a creator’s transactions of one kind uses an index, even if the creator has many of another kind and none of this one', async () => {
  const userId = randomUUID()
  const rollback = new Error('rollback')
  const attempt = sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into public.ledger_transactions (kind, user_id, created_at)
      select 'tip', ${userId}, now() - n * interval '1 minute' from generate_series(1, 20000) n`
    await tx`analyze public.ledger_transactions`
    const plan = await tx<{ line: string }[]>`
      explain select t.id from public.ledger_transactions t where t.user_id = ${userId} and t.kind = 'refund'
      order by t.created_at desc, t.id desc limit 21`
    const planText = plan.map((row) => Object.values(row).join('')).join('\n')
    expect(planText).toContain('ledger_transactions_kind_idx')
    expect(planText).not.toMatch(/Seq Scan|Sort|Filter/)
    throw rollback
  })
  await expect(attempt).rejects.toBe(rollback)
})
