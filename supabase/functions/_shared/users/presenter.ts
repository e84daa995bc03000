import { type SqlFragment, sql } from '../db/sql.ts'

/**
 * SQL for the display name of the profile `u`: first and last name, or else the full name. Null if there is no profile.
 */
export const displayName = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.full_name)`

const cardFields = (isAdmin: SqlFragment) => sql`
  'id', u.id, 'username', u.username, 'handle', u.username, 'displayName', ${displayName},
  'fullName', u.full_name, 'firstName', u.first_name, 'lastName', u.last_name,
  'profileImageUrl', u.profile_image_url, 'isCreator', u.is_creator,
  'isAdmin', ${isAdmin}`

/**
 * The `json_build_object` arguments of a `UserCard`, read from the profile `u`. Looks up whether the user is an admin,
 * because visitors cannot read `u.is_admin`.
 */
export const userCardFields = cardFields(sql`exists (select from private.admins x where x.id = u.id)`)

/** Like `userCardFields`, but for a signed-in caller: needs no lookup per user. */
export const userCardFieldsForUser = cardFields(sql`u.is_admin`)

/** Returns SQL for the `UserCard` of a user as JSON. Null if the profile does not exist or the caller cannot see it. */
export const userCardOf = (id: SqlFragment) =>
  sql`(select json_build_object(${userCardFields}) from public.profiles u where u.id = ${id})`

/** The `json_build_object` arguments of a `UserCard` for a deleted account, of which only the id is known. */
export const deletedUserCardFields = (id: SqlFragment) => sql`
  'id', ${id}, 'username', 'deleted', 'handle', 'deleted', 'displayName', 'Deleted user',
  'fullName', 'Deleted user', 'firstName', null, 'lastName', null,
  'profileImageUrl', null, 'isCreator', false, 'isAdmin', false`

/**
 * Returns SQL for the joins that a `User` needs besides the profile `u`: its details `d` (missing if the caller may not
 * view the profile) and, for a signed-in caller, the follow `f` and the follow request `r` from the caller to `u`.
 */
export const userJoins = (caller: { userId: string } | null) =>
  caller
    ? sql`left join public.profile_details d on d.user_id = u.id
          left join public.follows f on f.follower_id = ${caller.userId}::text::uuid and f.followee_id = u.id
          left join public.follow_requests r on r.follower_id = ${caller.userId}::text::uuid and r.followee_id = u.id`
    : sql`left join public.profile_details d on d.user_id = u.id`

/** SQL for the caller's follow status, from the follow `f` and the follow request `r` in `userJoins`. */
export const followStatus = sql`case when f.followee_id is not null then 'following'
                                     when r.followee_id is not null then 'requested' else 'none' end`

/** Returns SQL for whether a signed-in caller may message a user. */
export const canMessage = (id: SqlFragment) =>
  sql`coalesce((select r.refusal is null from private.message_refusals r where r.receiver_id = ${id}), false)`

const visitorRelationFields = sql`'following', false, 'followStatus', 'none', 'canMessage', false`
const callerRelationFields = sql`
  'following', f.followee_id is not null,
  'followStatus', ${followStatus},
  'canMessage', ${canMessage(sql`u.id`)}`

/**
 * The fields of a `User`, read from the profile `u` and its details `d`, except those about the caller's access to the
 * profile and relation to the user.
 */
export const profileFields = sql`
  ${userCardFields}, 'createdAt', u.created_at, 'profileVisibility', u.visibility,
  'allowDirectMessages', u.allow_direct_messages, 'showFollowerCount', u.show_follower_count,
  'bio', d.bio, 'backgroundImageUrl', d.background_image_url`

/** Returns the `json_build_object` arguments of a `User`, read from the profile `u` and the tables in `userJoins`. */
export const userFields = (caller: { userId: string } | null) =>
  sql`${profileFields}, 'canView', d.user_id is not null,
      ${caller ? callerRelationFields : visitorRelationFields}`

/** Returns SQL for a `User` as JSON text, built from the profile `u` and the tables in `userJoins`. */
export const userJson = (caller: { userId: string } | null) =>
  sql`json_build_object(${userFields(caller)})::text`

/** Returns SQL for a `UserDetails` as JSON text, built from the profile `u` and the tables in `userJoins`. */
export const userDetailsJson = (caller: { userId: string } | null) => sql`(
  jsonb_build_object(${userFields(caller)})
  || private.visible_profile_about(u.id)
  || jsonb_build_object(
    'subscription', ${caller ? callerSubscription(caller) : sql`null`},
    'postAlerts', ${caller ? callerPostAlerts(caller) : sql`null`},
    'followedBy', ${caller ? followedBy(sql`1`) : sql`null`}))::text`

/**
 * Returns SQL for the `FollowedBy` of the user `u` as JSON.
 *
 * @param turn selects one of the followers whom the caller follows, so that the rows of a list show different ones
 */
export const followedBy = (turn: SqlFragment) => sql`(
  select case when follower.card is not null then
    json_build_object('user', follower.card, 'othersCount', follower.total - 1) end
  from (select ${userCardOf(sql`m.user_id`)} as card, m.total from private.find_followed_followers(u.id, ${turn}) m) follower)`

/** The `jsonb_build_object` arguments for the fields that both sides of a subscription `s` can see. */
export const subscriptionFields = sql`'periodEnd', s.period_end, 'cancelled', s.cancelled_at is not null,
  'price', s.price_cents / 100.0, 'months', s.months`

/** Returns SQL for the caller's active subscription to the user `u` as JSON, or null. */
export const callerSubscription = (caller: { userId: string }) => sql`(
  select jsonb_build_object(${subscriptionFields})
  from public.subscriptions s
  where s.subscriber_id = ${caller.userId}::text::uuid and s.creator_id = u.id and private.is_subscribed_to(u.id)
    and s.state = 'active')`

const callerPostAlerts = (caller: {
  userId: string
}) => sql`case when f.followee_id is not null then coalesce(
  (select a.level from public.post_alerts a
   where a.user_id = ${caller.userId}::text::uuid and a.author_id = u.id),
  case when private.is_subscribed_to(u.id) then 'all' else 'off' end) end`

const notificationSettings = sql`json_build_object(
  'emailNotifications', s.email_notifications and s.activity_mails, 'pushNotifications', s.push_notifications,
  'newFollowers', s.new_followers, 'newComments', s.new_comments, 'newLikes', s.new_likes,
  'subscriptionUpdates', s.subscription_updates, 'paymentAlerts', s.payment_alerts, 'newPosts', s.new_posts, 'newQuotes', s.new_quotes,
  'groupNotifications', s.group_notifications, 'messageSounds', s.message_sounds, 'loginAlerts', s.login_alerts)`

/** The `json_build_object` arguments of `About` and `AboutVisibility`, read from the profile's About section `o`. */
export const aboutFields = sql`
  'studiedAt', o.studied_at, 'livesIn', o.lives_in, 'fromLocation', o.from_location,
  'relationshipStatus', o.relationship_status, 'gender', o.gender, 'age', o.age, 'website', o.website,
  'tiktokUrl', o.tiktok_url, 'xUrl', o.x_url, 'instagramUrl', o.instagram_url, 'facebookUrl', o.facebook_url,
  'pinterestUrl', o.pinterest_url, 'twitchUrl', o.twitch_url, 'snapchatUrl', o.snapchat_url,
  'youtubeUrl', o.youtube_url, 'onlyfansUrl', o.onlyfans_url, 'fanfixUrl', o.fanfix_url,
  'showStudiedAt', o.show_studied_at, 'showLivesIn', o.show_lives_in, 'showFrom', o.show_from,
  'showRelationshipStatus', o.show_relationship_status, 'showGender', o.show_gender, 'showAge', o.show_age,
  'showWebsite', o.show_website, 'showSocialLinks', o.show_social_links`

const ownAboutFields = sql`${aboutFields},
  'country', o.country, 'allowAutoPosting', o.allow_auto_posting, 'approveAutoPosts', o.approve_auto_posts`

/**
 * SQL for the `Suspension` that makes the account `a` read-only, or null. Suspending an admin does not make the account
 * read-only.
 */
export const suspension = sql`case when a.suspended_at is not null and a.read_only_reason is not null
  then json_build_object('reason', a.suspension_reason, 'until', a.suspended_until) end`

/** SQL for an `OwnUser` as JSON text, built from `ownUserTables`. */
export const ownUserJson = sql`(jsonb_build_object(${userFields(null)},
  'email', a.email, 'pendingEmail', private.pending_email(), 'phoneNumber', a.phone_number,
  'emailConfirmed', a.email_confirmed_at is not null, 'onboarded', a.onboarded_at is not null,
  'contentDiscoverable', u.content_discoverable, 'showProfileInDirectory', u.show_in_directory,
  'showOnline', s.show_online, 'showLastSeen', s.show_last_seen, 'showTyping', s.show_typing,
  'sessionTimeout', s.session_timeout, 'readOnlyReason', a.read_only_reason, 'suspension', ${suspension},
  'notificationSettings', ${notificationSettings})
  || jsonb_build_object(${ownAboutFields}, 'quarterlyDiscount', d.quarterly_discount,
    'halfYearlyDiscount', d.half_yearly_discount, 'yearlyDiscount', d.yearly_discount, 'homeTabs', s.home_tabs,
    'hasEarned', exists (select from public.creator_balances b where b.user_id = u.id), 'isSubscriber', exists (
    select from public.subscriptions b where b.subscriber_id = u.id and b.state = 'active')))::text`

/** The tables of an `OwnUser`: profile `u`, account `a`, settings `s`, About section `o` and profile details `d`. */
export const ownUserTables = sql`public.profiles u
  join public.accounts a on a.user_id = u.id
  join public.user_settings s on s.user_id = u.id
  join public.profile_about o on o.user_id = u.id
  left join public.profile_details d on d.user_id = u.id`
