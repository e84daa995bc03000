import {
  type Notification,
  type NotificationFilter,
  notificationFilterKinds,
  type UnreadNotifications,
} from '../contract/notification.ts'
import { cursorKey, type Page, type PageRange, type PageRow, toPage } from '../db/page.ts'
import { sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { notFound } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { selectUnreadCount, toUnreadCount } from '../users/queries.ts'
import {
  announcedPosts,
  notificationAmounts,
  notificationJson,
  notificationPage,
  notificationSubject,
  unreadByKind,
} from './presenter.ts'

/**
 * Lists the caller's notifications, newest first. If the caller has grouping turned on, each group is one item: its
 * newest notification, with the number of other users in the group.
 *
 * @param filter if given, only notifications of the kinds in `notificationFilterKinds[filter]` are listed
 */
export async function listNotifications(
  caller: Caller,
  range: PageRange,
  filter?: NotificationFilter,
): Promise<Page<Notification>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      with page as (${notificationPage(caller.userId, range, filter)})
      select ${notificationJson} as item, ${cursorKey(sql`n.created_at`, sql`n.id`)} as key
      from page n
      left join public.profiles u on u.id = n.actor_id ${announcedPosts} ${notificationSubject}
      ${notificationAmounts}
      order by n.created_at desc, n.id desc`,
  )
  return toPage(rows, range)
}

/**
 * Counts the caller's unread notifications and, with `includeByFilter`, also those that each filter selects. Each count
 * is at most 100. A group counts once if the caller has grouping turned on.
 */
export async function countUnreadNotifications(
  caller: Caller,
  includeByFilter: boolean,
): Promise<UnreadNotifications> {
  if (!includeByFilter)
    return toUnreadCount(await asUser(caller, (tx) => selectUnreadCount(tx, caller, 'notifications')))
  const [rows, kinds] = await asUser(caller, (tx) => [
    selectUnreadCount(tx, caller, 'notifications'),
    tx<{ kind: string; count: number }[]>`${unreadByKind(caller.userId)}`,
  ])
  const counts = new Map(kinds.map(({ kind, count }) => [kind, count]))
  const countOf = (filter: NotificationFilter) =>
    Math.min(
      100,
      notificationFilterKinds[filter].reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0),
    )
  const byFilter = {
    comments: countOf('comments'),
    mentions: countOf('mentions'),
    likes: countOf('likes'),
    followers: countOf('followers'),
    payments: countOf('payments'),
  }
  return { ...toUnreadCount(rows), byFilter }
}

/**
 * Marks one of the caller's notifications as read, with its whole group if the caller has grouping turned on. Returns
 * the number of notifications that are still unread.
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
