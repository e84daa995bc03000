import type { NotificationSettingsRequest } from '../contract/notification-settings.ts'
import type { PrivacyRequest, SecurityRequest } from '../contract/settings.ts'
import type { OwnUser } from '../contract/user.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { selectOwnUser } from './queries.ts'

/** Changes what is named of the caller's privacy, leaves the rest, and answers the record after it. */
export async function changePrivacy(caller: Caller, fields: PrivacyRequest): Promise<JsonText<OwnUser>> {
  const { showOnline, showLastSeen, showTyping, ...profile } = fields
  // A change of nothing would count against how often settings may be changed.
  const ofProfile = Object.values(profile).some((value) => value !== undefined)
  const ofPresence = [showOnline, showLastSeen, showTyping].some((value) => value !== undefined)
  const [, , rows] = await asUser(caller, (tx) => [
    tx`update public.profiles u set
           visibility = coalesce(${profile.profileVisibility ?? null}::text, u.visibility),
           allow_direct_messages =
             coalesce(${profile.allowDirectMessages ?? null}::boolean, u.allow_direct_messages),
           show_follower_count = coalesce(${profile.showFollowerCount ?? null}::boolean, u.show_follower_count),
           content_discoverable = coalesce(${profile.contentDiscoverable ?? null}::boolean, u.content_discoverable),
           show_in_directory = coalesce(${profile.showProfileInDirectory ?? null}::boolean, u.show_in_directory)
         where ${ofProfile}::boolean and u.id = ${caller.userId}::text::uuid`,
    tx`update public.person_settings s set
           show_online = coalesce(${showOnline ?? null}::boolean, s.show_online),
           show_last_seen = coalesce(${showLastSeen ?? null}::boolean, s.show_last_seen),
           show_typing = coalesce(${showTyping ?? null}::boolean, s.show_typing)
         where ${ofPresence}::boolean and s.user_id = ${caller.userId}::text::uuid`,
    selectOwnUser(tx, caller.userId),
  ])
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}

/** Changes what is named of which news the caller wants, leaves the rest, and answers the record after it. */
export async function changeNotifications(
  caller: Caller,
  fields: NotificationSettingsRequest,
): Promise<JsonText<OwnUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`update public.person_settings s set
           email_notifications = coalesce(${fields.emailNotifications ?? null}::boolean, s.email_notifications),
           push_notifications = coalesce(${fields.pushNotifications ?? null}::boolean, s.push_notifications),
           new_followers = coalesce(${fields.newFollowers ?? null}::boolean, s.new_followers),
           new_comments = coalesce(${fields.newComments ?? null}::boolean, s.new_comments),
           new_likes = coalesce(${fields.newLikes ?? null}::boolean, s.new_likes),
           subscription_updates = coalesce(${fields.subscriptionUpdates ?? null}::boolean, s.subscription_updates),
           payment_alerts = coalesce(${fields.paymentAlerts ?? null}::boolean, s.payment_alerts),
           group_notifications = coalesce(${fields.groupNotifications ?? null}::boolean, s.group_notifications),
           message_sounds = coalesce(${fields.messageSounds ?? null}::boolean, s.message_sounds),
           login_alerts = coalesce(${fields.loginAlerts ?? null}::boolean, s.login_alerts)
         where s.user_id = ${caller.userId}::text::uuid`,
    selectOwnUser(tx, caller.userId),
  ])
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}

/** Changes after how many minutes without a sign of the caller their pages sign them out, and answers the record. */
export async function changeSecurity(caller: Caller, fields: SecurityRequest): Promise<JsonText<OwnUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`update public.person_settings s set session_timeout = ${fields.sessionTimeout}::integer
         where s.user_id = ${caller.userId}::text::uuid`,
    selectOwnUser(tx, caller.userId),
  ])
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}
