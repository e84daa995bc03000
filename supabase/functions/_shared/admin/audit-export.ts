import { limits } from '../contract/limits.ts'
import { type SqlFragment, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { type CsvCell, toCsv } from '../http/csv.ts'
import { asUser } from '../http/run-as.ts'
import { consumeRateLimit } from '../rate-limits.ts'
import { displayName } from '../users/presenter.ts'
import { type AuditFilter, filteredEntries } from './audit-queries.ts'

const header = [
  'Entry',
  'Time (UTC)',
  'Action',
  'Admin',
  'Admin ID',
  'User',
  'User ID',
  'Subject',
  'Change',
  'Previous hash',
  'Hash',
]

const batchSize = 1000

type ExportRow = {
  id: number
  time: string
  action: string
  actor: string | null
  actorId: string
  target: string | null
  targetId: string | null
  subject: string | null
  change: string
  previousHash: string
  hash: string
}

/**
 * Returns the audit log as CSV text, newest first, up to `limits.maxExportRows` rows. Hashes are hexadecimal.
 *
 * @throws ApiError 401; 403; 429 after 30 exports in an hour
 */
export async function exportAuditLog(caller: Caller, filter: AuditFilter): Promise<string> {
  await consumeRateLimit({ bucket: 'audit-export', subject: caller.userId, maxHits: 30, window: '1 hour' })
  const cells: CsvCell[][] = []
  for (let before = filter.before; cells.length < limits.maxExportRows; ) {
    const rows = await readBatch(caller, before === undefined ? filter : { ...filter, before })
    cells.push(...rows.map(toCells))
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) break
    before = last.id
  }
  return toCsv(header, cells)
}

const toCells = (row: ExportRow) => [
  row.id,
  row.time,
  row.action,
  row.actor,
  row.actorId,
  row.target,
  row.targetId,
  row.subject,
  row.change,
  row.previousHash,
  row.hash,
]

const userLabel = (id: SqlFragment) =>
  sql`(select ${displayName} || ' (@' || u.username || ')' from public.profiles u where u.id = ${id})`

async function readBatch(caller: Caller, filter: AuditFilter) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    tx<ExportRow[]>`
      select e.id::float8 as id, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as time, e.action,
             ${userLabel(sql`e.actor_id`)} as actor, e.actor_id::text as "actorId",
             ${userLabel(sql`e.target_id`)} as target, e.target_id::text as "targetId", e.subject, e.change::text as change,
             encode(e.previous_hash, 'hex') as "previousHash", encode(e.hash, 'hex') as hash
      from ${filteredEntries(filter)} limit ${batchSize}::integer`,
  ])
  return rows
}
