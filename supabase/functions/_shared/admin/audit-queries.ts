import type { AuditEntry, AuditQuery, AuditStatus } from '../contract/audit.ts'
import { limits } from '../contract/limits.ts'
import { type JsonText, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { requireRow } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { userCardOf } from '../users/presenter.ts'

/** Which entries of the audit log to return. `before` is an entry's id; `from` and `to` are days in UTC, inclusive. */
export type AuditFilter = Omit<AuditQuery, 'limit' | 'offset'>

/** Returns the part of a query after `select … from`: the entries `e` that match the filter, newest first. */
export const filteredEntries = ({ before, action, actor, target, from, to }: AuditFilter) => sql`
  public.audit_entries e
  where true
    ${before === undefined ? sql`` : sql`and e.id < ${before}::bigint`}
    ${action ? sql`and e.action = ${action}::text` : sql``}
    ${actor ? sql`and e.actor_id = ${actor}::text::uuid` : sql``}
    ${target ? sql`and e.target_id = ${target}::text::uuid` : sql``}
    ${from ? sql`and e.created_at >= ${from}::text::date::timestamp at time zone 'UTC'` : sql``}
    ${to ? sql`and e.created_at < (${to}::text::date + 1)::timestamp at time zone 'UTC'` : sql``}
  order by e.id desc`

/**
 * Returns entries of the audit log, newest first.
 *
 * @throws ApiError 401, 403
 */
export async function listAuditEntries(caller: Caller, query: AuditQuery): Promise<JsonText<AuditEntry[]>> {
  const { limit = limits.page.audit, offset = 0, ...filter } = query
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    tx<{ items: string }[]>`
      select coalesce(json_agg(json_build_object(
          'id', e.id, 'createdAt', e.created_at, 'action', e.action, 'actorId', e.actor_id,
          'actor', ${userCardOf(sql`e.actor_id`)}, 'targetId', e.target_id, 'target', ${userCardOf(sql`e.target_id`)},
          'subject', e.subject, 'change', e.change, 'hash', encode(e.hash, 'hex')) order by e.id desc), '[]')::text as items
      from (select e.* from ${filteredEntries(filter)} limit ${limit}::integer offset ${offset}::integer) e`,
  ])
  return requireRow(rows).items
}

/**
 * Verifies the hash chain of the whole audit log, and returns its length, its last hash and its first broken entry.
 *
 * @throws ApiError 401, 403
 */
export async function readAuditStatus(caller: Caller): Promise<JsonText<AuditStatus>> {
  const rows = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`select private.audit_status()::text as item`,
  )
  return requireRow(rows).item
}
