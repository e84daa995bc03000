import { sql } from '../db/page.ts'
import type { displayName } from '../users/card.ts'

type Sql = typeof displayName

/**
 * The words of the notification `n`, which tells of the person `u` (absent where nobody in particular did it) and of
 * `n.others` people beside them.
 */

export const title = sql`case n.kind
  when 'follow' then 'New follower' when 'follow_request' then 'Follow request'
  when 'follow_accepted' then 'Request accepted' when 'like' then 'New like'
  when 'comment' then 'New comment' when 'reply' then 'New reply' when 'mention' then 'New mention'
  when 'reaction' then 'New reaction' when 'unlock' then 'Post unlocked'
  when 'subscription' then 'New subscriber' when 'tip' then 'New tip' when 'message' then 'New message'
  when 'sign_in' then 'New sign-in'
  when 'payout' then case when starts_with(n.detail, 'paid') then 'Payout sent' else 'Payout failed' end
  when 'creator_pro' then 'Creator Pro' when 'moderation' then 'From the moderators'
  when 'report' then 'Your report' when 'auto_post' then 'Auto-posting' else 'A message from the team' end`

const people = (name: Sql) => sql`coalesce(${name}, 'Someone') || case
  when n.others = 1 then ' and 1 other' when n.others > 1 then ' and ' || n.others || ' others' else '' end`

/** What one person, or several, did. */
const deed = sql`case n.kind
  when 'follow' then 'started following you.' when 'follow_request' then 'asked to follow you.'
  when 'follow_accepted' then 'accepted your follow request.' when 'like' then 'liked your post.'
  when 'comment' then 'commented on your post.' when 'reply' then 'replied to your comment.'
  when 'mention' then 'mentioned you in a ' || case when n.comment_id is null then 'post.' else 'comment.' end
  when 'reaction' then 'reacted to your message.' when 'unlock' then 'unlocked your post.'
  when 'subscription' then 'subscribed to you.' when 'tip' then 'sent you a tip' || coalesce(' of ' || n.detail, '') ||
    case when n.detail like '%: %' then '' else '.' end
  else 'sent you a message.' end`

/** Of a payout that is told of, as 'paid $1234.00' or 'failed $1234.00: why': its amount. */
const paidOut = sql`regexp_replace(split_part(split_part(n.detail, ' ', 2), ':', 1), '(\\d)(?=(\\d{3})+\\.)', '\\1,', 'g')`

/** What happened; `name` is what the person is called there. */
export const message = (name: Sql) => sql`case n.kind
  when 'sign_in' then 'Your account was signed in to from ' || coalesce(n.detail, 'a new device') || '.'
  when 'payout' then case when starts_with(n.detail, 'paid ')
    then 'Your payout of ' || ${paidOut} || ' is on its way.'
    else 'Your payout of ' || ${paidOut} || ' failed, and the money is back in your balance: '
      || substr(n.detail, strpos(n.detail, ': ') + 2) end
  when 'creator_pro' then 'Your Creator Pro has ended. Your posts stay; upgrade to be a creator again.'
  when 'moderation' then coalesce(n.detail, 'The moderators decided about your account.')
  when 'report' then coalesce(n.detail, 'We looked at what you reported.')
  when 'auto_post' then coalesce(n.detail, 'There is news about auto-posting.')
  when 'admin' then coalesce(n.detail, 'There is news about your account.')
  else ${people(name)} || ' ' || ${deed} end`

/** Where a post is the cause, to it, and there to the comment. */
export const href = sql`case
  when n.post_id is not null then '/post/' || n.post_id || coalesce((
    -- Replies are folded away under what they reply to.
    select '#comment-' || coalesce(c.parent_comment_id, c.id) from public.comments c where c.id = n.comment_id), '')
  when n.kind = 'payout' then '/earnings?tab=payouts'
  when n.kind = 'creator_pro' then '/settings?tab=billing'
  when n.kind = 'moderation' then '/safety?tab=decisions'
  when n.kind = 'report' then '/safety?tab=reports'
  when n.kind = 'auto_post' then '/auto-posts'
  when n.kind = 'sign_in' then '/settings?tab=security'
  when n.kind = 'admin' or u.id is null then '/notifications'
  when n.kind in ('message', 'reaction') then '/messages?user=' || u.id
  else '/profile/' || u.username end`
