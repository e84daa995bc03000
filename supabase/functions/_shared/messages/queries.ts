import type { ChatMessage, Conversation, SendMessageRequest } from '../contract/message.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser, type Sql } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { card, goneCard } from '../users/card.ts'
import { oneCount, selectUnread } from '../users/counters.ts'
import { userNotFound } from '../users/queries.ts'

/**
 * A `ChatMessage` as JSON text, of the message `m` and its receiver's read mark `r`. Within a block the policies hide
 * the other person's mark: what the caller sent then counts as unread.
 */
const message = sql`private.message_json(m, coalesce(m.seq <= r.last_read_seq, false))::text`
const readMark = sql`
  left join public.conversation_members r on r.conversation_id = m.conversation_id and r.user_id = m.receiver_id`

/** A part of the thread with one person: oldest first, the newest `limit`, or those before the message `before`. */
export async function readThread(
  caller: Caller,
  other: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Page<ChatMessage>> {
  const mine = sql`
    c.user_low = least(${caller.userId}::text, ${other}::text)::uuid
    and c.user_high = greatest(${caller.userId}::text, ${other}::text)::uuid`
  const [people, rows] = await asUser(caller, (tx) => [
    tx`select from public.profiles u where u.id = ${other}::text::uuid
         union all
         select from public.conversations c where ${mine}`,
    tx<PageRow[]>`
        select ${message} as item, m.id as key
        from public.conversations c
        join public.messages m on m.conversation_id = c.id
        ${readMark}
        where ${mine}
        ${
          before === undefined
            ? sql``
            : sql`and m.seq < (select b.seq from public.messages b
                               where b.id = ${before}::text::uuid and b.conversation_id = c.id)`
        }
        order by m.seq desc limit ${limit + 1}`,
  ])
  if (people.count === 0) throw userNotFound()
  const shown = rows.slice(0, limit)
  return {
    items: `[${shown
      .map((row) => row.item)
      .reverse()
      .join(',')}]`,
    next: rows.length > limit ? (shown.at(-1)?.key ?? null) : null,
  }
}

const selectMessage = (tx: Sql, caller: Caller, id: string, receiver: string) => tx<
  { item: JsonText<ChatMessage>; same: boolean }[]
>`
  select ${message} as item,
         m.sender_id = ${caller.userId}::text::uuid and m.receiver_id = ${receiver}::text::uuid as same
  from public.messages m ${readMark}
  where m.id = ${id}::text::uuid`

/** Sends a message once, however often it comes under the same id. `created` is false for the stored one. */
export async function sendMessage(
  caller: Caller,
  { id = crypto.randomUUID(), receiverId, content }: SendMessageRequest,
): Promise<{ created: boolean; item: JsonText<ChatMessage> }> {
  const [{ count }, [row]] = await asUser(caller, (tx) => [
    // A stored message is sent again for free, and whatever has changed between the two people since.
    tx`insert into public.messages (id, sender_id, receiver_id, content)
       select ${id}::text::uuid, ${caller.userId}::text::uuid, ${receiverId}::text::uuid, ${content}::text
       where not exists (select from public.messages m
                         where m.id = ${id}::text::uuid and m.sender_id = ${caller.userId}::text::uuid)`,
    selectMessage(tx, caller, id, receiverId),
  ])
  // The id is that of a message to or from somebody else.
  if (!row?.same) throw new ApiError(409, 'This id is taken.')
  return { created: count > 0, item: row.item }
}

/**
 * The caller's conversations, the latest first. A block hides a profile but not whom an old thread is with, so the
 * card comes from a function that knows this; of an account that is gone only its id is left.
 */
export async function listConversations(caller: Caller, range: Range): Promise<Page<Conversation>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select json_build_object(
               'otherUserId', c.other_id,
               'otherUser', case when u.id is not null then json_build_object(${card})
                                 else json_build_object(${goneCard(sql`c.other_id`)}) end,
               'lastMessage', case when m.id is not null then json_build_object(
                 'id', m.id, 'senderId', m.sender_id, 'content', m.content,
                 'createdAt', m.created_at) end,
               'isRead', c.unread_count = 0, 'unreadCount', c.unread_count,
               'canMessage', private.message_refusal(c.other_id) is null)::text as item,
             ${keyOf(sql`c.last_message_at`, sql`c.other_id`)} as key
      from public.conversation_members c
      left join lateral private.peer(c.other_id) u on true
      left join public.messages m on m.id = c.last_message_id
      where c.user_id = ${caller.userId}::text::uuid
      ${
        after
          ? sql`and (c.last_message_at, c.other_id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
          : sql``
      }
      order by c.last_message_at desc, c.other_id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** How many messages the caller has not read, in all conversations. */
export const countUnread = async (caller: Caller) =>
  oneCount(await asUser(caller, (tx) => selectUnread(tx, caller, 'messages')))

/** Marks the thread with one person read; answers what is unread after it. */
export async function markRead(caller: Caller, other: string) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.mark_conversation_read(${other}::text::uuid)`,
    selectUnread(tx, caller, 'messages'),
  ])
  return oneCount(rows)
}

/** Marks every thread of the caller read; answers what is unread after it. */
export async function markAllRead(caller: Caller) {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.mark_all_conversations_read()`,
    selectUnread(tx, caller, 'messages'),
  ])
  return oneCount(rows)
}
