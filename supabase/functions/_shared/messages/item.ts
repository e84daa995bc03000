import type { ChatMessage } from '../contract/message.ts'
import { sql } from '../db/page.ts'
import type { Sql } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'

/**
 * A `ChatMessage` as JSON, of the message `m` and its receiver's read mark `r`. Within a block the policies hide the
 * other person's mark: what the caller sent then counts as unread.
 */
export const message = sql`private.message_json(m, coalesce(m.seq <= r.last_read_seq, false))`

/** Joins the mark that `message` wants. */
export const readMark = sql`
  left join public.conversation_members r on r.conversation_id = m.conversation_id and r.user_id = m.receiver_id`

/** One message of the caller's conversations, as it is by then; no row for any other. */
export const selectMessage = (tx: Sql, id: string) => tx<
  { item: JsonText<ChatMessage>; senderId: string; receiverId: string }[]
>`
  select ${message}::text as item, m.sender_id as "senderId", m.receiver_id as "receiverId"
  from public.messages m ${readMark}
  where m.id = ${id}::text::uuid`

export const messageNotFound = () => notFound('Message not found')
