import type { Notification } from '../contract/notification.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { card, displayName } from '../users/card.ts'
import { oneCount, selectUnread } from '../users/counters.ts'

const title = sql`case n.kind
  when 'follow' then 'New follower' when 'follow_request' then 'Follow request'
  when 'follow_accepted' then 'Request accepted' when 'like' then 'New like'
  when 'comment' then 'New comment' when 'reply' then 'New reply' when 'mention' then 'New mention'
  when 'unlock' then 'Post unlocked' else 'New message' end`

const message = sql`coalesce(${displayName}, 'Someone') || case n.kind
  when 'follow' then ' started following you.' when 'follow_request' then ' asked to follow you.'
  when 'follow_accepted' then ' accepted your follow request.' when 'like' then ' liked your post.'
  when 'comment' then ' commented on your post.' when 'reply' then ' replied to your comment.'
  when 'mention' then ' mentioned you in a ' || case when n.comment_id is null then 'post.' else 'comment.' end
  when 'unlock' then ' unlocked your post.' else ' sent you a message.' end`

/** Where a post is the cause, to it, and there to the comment. */
const href = sql`case
  when n.post_id is not null then '/post/' || n.post_id || coalesce((
    -- Replies are folded away under what they reply to.
    select '#comment-' || coalesce(c.parent_comment_id, c.id) from public.comments c where c.id = n.comment_id), '')
  when u.id is null then '/'
  when n.kind = 'message' then '/messages?user=' || u.id
  else '/profile/' || u.username end`

/** A `Notification` as JSON text, of the notification `n` and the person `u` it tells of. */
const notification = sql`json_build_object(
  'id', n.id, 'kind', n.kind, 'title', ${title}, 'message', ${message},
  'isRead', n.read_at is not null, 'createdAt', n.created_at,
  'relatedUser', case when u.id is not null then json_build_object(${card}) end, 'href', ${href})::text`

/** The caller's notifications, the newest first. */
export async function listNotifications(caller: Caller, range: Range): Promise<Page<Notification>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${notification} as item, ${keyOf(sql`n.created_at`, sql`n.id`)} as key
      from public.notifications n left join public.profiles u on u.id = n.actor_id
      where n.user_id = ${caller.userId}::text::uuid
      ${after ? sql`and (n.created_at, n.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``}
      order by n.created_at desc, n.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** How many notifications the caller has not read. */
export const countUnread = async (caller: Caller) =>
  oneCount(await asUser(caller, (tx) => selectUnread(tx, caller, 'notifications')))

/** Marks one of the caller's notifications read; answers how many are unread after it. */
export async function markRead(caller: Caller, id: string) {
  const [[found], rows] = await asUser(caller, (tx) => [
    tx<{ known: boolean }[]>`select private.read_notification(${id}::text::uuid) as known`,
    selectUnread(tx, caller, 'notifications'),
  ])
  if (!found?.known) throw notFound('Notification not found')
  return oneCount(rows)
}
