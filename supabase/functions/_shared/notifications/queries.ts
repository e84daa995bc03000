import type { Notification } from '../contract/notification.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { card, displayName } from '../users/card.ts'
import { oneCount, selectUnread } from '../users/counters.ts'
import { href, message, title } from './text.ts'

/** A `Notification` as JSON text, of the notification `n` and the person `u` it tells of. */
const notification = sql`json_build_object(
  'id', n.id, 'kind', n.kind, 'title', ${title}, 'message', ${message(displayName)},
  'isRead', n.read_at is not null, 'createdAt', n.created_at,
  'relatedUser', case when u.id is not null then json_build_object(${card}) end,
  'othersCount', n.others, 'href', ${href})::text`

/**
 * The caller's notifications, the newest first; of a group the latest, with the number of the others in it, unless
 * the caller prefers no groups.
 */
export async function listNotifications(caller: Caller, range: Range): Promise<Page<Notification>> {
  const { after } = range
  const behind = after
    ? sql`and (n.created_at, n.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
    : sql``
  const own = sql`n.user_id = ${caller.userId}::text::uuid ${behind}`
  const newestFirst = sql`order by n.created_at desc, n.id desc ${window(range)}`
  // Asked once, ahead of the list: of the two lists below only the chosen one is read.
  const grouped = sql`(
    select s.group_notifications from public.person_settings s where s.user_id = ${caller.userId}::text::uuid)`
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${notification} as item, ${keyOf(sql`n.created_at`, sql`n.id`)} as key
      from (
        (select n.*, n.people - 1 as others from public.notifications n
         where ${own} and n.is_head and ${grouped} ${newestFirst})
        union all
        (select n.*, 0 as others from public.notifications n where ${own} and not ${grouped} ${newestFirst})
      ) n
      left join public.profiles u on u.id = n.actor_id
      order by n.created_at desc, n.id desc`,
  )
  return toPage(rows, range)
}

/** How many notifications the caller has not read. */
export const countUnread = async (caller: Caller) =>
  oneCount(await asUser(caller, (tx) => selectUnread(tx, caller, 'notifications')))

/** Marks one of the caller's notifications read, and with it its group; answers how many are unread after it. */
export async function markRead(caller: Caller, id: string) {
  const [[found], rows] = await asUser(caller, (tx) => [
    tx<{ known: boolean }[]>`select private.read_notification(${id}::text::uuid) as known`,
    selectUnread(tx, caller, 'notifications'),
  ])
  if (!found?.known) throw notFound('Notification not found')
  return oneCount(rows)
}

/** Marks all of the caller's notifications read; answers how many are unread after it: what came meanwhile. */
export async function markAllRead(caller: Caller) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.read_all_notifications()`,
    selectUnread(tx, caller, 'notifications'),
  ])
  return oneCount(rows)
}
