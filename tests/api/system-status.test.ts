import { SystemStatus } from '@contract/admin.ts'
import { describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, makeAdmin } from '../support/users.ts'

describe('GET /api/admin/system', () => {
  it('shows the health checks, the ledger imbalance, the connections and the disk space to admins only', async () => {
    const { boss, member } = await createUsers('boss', 'member')
    await makeAdmin(boss)
    await apiAs(null).expectError('GET', '/api/admin/system', 401)
    await apiAs(member).expectError('GET', '/api/admin/system', 403)
    const { body } = await apiAs(boss).get('/api/admin/system', SystemStatus)
    expect(body.checks).toEqual({ database: 'ok', auth: 'ok', storage: 'ok', realtime: 'ok', dataApi: 'ok' })
    expect(body.ledgerImbalanceCents).toBe(0)
    expect(body.connections).toBeGreaterThan(0)
    expect(body.connections).toBeLessThanOrEqual(body.maxConnections)
    expect(body.backup).toBeNull()
    expect(body.disk?.freeBytes).toBeLessThanOrEqual(body.disk?.totalBytes ?? 0)
  })
})

describe('private.ledger_imbalance_cents', () => {
  it('finds a balance that differs from the ledger', async () => {
    const rollback = new Error('rolled back')
    const attempt = sql.begin('isolation level repeatable read', async (tx) => {
      const readCents = async () => {
        const [row] = await tx<{ cents: number }[]>`select private.ledger_imbalance_cents()::int as cents`
        return row?.cents
      }
      expect(await readCents()).toBe(0)
      await tx`insert into public.creator_balances (user_id, total_cents) values (gen_random_uuid(), 500)`
      expect(await readCents()).toBe(500)
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })
})
