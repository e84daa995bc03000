import type { AuditEntry } from '@contract/audit.ts'

/** Returns an audit log entry for tests. */
export const auditEntryFixture = (action: string, entry: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 1,
  createdAt: '2026-11-21T12:00:00Z',
  action,
  actorId: 'a',
  actor: null,
  targetId: null,
  target: null,
  subject: null,
  change: {},
  hash: '',
  ...entry,
})
