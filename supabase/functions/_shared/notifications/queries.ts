import type { Notification } from '../contract/notification.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { notFound } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { selectUnreadCount, toUnreadCount } from '../users/queries.ts'
import { announcedPosts, notificationJson, notificationSubject } from './presenter.ts'

/**
 * Lists the caller's notifications, newest first. If the caller groups notifications, a group is represented by its
 * newest notification and the number of other users in it.
 */
export async function listNotifications(caller: Caller, range: PageRange): Promise<Page<Notification>> {
  const time = sql`n.created_at`
  const id = sql`n.id`
  const own = sql`n.user_id = ${caller.userId}::text::uuid ${afterCursor(range, time, id)}`
  const newestFirst = sql`order by n.created_at desc, n.id desc ${limitClause(range)}`
  // Evaluated once, so that only one of the two lists below is read.
  const isGrouped = sql`(
    select s.group_notifications from public.user_settings s where s.user_id = ${caller.userId}::text::uuid)`
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${notificationJson} as item, ${cursorKey(time, id)} as key
      from (
        (select n.*, n.people - 1 as others from public.notifications n
         where ${own} and n.is_head and ${isGrouped} ${newestFirst})
        union all
        (select n.*, 0 as others from public.notifications n where ${own} and not ${isGrouped} ${newestFirst})
      ) n
      left join public.profiles u on u.id = n.actor_id ${announcedPosts} ${notificationSubject}
      order by n.created_at desc, n.id desc`,
  )
  return toPage(rows, range)
}

/** Counts the caller's unread notifications, up to 100. A group counts once if the caller groups notifications. */
export const countUnreadNotifications = async (caller: Caller) =>
  toUnreadCount(await asUser(caller, (tx) => selectUnreadCount(tx, caller, 'notifications')))

/**
 * Marks one of the caller's notifications as read, with its whole group if the caller groups notifications. Returns the
 * number of notifications that are still unread.
 *
 * @throws ApiError 404
 */
export async function markNotificationRead(caller: Caller, id: string) {
  const [[found], rows] = await asUser(caller, (tx) => [
    tx<{ known: boolean }[]>`select private.mark_notification_read(${id}::text::uuid) as known`,
    selectUnreadCount(tx, caller, 'notifications'),
  ])
  if (!found?.known) throw notFound('Notification not found')
  return toUnreadCount(rows)
}

/**
 * Marks all of the caller's notifications as read. Returns the number of notifications that are still unread because
 * they arrived in the meantime.
 */
export async function markAllNotificationsRead(caller: Caller) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.mark_all_notifications_read()`,
    selectUnreadCount(tx, caller, 'notifications'),
  ])
  return toUnreadCount(rows)
}
