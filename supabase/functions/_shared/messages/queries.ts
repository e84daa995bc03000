import { z } from 'zod'
import { Id } from '../contract/common.ts'
import type {
  ChatMessage,
  Conversation,
  ConversationFilter,
  LinkedPostAccess,
  MessageReaction,
  MessageSearchResult,
  NewMessage,
  ReactionEmoji,
  ReactionsResponse,
} from '../contract/message.ts'
import { cursorKey, type Page, type PageRange, type PageRow, toPage } from '../db/page.ts'
import { type JsonText, type Sql, sql, toJsonArray } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { asUser, asUserWithoutSessionCheck } from '../http/run-as.ts'
import { mediaIdFromUrl } from '../media/media-url.ts'
import { selectUnreadCount, toUnreadCount } from '../users/queries.ts'
import {
  conversationJson,
  lastMessageJson,
  memberCardJson,
  messageJson,
  readPositionJoin,
} from './presenter.ts'

const messageNotFound = () => notFound('Message not found')

/** Lists the caller's conversations, or only those that a filter selects, most recent first. */
export async function listConversations(
  caller: Caller,
  range: PageRange,
  filter?: ConversationFilter,
): Promise<Page<Conversation>> {
  const { limit, offset, after } = range
  const listFunction = filter
    ? sql`private.list_filtered_conversations(${filter}::text,`
    : sql`private.list_conversations(`
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${conversationJson} as item, ${cursorKey(sql`c.last_message_at`, sql`c.partner_id`)} as key
      from ${listFunction}
        ${after?.at ?? null}::text::timestamptz, ${after?.id ?? null}::text::uuid, ${limit + offset + 1}::int
      ) c
      left join private.conversation_partners u on u.id = c.partner_id
      left join private.visible_presences presence on presence.user_id = c.partner_id
      left join lateral (
        select ${lastMessageJson} as item from public.messages m where m.id = c.last_message_id limit 1
      ) last_message on true
      order by c.last_message_at desc, c.partner_id desc offset ${offset}::int`,
  )
  return toPage(rows, range)
}

/**
 * Lists the messages that contain `text` in the caller's conversations, most recent first. Case and accents are
 * ignored. If `text` has fewer than three characters, only recent messages are searched.
 */
export async function searchMessages(
  caller: Caller,
  text: string,
  range: PageRange,
): Promise<Page<MessageSearchResult>> {
  const { limit, offset, after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select json_build_object('message', message.item, 'otherUserId', message.partner_id,
                               'otherUser', ${memberCardJson(sql`message.partner_id`)})::text as item,
             ${cursorKey(sql`found.created_at`, sql`found.id`)} as key
      from private.search_messages(
        ${text}::text, ${after?.at ?? null}::text::timestamptz, ${after?.id ?? null}::text::uuid,
        ${limit + offset + 1}::int
      ) found
      -- The messages are looked up one by one, because the planner might otherwise read all of the caller's messages.
      cross join lateral (
        select ${messageJson} as item,
               case when m.sender_id = ${caller.userId}::text::uuid then m.receiver_id else m.sender_id end as partner_id
        from public.messages m ${readPositionJoin} where m.id = found.id limit 1
      ) message
      left join private.conversation_partners u on u.id = message.partner_id
      order by found.created_at desc, found.id desc offset ${offset}::int`,
  )
  return toPage(rows, range)
}

/**
 * Counts the caller's unread messages in all conversations. Also records when the caller was last seen, because an
 * open, visible page requests this count every `intervals.pollMs`.
 */
export async function countUnreadMessages(caller: Caller) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.record_last_seen()`,
    selectUnreadCount(tx, caller, 'messages'),
  ])
  return toUnreadCount(rows)
}

/** Marks the caller's conversation with another user as read. Returns the number of messages that are still unread. */
export async function markConversationRead(caller: Caller, otherUserId: string) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.mark_conversation_read(${otherUserId}::text::uuid)`,
    selectUnreadCount(tx, caller, 'messages'),
  ])
  return toUnreadCount(rows)
}

/** Marks all of the caller's conversations as read. Returns the number of messages that are still unread. */
export async function markAllConversationsRead(caller: Caller) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.mark_all_conversations_read()`,
    selectUnreadCount(tx, caller, 'messages'),
  ])
  return toUnreadCount(rows)
}

/** Selects a message in one of the caller's conversations. Policies hide all other messages. */
const selectMessage = (tx: Sql, id: string) => tx<
  { item: JsonText<ChatMessage>; senderId: string; receiverId: string }[]
>`
  select ${messageJson}::text as item, m.sender_id as "senderId", m.receiver_id as "receiverId"
  from public.messages m ${readPositionJoin}
  where m.id = ${id}::text::uuid`

const MessageReceiver = z.object({ receiverId: Id })

/**
 * Checks that the caller may send messages and, if the request body names a receiver, that they may message that user.
 *
 * @param body the request body, which has not been validated
 * @throws ApiError 403, 404
 */
export async function requireCanSend(caller: Caller, body: unknown): Promise<void> {
  const { data } = MessageReceiver.safeParse(body)
  await asUser(caller, (tx) =>
    data
      ? tx`select private.require_can_message(${data.receiverId}::text::uuid)`
      : tx`select private.require_write()`,
  )
}

/**
 * Sends a message. Idempotent: a repeated `id` returns the stored message with `created` false.
 *
 * @throws ApiError 400 if the caller cannot use the upload or the quoted message is not in this conversation; 403, with
 *   `creators_only` if the message has a price and the caller is not a creator; 404; 409 if the id belongs to another
 *   message; 429 after too many messages
 */
export async function sendMessage(
  caller: Caller,
  message: NewMessage,
): Promise<{ created: boolean; item: JsonText<ChatMessage> }> {
  const { id = crypto.randomUUID(), receiverId } = message
  let rejection: unknown = null
  try {
    const item = await insertMessage(caller, { ...message, id })
    if (item !== null) return { created: true, item }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error
    rejection = error
  }
  // A repeated request succeeds even if the receiver has since blocked the caller. `asUser` also checks the session, so
  // a caller whose session has ended gets 401, even if the request was rejected for another reason.
  const [stored] = await asUser(caller, (tx) => selectMessage(tx, id))
  const isOwn = stored?.senderId === caller.userId
  if (rejection && !isOwn) throw rejection
  // The id belongs to a message from another sender or to another receiver.
  if (!isOwn || stored.receiverId !== receiverId.toLowerCase())
    throw new ApiError(409, 'This ID is already in use.')
  return { created: false, item: stored.item }
}

/**
 * Returns a message in one of the caller's conversations.
 *
 * @throws ApiError 404
 */
export async function readMessage(caller: Caller, id: string): Promise<JsonText<ChatMessage>> {
  const [row] = await asUser(caller, (tx) => selectMessage(tx, id))
  if (!row) throw messageNotFound()
  return row.item
}

/**
 * Returns whether the receiver of one of the caller's messages has access to the caller's premium post that the message
 * links to, and if so, whether they unlocked it or their subscription includes it.
 *
 * @throws ApiError 404
 */
export async function readLinkedPostAccess(
  caller: Caller,
  id: string,
  postId: string,
): Promise<LinkedPostAccess> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ access: LinkedPostAccess['access'] | null }[]>`
      select private.linked_post_access(${id}::text::uuid, ${postId}::text::uuid) as access`,
  )
  if (!row?.access) throw notFound('Post not found')
  return { access: row.access }
}

/** Inserts a message. Returns null if a message with this id is already stored. */
async function insertMessage(
  caller: Caller,
  { id, receiverId, content, imageUrl, voiceUrl, price, replyToId }: NewMessage & { id: string },
): Promise<JsonText<ChatMessage> | null> {
  const upload = mediaIdFromUrl('imageUrl', imageUrl) ?? mediaIdFromUrl('voiceUrl', voiceUrl)
  const [sent] = await asUserWithoutSessionCheck(
    caller,
    (tx) => tx<{ item: JsonText<ChatMessage> | null }[]>`
      select private.send_message(${id}::text::uuid, ${receiverId}::text::uuid, ${content}::text,
                                  ${upload}::text::uuid, ${replyToId ?? null}::text::uuid,
                                  ${price?.toString() ?? null}::text::numeric) as item`,
  )
  return sent?.item ?? null
}

/**
 * Checks that the caller may still edit a message.
 *
 * @throws ApiError 403, 404, 409
 */
export async function requireCanEditMessage(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_can_edit_message(${id}::text::uuid)`)
}

/**
 * Edits one of the caller's messages, within `limits.messageEditWindowMs` of sending it. An edit that does not change
 * the content has no effect.
 *
 * @throws ApiError 400, 403, 404, 409, 429
 */
export async function editMessage(
  caller: Caller,
  id: string,
  content: string,
): Promise<JsonText<ChatMessage>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.edit_message(${id}::text::uuid, ${content}::text)`,
    selectMessage(tx, id),
  ])
  if (!row) throw messageNotFound()
  return row.item
}

/**
 * Deletes one of the caller's messages for both users. Idempotent.
 *
 * @throws ApiError 403; 404; 409 if the message has a photo that the receiver bought; 429
 */
export async function deleteMessage(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.delete_message(${id}::text::uuid)`)
}

/**
 * Checks that the caller may react to a message.
 *
 * @throws ApiError 403; 404; 409 if the message was deleted
 */
export async function requireCanReact(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_can_react(${id}::text::uuid)`)
}

/**
 * Lists the reactions to a message with their users, oldest first.
 *
 * @throws ApiError 404
 */
export async function listReactions(caller: Caller, id: string): Promise<JsonText<MessageReaction[]>> {
  const [messages, rows] = await asUser(caller, (tx) => [
    tx`select from public.messages m where m.id = ${id}::text::uuid`,
    tx<{ item: string }[]>`
      select json_build_object('emoji', reaction ->> 'emoji', 'userId', author.id,
                               'user', ${memberCardJson(sql`author.id`)})::text as item
      from public.messages m
      cross join lateral jsonb_array_elements(m.reactions) with ordinality r(reaction, place)
      cross join lateral (select (reaction ->> 'userId')::uuid as id) author
      left join lateral (
        select p.id, p.username, p.full_name, p.first_name, p.last_name, p.profile_image_url, p.is_creator, p.is_admin
        from public.profiles p where p.id = author.id and author.id = ${caller.userId}::text::uuid
        union all
        select p.* from private.conversation_partners p where p.id = author.id
      ) u on true
      where m.id = ${id}::text::uuid
      order by r.place`,
  ])
  if (messages.count === 0) throw messageNotFound()
  return toJsonArray(rows)
}

/**
 * Adds the caller's reaction to a message, or removes it. Returns all reactions to the message.
 *
 * @throws ApiError 403; 404; 409 if the message was deleted; 429 after too many reactions
 */
export async function toggleReaction(
  caller: Caller,
  id: string,
  emoji: ReactionEmoji,
): Promise<JsonText<z.infer<typeof ReactionsResponse>>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select jsonb_build_object('reactions',
               private.toggle_reaction(${id}::text::uuid, ${emoji}::text))::text as item`,
  )
  if (!row) throw messageNotFound()
  return row.item
}
