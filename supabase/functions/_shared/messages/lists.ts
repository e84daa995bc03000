import type { Conversation } from '../contract/message.ts'
import { keyOf, type PageRow, type Range, sql, toPage } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { card, goneCard } from '../users/card.ts'

/**
 * The caller's conversations, the latest first. A block hides a profile but not whom an old thread is with, so the
 * card comes from a function that knows this; of an account that is gone only its id is left.
 */
export async function listConversations(caller: Caller, range: Range): Promise<Page<Conversation>> {
  const { limit, offset, after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select json_build_object(
               'otherUserId', c.other_id,
               'otherUser', case when u.id is not null then json_build_object(${card})
                                 else json_build_object(${goneCard(sql`c.other_id`)}) end,
               'lastMessage', last.item,
               'isRead', c.unread_count = 0, 'unreadCount', c.unread_count,
               'canMessage', private.message_refusal(c.other_id) is null, 'hasWritten', c.has_written,
               'presence', private.presence_of(c.other_id))::text as item,
             ${keyOf(sql`c.last_message_at`, sql`c.other_id`)} as key
      from private.latest_conversations(
        ${after?.at ?? null}::text::timestamptz, ${after?.id ?? null}::text::uuid, ${limit + offset + 1}::int
      ) c
      left join lateral private.peer(c.other_id) u on true
      left join lateral (
        select json_build_object(
          'id', m.id, 'senderId', m.sender_id, 'content', m.content, 'hasImage', m.media_id is not null,
          'deleted', m.deleted_at is not null, 'createdAt', m.created_at) as item
        from public.messages m where m.id = c.last_message_id limit 1
      ) last on true
      order by c.last_message_at desc, c.other_id desc offset ${offset}::int`,
  )
  return toPage(rows, range)
}
