import { describe, expect, it } from 'vitest'
import { systemMetrics } from './model'

describe('systemMetrics', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  const status = {
    checks: { database: 'ok', auth: 'ok', storage: 'ok', realtime: 'ok', dataApi: 'ok' } as const,
    queues: {
      fileDeletions: 0,
      mediaChecks: 0,
      digestMails: 0,
      moderationCases: 0,
      payouts: 0,
      autoPosts: 0,
      newPosts: 0,
    },
    connections: 1,
    maxConnections: 100,
    pool: { size: 16, inUse: 0, waiting: 0 },
    disk: null,
    ledgerImbalanceCents: 0,
    errors: [],
  }
  const backupMetric = (backup: { lastAt: string | null } | null) =>
    systemMetrics({ ...status, backup }, now).find(({ label }) => label === 'Last backup')

  it.each([
    [{ lastAt: '2026-03-10T03:30:00Z' }, { value: '8 hours ago', isBad: false }],
    [{ lastAt: '2026-03-09T03:30:00Z' }, { value: '1 day ago', isBad: true }],
    [{ lastAt: null }, { value: 'None yet', isBad: true }],
  ])('shows the last backup %o', (backup, metric) => {
    expect(backupMetric(backup)).toMatchObject(metric)
  })

  it('shows no backup metric if backups are not configured', () => {
    expect(backupMetric(null)).toBeUndefined()
  })
})
