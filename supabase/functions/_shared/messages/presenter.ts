import { type SqlFragment, sql } from '../db/sql.ts'
import { canMessage, deletedUserCardFields, userCardFieldsForUser } from '../users/presenter.ts'

/**
 * SQL for a `ChatMessage` as JSON, built from the message `m` and the receiver's read position `r` from
 * `readPositionJoin`. After a block in either direction, the policies hide the other user's read position, so the
 * caller's messages appear as unread.
 */
export const messageJson = sql`private.message_json(m, r.last_read_seq, (select auth.uid()))`

/** Joins the receiver's read position `r` to the message `m`, for `messageJson`. */
export const readPositionJoin = sql`
  left join public.conversation_members r on r.conversation_id = m.conversation_id and r.user_id = m.receiver_id`

/**
 * Returns SQL for a `UserCard` as JSON, built from the profile `u`, or from the id alone if the account was deleted and
 * there is no `u`. For a conversation partner, `u` must come from `private.conversation_partners`: after a block, the
 * policies hide the profile, but an existing conversation still shows who it is with.
 */
export const memberCardJson = (id: SqlFragment) => sql`
  case when u.id is not null then json_build_object(${userCardFieldsForUser})
       else json_build_object(${deletedUserCardFields(id)}) end`

/** SQL for the `lastMessage` of a `Conversation` as JSON, built from the message `m`. */
export const lastMessageJson = sql`json_build_object(
  'id', m.id, 'senderId', m.sender_id, 'content', m.content,
  'hasImage', (m.media_id is not null or m.price_cents is not null) and m.media_duration is null,
  'isLocked', m.price_cents is not null and m.media_id is null, 'voiceSeconds', m.media_duration,
  'deleted', m.deleted_at is not null, 'createdAt', m.created_at)`

/**
 * SQL for a `Conversation` as JSON text, built from the row `c` of `private.list_conversations`, the partner `u`,
 * their `presence` and `last_message.item`.
 */
export const conversationJson = sql`json_build_object(
  'otherUserId', c.partner_id, 'otherUser', ${memberCardJson(sql`c.partner_id`)}, 'lastMessage', last_message.item,
  'isRead', c.unread_count = 0, 'unreadCount', c.unread_count,
  'canMessage', ${canMessage(sql`c.partner_id`)}, 'hasWritten', c.has_written,
  'isSubscriber', private.is_own_subscriber(c.partner_id),
  'presence', coalesce(presence.presence, '{"online": false, "lastSeenAt": null}'))::text`
