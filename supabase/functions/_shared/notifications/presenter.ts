import { limits } from '../contract/limits.ts'
import { type NotificationFilter, notificationFilterKinds } from '../contract/notification.ts'
import { afterCursor, limitClause, type PageRange } from '../db/page.ts'
import { type SqlFragment, sql } from '../db/sql.ts'
import { displayName, followStatus, userCardFields } from '../users/presenter.ts'

// The SQL in this file reads the notification `n` and its actor `u`, which is absent if no user caused the notification
// or if the profile is hidden. `n.is_grouped` is true if the notification represents its whole group, and `n.others` is
// the number of other users in the group (0 if `n.is_grouped` is false). `announcedPosts` joins the posts of
// notifications about new posts, and `notificationAmounts` joins the amounts of sales.

/**
 * Returns SQL for a user's setting to group notifications. PostgreSQL evaluates the subquery once, and then reads only
 * the list that the setting selects, the grouped or the ungrouped one.
 */
const isGroupingOn = (userId: string) => sql`(
  select s.group_notifications from public.user_settings s where s.user_id = ${userId}::text::uuid)`

/**
 * Returns SQL for a page of a user's notifications, newest first, with `others`. With a filter, it reads the newest
 * rows of each kind from notifications_kind_idx, so that a filtered page costs about as much as an unfiltered one.
 */
export function notificationPage(userId: string, range: PageRange, filter?: NotificationFilter): SqlFragment {
  const condition = sql`n.user_id = ${userId}::text::uuid ${afterCursor(range, sql`n.created_at`, sql`n.id`)}`
  const newestFirst = sql`order by n.created_at desc, n.id desc`
  const isGrouped = isGroupingOn(userId)
  if (!filter) {
    return sql`
      (select n.*, true as is_grouped, n.people - 1 as others from public.notifications n
       where ${condition} and n.is_head and ${isGrouped} ${newestFirst} ${limitClause(range)})
      union all
      (select n.*, false as is_grouped, 0 as others from public.notifications n
       where ${condition} and not ${isGrouped} ${newestFirst} ${limitClause(range)})`
  }
  const kinds = `{${notificationFilterKinds[filter].join(',')}}`
  const rangeOfKind = { ...range, limit: range.limit + range.offset, offset: 0 }
  return sql`
    select n.*, ${isGrouped} as is_grouped, case when n.is_head and ${isGrouped} then n.people - 1 else 0 end as others
    from unnest(${kinds}::text::text[]) k (kind)
    cross join (values (true), (false)) h (is_head)
    cross join lateral (
      select n.* from public.notifications n
      where ${condition} and n.kind = k.kind and n.is_head = h.is_head and (h.is_head or not ${isGrouped})
      ${newestFirst} ${limitClause(rangeOfKind)}) n
    ${newestFirst} ${limitClause(range)}`
}

/** Returns SQL that counts a user's unread notifications of each kind that a filter selects, up to 100 per kind. */
export function unreadByKind(userId: string): SqlFragment {
  const kinds = `{${Object.values(notificationFilterKinds).flat().join(',')}}`
  const unread = sql`
    select from public.notifications n
    where n.user_id = ${userId}::text::uuid and n.read_at is null and n.kind = k.kind`
  const isGrouped = isGroupingOn(userId)
  return sql`
    select k.kind, count(*)::integer as count from unnest(${kinds}::text::text[]) k (kind)
    cross join lateral (
      (${unread} and n.is_head and ${isGrouped} limit 100) union all (${unread} and not ${isGrouped} limit 100)) unread
    group by k.kind`
}

/**
 * SQL that joins the number of new posts that a notification is about and the id of the latest one. Posts that the
 * recipient cannot see are left out.
 */
export const announcedPosts = sql`
  left join lateral private.visible_announced_posts(n.user_id, n.announcement_id, n.highlights_only) announced on true`

/** SQL for what a buyer unlocked: 'post', 'photo' or, in a group about several photos, 'photos'. */
const unlocked = sql`case
  when n.message_id is null then 'post'
  when n.is_grouped and exists (
    select from public.notifications g where g.group_id = n.group_id and g.id <> n.id) then 'photos'
  else 'photo' end`

/** SQL for what a notification about a like or a mention is about. */
const postOrComment = sql`case when n.comment_id is null then 'post' else 'comment' end`

/** SQL for the title of a notification. */
const title = sql`case n.kind
  when 'follow' then 'New follower' when 'follow_request' then 'Follow request'
  when 'follow_accepted' then 'Request accepted' when 'like' then 'New like'
  when 'comment' then 'New comment' when 'reply' then 'New reply' when 'mention' then 'New mention'
  when 'quote' then 'New quote' when 'repost' then 'New repost'
  when 'reaction' then 'New reaction' when 'unlock' then initcap(${unlocked}) || ' unlocked'
  when 'subscription' then 'New subscriber' when 'tip' then 'New tip' when 'message' then 'New message'
  when 'sign_in' then 'New sign-in' when 'access_token' then 'New access token'
  when 'payout' then case when starts_with(n.detail, 'paid') then 'Payout sent' else 'Payout failed' end
  when 'creator_pro' then 'Creator Pro' when 'moderation' then 'From the moderators'
  when 'report' then 'Your report' when 'auto_post' then 'Auto-posting'
  when 'scheduled_post' then 'Scheduled post'
  when 'new_post' then case when announced.posts > 1 then 'New posts' else 'New post' end else 'A message from the team' end`

/** Returns SQL for the actors, for example 'Ana and 3 others'. */
const actors = (name: typeof displayName) => sql`coalesce(${name}, 'Someone') || case
  when n.others = 1 then ' and 1 other' when n.others > 1 then ' and ' || n.others || ' others' else '' end`

/** SQL for what the actors did. */
const action = sql`case n.kind
  when 'follow' then 'started following you.' when 'follow_request' then 'asked to follow you.'
  when 'follow_accepted' then 'accepted your follow request.' when 'like' then 'liked your ' || ${postOrComment} || '.'
  when 'comment' then 'commented on your post.' when 'reply' then 'replied to your comment.'
  when 'mention' then 'mentioned you in a ' || ${postOrComment} || '.'
  when 'quote' then 'quoted your post.' when 'repost' then 'reposted your post.'
  when 'reaction' then 'reacted to your message.' when 'unlock' then 'unlocked your ' || ${unlocked} || '.'
  when 'subscription' then 'subscribed to you.' when 'tip' then 'sent you a tip' || coalesce(' of ' || n.detail, '') ||
    case when n.detail like '%: %' then '' else '.' end
  when 'new_post' then case when announced.posts > 1 then 'published ' || announced.posts || ' posts.'
    else 'published a post.' end
  else 'sent you a message.' end`

/**
 * SQL for the amount of a payout, with thousands separators. The notification's detail, which contains it, is 'paid
 * $1234.00' or 'failed $1234.00: reason'.
 */
const payoutAmount = sql`regexp_replace(split_part(split_part(n.detail, ' ', 2), ':', 1), '(\\d)(?=(\\d{3})+\\.)', '\\1,', 'g')`

/**
 * Returns SQL for the message of a notification.
 *
 * @param name SQL for the actor's name
 */
export const notificationMessage = (name: typeof displayName) => sql`case n.kind
  when 'sign_in' then 'New sign-in to your account from ' || coalesce(n.detail, 'a new device') || '.'
  when 'access_token' then coalesce('The access token “' || n.detail || '” was created for your account.',
    'An access token was created for your account.')
  when 'payout' then case when starts_with(n.detail, 'paid ')
    then 'Your payout of ' || ${payoutAmount} || ' is on its way.'
    else 'Your payout of ' || ${payoutAmount} || ' failed, and the money is back in your balance: '
      || substr(n.detail, strpos(n.detail, ': ') + 2) end
  when 'creator_pro' then 'Your Creator Pro plan has ended. Your posts are still here. Upgrade to become a creator again.'
  when 'moderation' then coalesce(n.detail, 'The moderators made a decision about your account.')
  when 'report' then coalesce(n.detail, 'We reviewed your report.')
  when 'auto_post' then coalesce(n.detail, 'There is an update about auto-posting.')
  when 'scheduled_post' then 'Your scheduled post couldn''t be published. Open it to see why.'
  when 'admin' then coalesce(n.detail, 'There is an update about your account.')
  else ${actors(name)} || ' ' || ${action} end`

/** SQL for the `event` in the details. It is derived from the stored detail, which is a sentence for these kinds. */
const event = sql`case when n.kind in ('moderation', 'report', 'admin', 'auto_post') then case n.detail
  when 'Your suspension was lifted. Welcome back.' then 'suspension_lifted'
  when 'We reviewed what you reported and took action. Thank you.' then 'report_acted'
  when 'We reviewed what you reported. It does not break our rules.' then 'report_dismissed'
  when 'The team published a post in your name.' then 'post_published'
  when 'The team would like to post in your name, with text written by AI. It starts only if you agree in Settings.'
    then 'auto_posting_offered'
  when 'An AI-written draft is ready for your review.' then 'draft_ready' end end`

/**
 * Returns SQL for fields of the moderation case `c` that a notification is about; null if there is none. Notifications
 * do not store their case, so it is recognized by time and text: a notification is created right after the decision or
 * the answer to an appeal, in the same transaction, and its text ends with the reason or the answer.
 *
 * @param fields the `json_build_object` arguments
 * @param time SQL for the time of the decision or the answer
 * @param reason SQL for the reason or the answer
 */
const caseFields = (fields: SqlFragment, time: SqlFragment, reason: SqlFragment) => sql`
  case when n.kind = 'moderation' then (
    select json_build_object(${fields}) from public.moderation_cases c
    where c.user_id = n.user_id and ${time} between n.created_at - interval '1 minute' and n.created_at
      and right(n.detail, char_length(${reason}) + 2) = ': ' || ${reason}
    order by ${time} desc limit 1) end`

const decision = caseFields(
  sql`'kind', c.kind, 'decision', c.decision, 'reason', c.reason, 'suspendedUntil', c.suspended_until`,
  sql`c.decided_at`,
  sql`c.reason`,
)

const appeal = caseFields(
  sql`'outcome', c.appeal_outcome, 'answer', c.appeal_answer`,
  sql`c.appeal_decided_at`,
  sql`c.appeal_answer`,
)

/** SQL for the amount in the detail of a tip or payout. */
const detailAmount = sql`substring(n.detail from '[$]([0-9]+[.][0-9]{2})')::numeric`

/**
 * SQL for the `NotificationDetails`. The stored detail is '$5.00: note' for a tip, 'Firefox on Windows' for a sign-in,
 * and the token's name for an access token; see `payoutAmount` for a payout.
 */
const details = sql`json_strip_nulls(json_build_object(
  'event', ${event}, 'decision', ${decision}, 'appeal', ${appeal},
  'liked', case when n.kind = 'like' then ${postOrComment} end,
  'unlocked', case when n.kind = 'unlock' then ${unlocked} end,
  'mentionedIn', case when n.kind = 'mention' then ${postOrComment} end,
  'amount', case when n.kind in ('tip', 'payout') then ${detailAmount} end,
  'note', case when n.kind in ('tip', 'payout') then substring(n.detail from ': (.*)') end,
  'payout', case when n.kind = 'payout' then case when starts_with(n.detail, 'paid') then 'paid' else 'failed' end end,
  'device', case when n.kind = 'sign_in' then nullif(n.detail, 'an unknown device') end,
  'browser', case when n.kind = 'sign_in' then substring(n.detail from '(.*) on ') end,
  'system', case when n.kind = 'sign_in' then substring(n.detail from ' on (.*)') end,
  'accessToken', case when n.kind = 'access_token' then n.detail end,
  'postsCount', announced.posts))`

/** SQL for the path that a notification links to: a post or comment, an author's new posts, or a page for its kind. */
export const notificationHref = sql`case
  when announced.posts = 1 then '/post/' || announced.latest_post_id
  when n.post_id is not null then '/post/' || n.post_id || coalesce('#comment-' || n.comment_id, '')
  when n.kind = 'payout' then '/earnings?tab=payouts'
  when n.kind = 'creator_pro' then '/settings/billing'
  when n.kind = 'moderation' then '/safety?tab=decisions'
  when n.kind = 'report' then '/safety?tab=reports'
  when n.kind = 'auto_post' then '/auto-posts'
  when n.kind = 'scheduled_post' then '/scheduled'
  when n.kind = 'sign_in' then '/settings/security'
  when n.kind = 'access_token' then '/settings/developer'
  when n.kind = 'admin' or u.id is null then '/notifications'
  when n.kind in ('message', 'reaction') or n.message_id is not null then '/messages?user=' || u.id
  else '/profile/' || u.username || case when n.kind = 'new_post' then '#new-posts' else '' end end`

/**
 * SQL that joins the post `p` of a notification, its paid content `paid` and its comment `c`. The policies hide what
 * the recipient may not see or read. As on the post's page, a reply is not shown without its parent comment. The
 * expression for the post's id must be leakproof, because otherwise PostgreSQL reads all posts; `coalesce` is not
 * leakproof.
 */
export const notificationSubject = sql`
  left join public.posts p
    on p.id = case when n.post_id is not null then n.post_id when announced.posts = 1 then announced.latest_post_id end
  left join lateral (select c.* from public.premium_contents c where p.is_premium and c.post_id = p.id) paid on true
  left join public.comments c on c.id = n.comment_id and (
    c.parent_comment_id is null
    or exists (select from public.comments parent where parent.id = c.parent_comment_id))`

const post = sql`case when p.id is not null then json_build_object(
  'id', p.id,
  'text', left(coalesce(nullif(paid.content, ''), nullif(p.content, ''), p.teaser, p.product ->> 'name', ''),
               ${limits.notificationExcerpt}::integer),
  'imageUrl', '/api/media/' || case p.media_type when 'image' then coalesce(paid.media_id, p.media_id)
                                                 when 'video' then coalesce(paid.poster_id, p.poster_id) end,
  'placeholder', p.placeholder) end`

const comment = sql`case when n.kind in ('comment', 'reply', 'mention') and c.id is not null and u.id is not null then
  json_build_object('id', c.id, 'postId', c.post_id, 'parentCommentId', c.parent_comment_id,
    'likesCount', c.likes_count, 'liked', exists (
      select from public.comment_likes l where l.comment_id = c.id and l.user_id = n.user_id)) end`

/**
 * SQL for the four users who most recently caused a notification in a group, latest first. Reads 20 notifications,
 * because one user may have caused several.
 */
const latestActors = sql`(
  select json_agg(json_build_object(${userCardFields}) order by latest.created_at desc)
  from (select g.actor_id, max(g.created_at) as created_at
        from (select m.actor_id, m.created_at from public.notifications m
              where m.group_id = n.group_id and m.user_id = n.user_id
              order by m.created_at desc, m.id desc limit 20) g
        group by 1 order by 2 desc limit 4) latest
  join public.profiles u on u.id = latest.actor_id)`

const latestUsers = sql`coalesce(case when n.others > 0 then ${latestActors}
  when u.id is not null then json_build_array(json_build_object(${userCardFields})) end, '[]'::json)`

/**
 * SQL for the `FollowCard` of a new follower. Follows and follow requests are read only for notifications about a
 * single new follower.
 */
const follower = sql`case when n.kind = 'follow' and n.others = 0 and u.id is not null then (
  select json_build_object(${userCardFields}, 'profileVisibility', u.visibility, 'followStatus', ${followStatus})
  from (select) one
  left join public.follows f on f.follower_id = n.user_id and f.followee_id = u.id
  left join public.follow_requests r on r.follower_id = n.user_id and r.followee_id = u.id) end`

/**
 * SQL that joins the `sales` that the notifications in the common table expression `page` are about: see
 * private.own_sale_amounts.
 */
export const notificationAmounts = sql`
  left join private.own_sale_amounts(
    (select array_agg(page.id) from page where page.kind in ('unlock', 'subscription')),
    (select bool_or(page.is_grouped) from page)) sales on sales.notification_id = n.id`

/** SQL for the amount paid, before fees: for a tip, from the notification's detail; otherwise, from the sale. */
const amount = sql`case when n.kind = 'tip' then ${detailAmount} else round(sales.amount_cents / 100.0, 2) end`

/** SQL for a `Notification` as JSON text. */
export const notificationJson = sql`json_build_object(
  'id', n.id, 'kind', n.kind, 'title', ${title}, 'message', ${notificationMessage(displayName)},
  'isRead', n.read_at is not null, 'createdAt', n.created_at,
  'relatedUser', case when u.id is not null then json_build_object(${userCardFields}) end,
  'othersCount', n.others, 'actors', ${latestUsers}, 'post', ${post},
  'commentText', left(c.content, ${limits.notificationExcerpt}::integer), 'comment', ${comment},
  'follower', ${follower}, 'amount', ${amount}, 'href', ${notificationHref}, 'details', ${details})::text`
