import { sql } from '../db/page.ts'
import type { Caller } from '../http/session.ts'
import { card } from './card.ts'

/**
 * What a `User` is read from: the profile `u`, its details `d` (absent where the caller may not view the profile)
 * and, for somebody signed in, the caller's own relation (`f` follows, `r` a request).
 */
export const joined = (caller: Caller | null) =>
  caller
    ? sql`left join public.profile_details d on d.user_id = u.id
          left join public.follows f on f.follower_id = ${caller.userId}::text::uuid and f.followee_id = u.id
          left join public.follow_requests r on r.follower_id = ${caller.userId}::text::uuid and r.followee_id = u.id`
    : sql`left join public.profile_details d on d.user_id = u.id`

const ofVisitor = sql`'following', false, 'followStatus', 'none', 'canMessage', false`
const ofCaller = sql`
  'following', f.followee_id is not null,
  'followStatus', case when f.followee_id is not null then 'following'
                       when r.followee_id is not null then 'requested' else 'none' end,
  'canMessage', private.message_refusal(u.id) is null`

const profile = sql`
  ${card}, 'createdAt', u.created_at, 'profileVisibility', u.visibility,
  'allowDirectMessages', u.allow_direct_messages, 'showFollowerCount', u.show_follower_count,
  'bio', d.bio, 'backgroundImageUrl', d.background_image_url, 'canView', d.user_id is not null`

/** A `User` as JSON text, of the tables that `joined` brings. */
export const user = (caller: Caller | null) =>
  sql`json_build_object(${profile}, ${caller ? ofCaller : ofVisitor})::text`

const notificationSettings = sql`json_build_object(
  'emailNotifications', s.email_notifications, 'pushNotifications', s.push_notifications,
  'newFollowers', s.new_followers, 'newComments', s.new_comments, 'newLikes', s.new_likes,
  'subscriptionUpdates', s.subscription_updates, 'paymentAlerts', s.payment_alerts,
  'groupNotifications', s.group_notifications, 'messageSounds', s.message_sounds, 'loginAlerts', s.login_alerts)`

/** An `OwnUser` as JSON text, of the profile `u`, its details `d`, its account `a` and its settings `s`. */
export const ownUser = sql`json_build_object(${profile}, ${ofVisitor},
  'email', a.email, 'phoneNumber', a.phone_number, 'contentDiscoverable', u.content_discoverable,
  'showProfileInDirectory', u.show_in_directory, 'showOnline', s.show_online, 'showLastSeen', s.show_last_seen,
  'showTyping', s.show_typing, 'notificationSettings', ${notificationSettings})::text`
