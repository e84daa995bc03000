import type { NotificationSettingsRequest } from '../contract/notification-settings.ts'
import type {
  HomeRequest,
  PrivacyRequest,
  SecurityRequest,
  UsernameAvailability,
} from '../contract/settings.ts'
import type { OwnUser, User, UserDetails, UserStats } from '../contract/user.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { notFound, unauthorized } from '../http/errors.ts'
import { asCaller, asService, asUser, requireSession } from '../http/run-as.ts'
import { ownUserJson, ownUserTables, userDetailsJson, userJoins, userJson } from './presenter.ts'

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns an SQL condition that matches the profile `u` by an id, or by a username in any letter case. */
export const matchesIdentifier = (identifier: string) =>
  uuidPattern.test(identifier)
    ? sql`u.id = ${identifier}::text::uuid`
    : sql`lower(u.username) = lower(${identifier}::text)`

export const userNotFound = () => notFound('User not found')

/** Selects the `OwnUser` with this id: one row, or none for a deleted account. */
export const selectOwnUser = (tx: Sql, id: string) => tx<{ item: JsonText<OwnUser> }[]>`
  select ${ownUserJson} as item from ${ownUserTables}
  where u.id = ${id}::text::uuid`

/**
 * Returns the record that `selectOwnUser` found.
 *
 * @throws ApiError 401 if the account was deleted
 */
export function requireOwnUser([row]: readonly { item: JsonText<OwnUser> }[]): JsonText<OwnUser> {
  if (!row) throw unauthorized()
  return row.item
}

export async function readOwnUser(caller: Caller): Promise<JsonText<OwnUser>> {
  return requireOwnUser(await asUser(caller, (tx) => selectOwnUser(tx, caller.userId)))
}

/** Returns why `private.check_names` would reject this username for the caller. `problem` is null if it would not. */
export async function checkUsername(caller: Caller, username: string): Promise<UsernameAvailability> {
  await requireSession(caller)
  // Runs as the service role, because the check finds usernames of users who are hidden from the caller.
  const [row] = await asService(
    (tx) => tx<{ problem: UsernameAvailability['problem'] }[]>`
      select 'username_' || p.problem as problem
      from private.username_problem(${username}::text, ${caller.userId}::text::uuid) p (problem)
      join public.profiles u on u.id = ${caller.userId}::text::uuid
      where lower(u.username) <> lower(${username}::text) and not (u.is_admin and p.problem = 'reserved')`,
  )
  return { problem: row?.problem ?? null }
}

/** Records that the caller has finished or skipped the welcome steps. */
export async function finishOnboarding(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.finish_onboarding()`)
}

/** Returns the record of a user who has just registered. */
export async function readNewUser(id: string): Promise<JsonText<OwnUser>> {
  // Runs as the service role, because a new account has no session yet.
  const [row] = await asService((tx) => selectOwnUser(tx, id))
  if (!row) throw userNotFound()
  return row.item
}

/** Returns a user as the caller may see them. @throws ApiError 404 */
export async function readUser(caller: Caller | null, identifier: string): Promise<JsonText<UserDetails>> {
  const rows = await asCaller(
    caller,
    (tx) => tx<{ item: JsonText<UserDetails> }[]>`
      select ${userDetailsJson(caller)} as item
      from public.profiles u ${userJoins(caller)} where ${matchesIdentifier(identifier)}`,
  )
  if (!rows[0]) throw userNotFound()
  return rows[0].item
}

/** Returns SQL for the views of the caller's posts in the last 7 days. Null if the user `u` is not the caller. */
const viewsThisWeek = ({ userId }: Caller) => sql`
  case when u.id = ${userId}::text::uuid then (
    select coalesce(sum(d.views), 0)::integer from public.creator_days d
    where d.creator_id = u.id and d.day > (now() at time zone 'UTC')::date - 7) end`

/** Returns a user's stats. The counts are null if they are hidden from the caller. @throws ApiError 404 */
export async function readStats(caller: Caller | null, identifier: string): Promise<UserStats> {
  const rows = await asCaller(
    caller,
    (tx) => tx<UserStats[]>`
      select c.posts, c.followers, c.following, c.subscribers, c.photos, c.videos, c.premium_posts as "premiumPosts",
             ${caller ? viewsThisWeek(caller) : sql`null`} as "viewsThisWeek",
             private.has_shown_repost(u.id) as "hasReposts"
      from public.profiles u left join public.profile_counts c on c.user_id = u.id
      where ${matchesIdentifier(identifier)}`,
  )
  if (!rows[0]) throw userNotFound()
  return rows[0]
}

/**
 * Lists the directory in order of registration: all users whom the caller can see, except the caller and those who
 * opted out. Users with whom the caller has a conversation are listed even if they opted out. The inner query applies
 * the limit before the joins, so that skipped rows are not joined.
 */
export async function listDirectory(caller: Caller, range: PageRange): Promise<Page<User>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${userJson(caller)} as item, ${cursorKey(sql`u.created_at`, sql`u.id`)} as key
      from (
        select u.* from public.profiles u
        where u.id <> ${caller.userId}::text::uuid and ${isListedFor(caller)}
        ${afterCursor(range, sql`u.created_at`, sql`u.id`, 'oldest')}
        order by u.created_at, u.id ${limitClause(range)}
      ) u ${userJoins(caller)}
      order by u.created_at, u.id`,
  )
  return toPage(rows, range)
}

const isListedFor = (caller: Caller) => sql`(
  u.show_in_directory or exists (
    select from public.conversation_members m where m.user_id = ${caller.userId}::text::uuid and m.partner_id = u.id))`

const unreadColumns = { messages: sql`c.unread_messages`, notifications: sql`c.unread_notifications` }

/** Selects the number of the caller's unread messages or notifications: one row, or none for a deleted account. */
export const selectUnreadCount = (tx: Sql, caller: Caller, kind: keyof typeof unreadColumns) =>
  tx<{ count: number }[]>`
  select ${unreadColumns[kind]} as count from public.user_counters c where c.user_id = ${caller.userId}::text::uuid`

/**
 * Returns the response body for the count that `selectUnreadCount` found.
 *
 * @throws ApiError 401 if the account was deleted
 */
export function toUnreadCount([row]: readonly { count: number }[]) {
  if (!row) throw unauthorized()
  return { count: row.count }
}

/**
 * Updates the caller's privacy settings; omitted fields stay unchanged. Returns the updated record.
 *
 * @throws ApiError 403 if the account is read-only and the fields include more than presence settings; 429
 */
export async function updatePrivacySettings(
  caller: Caller,
  fields: PrivacyRequest,
): Promise<JsonText<OwnUser>> {
  const { showOnline, showLastSeen, showTyping, ...profile } = fields
  // An update without changes would still count against the rate limit for settings changes.
  const changesProfile = Object.values(profile).some((value) => value !== undefined)
  const changesPresence = [showOnline, showLastSeen, showTyping].some((value) => value !== undefined)
  const [, , rows] = await asUser(caller, (tx) => [
    tx`update public.profiles u set
           visibility = coalesce(${profile.profileVisibility ?? null}::text, u.visibility),
           allow_direct_messages =
             coalesce(${profile.allowDirectMessages ?? null}::boolean, u.allow_direct_messages),
           show_follower_count = coalesce(${profile.showFollowerCount ?? null}::boolean, u.show_follower_count),
           content_discoverable = coalesce(${profile.contentDiscoverable ?? null}::boolean, u.content_discoverable),
           show_in_directory = coalesce(${profile.showProfileInDirectory ?? null}::boolean, u.show_in_directory)
         where ${changesProfile}::boolean and u.id = ${caller.userId}::text::uuid`,
    tx`update public.user_settings s set
           show_online = coalesce(${showOnline ?? null}::boolean, s.show_online),
           show_last_seen = coalesce(${showLastSeen ?? null}::boolean, s.show_last_seen),
           show_typing = coalesce(${showTyping ?? null}::boolean, s.show_typing)
         where ${changesPresence}::boolean and s.user_id = ${caller.userId}::text::uuid`,
    selectOwnUser(tx, caller.userId),
  ])
  return requireOwnUser(rows)
}

/**
 * Updates the caller's notification settings; omitted fields stay unchanged. Returns the updated record.
 *
 * @throws ApiError 429
 */
export async function updateNotificationSettings(
  caller: Caller,
  fields: NotificationSettingsRequest,
): Promise<JsonText<OwnUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`update public.user_settings s set
           email_notifications = coalesce(${fields.emailNotifications ?? null}::boolean, s.email_notifications),
           -- Turning emails on also reverses an earlier unsubscribe.
           activity_mails = coalesce(${fields.emailNotifications ?? null}::boolean or s.activity_mails, s.activity_mails),
           push_notifications = coalesce(${fields.pushNotifications ?? null}::boolean, s.push_notifications),
           new_followers = coalesce(${fields.newFollowers ?? null}::boolean, s.new_followers),
           new_comments = coalesce(${fields.newComments ?? null}::boolean, s.new_comments),
           new_likes = coalesce(${fields.newLikes ?? null}::boolean, s.new_likes),
           subscription_updates = coalesce(${fields.subscriptionUpdates ?? null}::boolean, s.subscription_updates),
           payment_alerts = coalesce(${fields.paymentAlerts ?? null}::boolean, s.payment_alerts),
           new_posts = coalesce(${fields.newPosts ?? null}::boolean, s.new_posts),
           new_quotes = coalesce(${fields.newQuotes ?? null}::boolean, s.new_quotes),
           group_notifications = coalesce(${fields.groupNotifications ?? null}::boolean, s.group_notifications),
           message_sounds = coalesce(${fields.messageSounds ?? null}::boolean, s.message_sounds),
           login_alerts = coalesce(${fields.loginAlerts ?? null}::boolean, s.login_alerts)
         where s.user_id = ${caller.userId}::text::uuid`,
    selectOwnUser(tx, caller.userId),
  ])
  return requireOwnUser(rows)
}

/**
 * Sets the tabs that the caller pins to the home feed. Returns the updated record.
 *
 * @throws ApiError 429
 */
export async function updateHomeSettings(
  caller: Caller,
  { homeTabs }: HomeRequest,
): Promise<JsonText<OwnUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`update public.user_settings s set home_tabs = ${homeTabs && `{${homeTabs.join(',')}}`}::text::text[]
         where s.user_id = ${caller.userId}::text::uuid`,
    selectOwnUser(tx, caller.userId),
  ])
  return requireOwnUser(rows)
}

/**
 * Sets the caller's session timeout: the minutes of inactivity after which the web app signs them out.
 *
 * @throws ApiError 429
 */
export async function updateSecuritySettings(
  caller: Caller,
  fields: SecurityRequest,
): Promise<JsonText<OwnUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`update public.user_settings s set session_timeout = ${fields.sessionTimeout}::integer
         where s.user_id = ${caller.userId}::text::uuid`,
    selectOwnUser(tx, caller.userId),
  ])
  return requireOwnUser(rows)
}
