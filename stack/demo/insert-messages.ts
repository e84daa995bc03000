import type { TransactionSql } from 'postgres'
import type { DemoConversation } from './conversations.ts'
import { rowsOf, uidOf } from './insert-people.ts'
import type { DemoPicture } from './pictures/posts.ts'

/** The conversations with their messages, what became of them and their pictures, and each person's row of them. */
export async function insertConversations(
  tx: TransactionSql,
  conversations: DemoConversation[],
  pictures: Map<string, DemoPicture>,
): Promise<void> {
  const threads = conversations.map(({ id, between, messages, changes }) => {
    const [low, high] = between.map(uidOf).sort()
    return { id, low, high, last: messages.length, changes, at: messages[0]?.at }
  })
  await tx`
    insert into public.conversations (id, user_low, user_high, last_seq, last_change, created_at)
    select r.id, r.low, r.high, r.last, r.changes, r.at from jsonb_to_recordset(${rowsOf(threads)}::text::jsonb)
      as r (id uuid, low uuid, high uuid, last bigint, changes bigint, at timestamptz)`
  await insertMessages(tx, conversations, pictures)
  await insertMembers(tx, conversations)
}

async function insertMessages(
  tx: TransactionSql,
  conversations: DemoConversation[],
  pictures: Map<string, DemoPicture>,
): Promise<void> {
  const rows = rowsOf(
    conversations.flatMap(({ id, messages }) =>
      messages.map((message) => {
        const picture = pictures.get(message.id)
        return {
          ...picture,
          ...message,
          media: picture?.id,
          conversation: id,
          sender: uidOf(message.sender),
          receiver: uidOf(message.receiver),
          reactions: message.reactions.map(({ emoji, user }) => ({ emoji, userId: uidOf(user) })),
        }
      }),
    ),
  )
  await tx`
    insert into public.media
      (id, owner_id, kind, state, path, content_type, bytes, width, height, placeholder, created_at)
    select r.media, r.sender, 'image', 'ready', r.path, 'image/png', r.bytes, r.width, r.height, r.placeholder, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (media uuid, sender uuid, path text, bytes bigint,
      width integer, height integer, placeholder text, at timestamptz)
    where r.media is not null`
  await tx`
    insert into public.messages (id, conversation_id, seq, sender_id, receiver_id, content, created_at, reply_to_id,
      reactions, version, edited_at, deleted_at, media_id, media_width, media_height, placeholder)
    select r.id, r.conversation, r.seq, r.sender, r.receiver, r.content, r.at, r.answers,
      r.reactions, r.version, r."editedAt", r."deletedAt", r.media, r.width, r.height, r.placeholder
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, conversation uuid, seq bigint, sender uuid,
      receiver uuid, content text, at timestamptz, answers uuid, reactions jsonb, version bigint,
      "editedAt" timestamptz, "deletedAt" timestamptz, media uuid, width integer, height integer, placeholder text)`
}

async function insertMembers(tx: TransactionSql, conversations: DemoConversation[]): Promise<void> {
  const members = conversations.flatMap(({ id, between, messages, unread }) =>
    between.map((user) => {
      const last = messages.at(-1)
      const waiting = last?.receiver === user ? unread : 0
      return {
        user: uidOf(user),
        other: uidOf(between[0] === user ? between[1] : between[0]),
        conversation: id,
        message: last?.id,
        at: last?.at,
        // The sender of what is unread had read all there was before it.
        read: messages.length - unread,
        waiting,
        written: messages.some((one) => one.sender === user),
        since: waiting > 0 ? messages.at(-waiting)?.at : null,
      }
    }),
  )
  await tx`
    insert into public.conversation_members
      (user_id, other_id, conversation_id, last_message_id, last_message_at, last_read_seq, unread_count,
       unread_since, has_written)
    select r.user, r.other, r.conversation, r.message, r.at, r.read, r.waiting, r.since, r.written
    from jsonb_to_recordset(${rowsOf(members)}::text::jsonb) as r ("user" uuid, other uuid, conversation uuid,
      message uuid, at timestamptz, read bigint, waiting integer, since timestamptz,
      written boolean)`
}
