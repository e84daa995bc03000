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

/** The pairs of a profile, whoever reads it: of `u` and its details `d`. */
export const shownProfile = sql`
  ${card}, 'createdAt', u.created_at, 'profileVisibility', u.visibility,
  'allowDirectMessages', u.allow_direct_messages, 'showFollowerCount', u.show_follower_count,
  'bio', d.bio, 'backgroundImageUrl', d.background_image_url`

const profile = sql`${shownProfile}, 'canView', d.user_id is not null`

/** A `User` as JSON text, of the tables that `joined` brings. */
export const user = (caller: Caller | null) =>
  sql`json_build_object(${profile}, ${caller ? ofCaller : ofVisitor})::text`

/** A `UserDetails` as JSON text, of the same. */
export const userDetails = (caller: Caller | null) => sql`(
  jsonb_build_object(${profile}, ${caller ? ofCaller : ofVisitor}) || private.about_of(u.id)
  || jsonb_build_object('subscription', ${caller ? ownSubscription(caller) : sql`null`}))::text`

const ownSubscription = (caller: Caller) => sql`(
  select jsonb_build_object('periodEnd', s.period_end, 'cancelled', s.cancelled_at is not null)
  from public.subscriptions s
  where s.subscriber_id = ${caller.userId}::text::uuid and s.creator_id = u.id and private.subscribes_to(u.id)
    and s.state = 'active')`

const notificationSettings = sql`json_build_object(
  'emailNotifications', s.email_notifications, 'pushNotifications', s.push_notifications,
  'newFollowers', s.new_followers, 'newComments', s.new_comments, 'newLikes', s.new_likes,
  'subscriptionUpdates', s.subscription_updates, 'paymentAlerts', s.payment_alerts,
  'groupNotifications', s.group_notifications, 'messageSounds', s.message_sounds, 'loginAlerts', s.login_alerts)`

/** The pairs of `About` and `AboutShown`, of what somebody tells `o`. */
export const about = sql`
  'studiedAt', o.studied_at, 'livesIn', o.lives_in, 'fromLocation', o.from_location,
  'relationshipStatus', o.relationship_status, 'gender', o.gender, 'age', o.age, 'website', o.website,
  'tiktokUrl', o.tiktok_url, 'xUrl', o.x_url, 'instagramUrl', o.instagram_url, 'facebookUrl', o.facebook_url,
  'pinterestUrl', o.pinterest_url, 'twitchUrl', o.twitch_url, 'snapchatUrl', o.snapchat_url,
  'youtubeUrl', o.youtube_url, 'onlyfansUrl', o.onlyfans_url, 'fanfixUrl', o.fanfix_url,
  'showStudiedAt', o.show_studied_at, 'showLivesIn', o.show_lives_in, 'showFrom', o.show_from,
  'showRelationshipStatus', o.show_relationship_status, 'showGender', o.show_gender, 'showAge', o.show_age,
  'showWebsite', o.show_website, 'showSocialLinks', o.show_social_links`

const told = sql`${about},
  'country', o.country, 'allowAutoPosting', o.allow_auto_posting, 'approveAutoPosts', o.approve_auto_posts`

/** An `OwnUser` as JSON text, of the tables that `ownTables` names. */
export const ownUser = sql`(jsonb_build_object(${profile}, ${ofVisitor},
  'email', a.email, 'pendingEmail', private.pending_email(), 'phoneNumber', a.phone_number,
  'contentDiscoverable', u.content_discoverable, 'showProfileInDirectory', u.show_in_directory,
  'showOnline', s.show_online, 'showLastSeen', s.show_last_seen, 'showTyping', s.show_typing,
  'sessionTimeout', s.session_timeout, 'readOnlyReason', a.read_only_reason, 'notificationSettings', ${notificationSettings})
  || jsonb_build_object(${told}, 'hasEarned', exists (
    select from public.creator_balances b where b.person_id = u.id)))::text`

/** The profile `u`, its account `a`, its settings `s`, what it tells `o` and, where it is to be seen, its details `d`. */
export const ownTables = sql`public.profiles u
  join public.accounts a on a.user_id = u.id
  join public.person_settings s on s.user_id = u.id
  join public.profile_about o on o.user_id = u.id
  left join public.profile_details d on d.user_id = u.id`
