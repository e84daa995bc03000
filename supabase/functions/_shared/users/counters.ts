import { sql } from '../db/page.ts'
import type { Sql } from '../db/run.ts'
import { unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

const columns = { messages: sql`c.unread_messages`, notifications: sql`c.unread_notifications` }

/** How many messages, or notifications, the caller has not read: one row, none for an account that is gone. */
export const selectUnread = (tx: Sql, caller: Caller, kind: keyof typeof columns) => tx<{ count: number }[]>`
  select ${columns[kind]} as count from public.user_counters c where c.user_id = ${caller.userId}::text::uuid`

/**
 * The answer of a call that counts.
 *
 * @throws ApiError 401 for an account that is gone
 */
export function oneCount([row]: readonly { count: number }[]) {
  if (!row) throw unauthorized()
  return { count: row.count }
}
