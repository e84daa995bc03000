import type { TransactionSql } from 'postgres'
import {
  type ConversationText,
  conversationTexts,
  type MessageDetails,
  messageDetails,
  noorsWelcomeMessage,
} from './content/conversations.ts'
import { creatorUsername, idOf, userIdOf } from './ids.ts'
import type { DemoPicture } from './pictures.ts'
import { createRandom } from './random.ts'
import { dayMs, hourMs, minuteMs } from './time.ts'

interface DemoMessage {
  id: string
  sender: string
  receiver: string
  seq: number
  /** Empty if deleted. */
  content: string
  at: Date
  /** The id of the message that this one replies to. */
  repliesTo?: string
  reactions: { emoji: string; user: string }[]
  hasPicture: boolean
  /** The price of a locked picture in US dollars. */
  price?: number
  editedAt?: Date
  deletedAt?: Date
  /** The number of this message's last change, counted within the conversation; 0 if it never changed. */
  version: number
}

export interface DemoConversation {
  id: string
  between: [string, string]
  /** Oldest first, numbered from 1. */
  messages: DemoMessage[]
  unread: number
  /** The number of changes to its messages. */
  changes: number
}

/** Creates the conversations, with times counted back from `now`. */
export function makeConversations(now: Date): DemoConversation[] {
  const random = createRandom(7)
  return conversationTexts.map((text) => {
    const turns = parseTurns(text)
    const name = text.between.join(' ')
    let at = now.getTime() - text.ended * hourMs
    const messages: DemoMessage[] = []
    for (const [index, turn] of [...turns.entries()].reverse()) {
      messages.unshift({
        id: idOf('message', `${name} ${index}`),
        sender: turn.from,
        receiver: turn.from === text.between[0] ? text.between[1] : text.between[0],
        seq: index + 1,
        content: turn.content,
        at: new Date(at),
        reactions: [],
        hasPicture: false,
        version: 0,
      })
      // A reply takes longer than a second message from the same sender, and long messages take longer to write.
      const isReply = turns[index - 1]?.from !== turn.from
      const seconds = random.between(isReply ? 25 : 6, isReply ? 190 : 45)
      at -= turn.pauseMs + turn.content.length * 160 + seconds * 1000
    }
    const changes = applyDetails(text, messages)
    return {
      id: idOf('conversation', name),
      between: text.between,
      messages,
      unread: text.unread ?? 0,
      changes,
    }
  })
}

/** Applies replies, reactions, pictures, links to posts, edits and deletions. Returns the number of changes. */
function applyDetails({ between }: ConversationText, messages: DemoMessage[]): number {
  let changes = 0
  for (const details of messageDetails.filter(({ between: pair }) => pair.join() === between.join())) {
    const message = findMessage(messages, details.begins)
    if (details.repliesTo !== undefined) message.repliesTo = findMessage(messages, details.repliesTo).id
    message.hasPicture = details.hasPicture === true
    if (details.price !== undefined) message.price = details.price
    if (details.post !== undefined) message.content += `\n/post/${idOf('post', details.post)}`
    message.reactions = (details.reactions ?? []).map(([user, emoji]) => ({ emoji, user }))
    changeText(message, details)
    const count = message.reactions.length + (details.became ? 1 : 0)
    changes += count
    if (count > 0) message.version = changes
  }
  return changes
}

function changeText(message: DemoMessage, { became }: MessageDetails): void {
  const changedAt = new Date(message.at.getTime() + 90_000)
  if (became === 'edited') message.editedAt = changedAt
  if (became === 'deleted') Object.assign(message, { deletedAt: changedAt, content: '' })
}

function findMessage(messages: DemoMessage[], begins: string): DemoMessage {
  const [found, ...others] = messages.filter(({ content }) => content.startsWith(begins))
  if (!found || others.length > 0) throw new Error(`Expected one message that begins with "${begins}".`)
  return found
}

interface Turn {
  from: string
  content: string
  /** The pause before this message. */
  pauseMs: number
}

const unitMs: Record<string, number> = { m: minuteMs, h: hourMs, d: dayMs }

function parseTurns(text: ConversationText): Turn[] {
  const turns: Turn[] = []
  let pauseMs = 0
  for (const line of text.lines.trim().split('\n')) {
    const pause = /^-- (\d+)([mhd])$/.exec(line)
    if (pause) pauseMs = Number(pause[1]) * (unitMs[pause[2] ?? ''] ?? 0)
    else if (line.startsWith('> ') || line.startsWith('< ')) {
      turns.push({ from: text.between[line.startsWith('>') ? 0 : 1], content: line.slice(2), pauseMs })
      pauseMs = 0
    } else {
      const last = turns.at(-1)
      if (!last) throw new Error(`The conversation of ${text.between.join(' and ')} starts without a sender.`)
      last.content += `\n${line}`
    }
  }
  const unread = turns.slice(turns.length - (text.unread ?? 0))
  if (unread.some((turn) => turn.from !== unread[0]?.from)) {
    throw new Error(`The unread messages of ${text.between.join(' and ')} have more than one sender.`)
  }
  return turns
}

/**
 * Inserts conversations, messages, members and the welcome message directly, because sending the messages would
 * broadcast them.
 */
export async function insertConversations(
  tx: TransactionSql,
  conversations: DemoConversation[],
  pictures: Map<string, DemoPicture>,
): Promise<void> {
  const conversationRows = conversations.map(({ id, between, messages, changes }) => {
    const [low, high] = between.map(userIdOf).sort()
    return { id, low, high, last: messages.length, changes, at: messages[0]?.at }
  })
  await tx`
    insert into public.conversations (id, user_low, user_high, last_seq, last_change, created_at)
    select r.id, r.low, r.high, r.last, r.changes, r.at
    from jsonb_to_recordset(${JSON.stringify(conversationRows)}::text::jsonb)
      as r (id uuid, low uuid, high uuid, last bigint, changes bigint, at timestamptz)`
  const messageRows = conversations.flatMap(({ id, messages }) =>
    messages.map((message) => ({
      ...message,
      media: pictures.get(message.id)?.id,
      conversation: id,
      sender: userIdOf(message.sender),
      receiver: userIdOf(message.receiver),
      reactions: message.reactions.map(({ emoji, user }) => ({ emoji, userId: userIdOf(user) })),
    })),
  )
  await tx`
    insert into public.messages (id, conversation_id, seq, sender_id, receiver_id, content, created_at, reply_to_id,
      reactions, version, edited_at, deleted_at, media_id, media_width, media_height, placeholder, price_cents)
    select r.id, r.conversation, r.seq, r.sender, r.receiver, r.content, r.at, r."repliesTo",
      r.reactions, r.version, r."editedAt", r."deletedAt", case when r.price is null then m.id end, m.width, m.height,
      m.placeholder, r.price * 100
    from jsonb_to_recordset(${JSON.stringify(messageRows)}::text::jsonb) as r (id uuid, conversation uuid, seq bigint,
      sender uuid, receiver uuid, content text, at timestamptz, "repliesTo" uuid, reactions jsonb, version bigint,
      "editedAt" timestamptz, "deletedAt" timestamptz, media uuid, price numeric)
    left join public.media m on m.id = r.media`
  const paidPhotos = messageRows.filter(({ price }) => price !== undefined)
  await tx`
    insert into private.paid_photos (message_id, media_id)
    select r.id, r.media from jsonb_to_recordset(${JSON.stringify(paidPhotos)}::text::jsonb) as r (id uuid, media uuid)`
  await insertMembers(tx, conversations)
  await tx`
    insert into public.welcome_messages (creator_id, content)
    values (${userIdOf(creatorUsername)}, ${noorsWelcomeMessage})`
}

async function insertMembers(tx: TransactionSql, conversations: DemoConversation[]): Promise<void> {
  const rows = conversations.flatMap(({ id, between, messages, unread }) =>
    between.map((user) => {
      const last = messages.at(-1)
      const unreadCount = last?.receiver === user ? unread : 0
      return {
        user: userIdOf(user),
        other: userIdOf(between[0] === user ? between[1] : between[0]),
        conversation: id,
        message: last?.id,
        at: last?.at,
        // Both users have read all messages before the unread ones.
        read: messages.length - unread,
        unreadCount,
        hasWritten: messages.some((message) => message.sender === user),
        unreadSince: unreadCount > 0 ? messages.at(-unreadCount)?.at : null,
      }
    }),
  )
  await tx`
    insert into public.conversation_members
      (user_id, partner_id, conversation_id, last_message_id, last_message_at, last_read_seq, unread_count,
       unread_since, has_written)
    select r.user, r.other, r.conversation, r.message, r.at, r.read, r."unreadCount", r."unreadSince", r."hasWritten"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r ("user" uuid, other uuid, conversation uuid,
      message uuid, at timestamptz, read bigint, "unreadCount" integer, "unreadSince" timestamptz,
      "hasWritten" boolean)`
}
