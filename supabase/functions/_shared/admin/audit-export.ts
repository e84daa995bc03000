import { limits } from '../contract/limits.ts'
import { sql } from '../db/page.ts'
import { asService, asUser } from '../db/run.ts'
import { type CsvCell, toCsv } from '../http/csv.ts'
import type { Caller } from '../http/session.ts'
import { obey } from '../limits/queries.ts'
import { displayName } from '../users/card.ts'
import { type AuditFilter, entriesOf } from './audit.ts'

const header = [
  'Entry',
  'Time (UTC)',
  'Action',
  'Admin',
  'Admin id',
  'Person',
  'Person id',
  'Subject',
  'Change',
  'Hash before',
  'Hash',
]

/** Rows that are read at a time. */
const pageSize = 1000

type Row = {
  id: number
  time: string
  action: string
  actor: string | null
  actorId: string
  target: string | null
  targetId: string | null
  subject: string | null
  change: string
  before: string
  hash: string
}

/**
 * The log as a table, the newest first: 50,000 rows at most. Hashes are in hex.
 *
 * @throws ApiError 401, 403, 429 after 30 in an hour
 */
export async function exportAudit(caller: Caller, filter: AuditFilter): Promise<string> {
  await asUser(caller, (tx) => tx`select private.require_admin()`)
  obey(
    await asService(
      'counting calls is nothing that those who are counted may do',
      (tx) => tx<{ wait: number }[]>`
        select private.take_rate('audit-export', ${caller.userId}::text, 30, '1 hour') as wait`,
    ),
  )
  const cells: CsvCell[][] = []
  for (let before = filter.before; cells.length < limits.exportRows; ) {
    const rows: Row[] = await readPage(caller, before === undefined ? filter : { ...filter, before })
    cells.push(...rows.map(toCells))
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) break
    before = last.id
  }
  return toCsv(header, cells)
}

const toCells = (row: Row) => [
  row.id,
  row.time,
  row.action,
  row.actor,
  row.actorId,
  row.target,
  row.targetId,
  row.subject,
  row.change,
  row.before,
  row.hash,
]

const named = (id: ReturnType<typeof sql>) =>
  sql`(select ${displayName} || ' (@' || u.username || ')' from public.profiles u where u.id = ${id})`

const readPage = (caller: Caller, filter: AuditFilter) =>
  asUser(
    caller,
    (tx) => tx<Row[]>`
      select e.id::float8 as id, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as time, e.action,
             ${named(sql`e.actor_id`)} as actor, e.actor_id::text as "actorId", ${named(sql`e.target_id`)} as target,
             e.target_id::text as "targetId", e.subject, e.change::text as change,
             encode(e.previous_hash, 'hex') as before, encode(e.hash, 'hex') as hash
      from ${entriesOf(filter)} limit ${pageSize}::integer`,
  )
