import { limits } from '@contract/limits.ts'
import type { ChatMessage, QuotedMessage } from '@contract/message.ts'

/** A thread as the page holds it: oldest first, from some message up to the newest, without a hole. */
export type Thread = ChatMessage[]

/** Older messages remain on the server: a conversation counts its messages from 1. */
export function hasOlder(thread: Thread): boolean {
  return (thread[0]?.seq ?? 1) > 1
}

/**
 * The later of two states of one message, in whatever order they were heard: the higher version, except that seen is
 * never unseen again and what was taken back stays so. Of two equal ones the known stays.
 */
export function newerVersion(known: ChatMessage, heard: ChatMessage): ChatMessage {
  const later =
    known.deleted !== heard.deleted
      ? known.deleted
        ? known
        : heard
      : heard.version > known.version
        ? heard
        : known
  const version = Math.max(known.version, heard.version)
  const isRead = known.isRead || heard.isRead
  return later.isRead === isRead && later.version === version ? later : { ...later, isRead, version }
}

/** A message as an answer to it shows it. */
export function toQuote(message: ChatMessage): QuotedMessage {
  const { id, seq, senderId, content, imageUrl, deleted } = message
  // Counted as the database counts: a sign of two halves is one character.
  return {
    id,
    seq,
    senderId,
    content: [...content].slice(0, limits.quoteLength).join(''),
    hasImage: imageUrl !== null,
    deleted,
  }
}

/** The answers to messages that are known show these as they are now; the very same array where that is no news. */
function followQuotes(thread: Thread, known: (id: string) => ChatMessage | undefined): Thread {
  let changed = false
  const followed = thread.map((message) => {
    const source = message.replyTo ? known(message.replyTo.id) : undefined
    if (!message.replyTo || !source) return message
    const now = toQuote(source)
    const { content, hasImage, deleted } = message.replyTo
    if (now.content === content && now.hasImage === hasImage && now.deleted === deleted) return message
    changed = true
    return { ...message, replyTo: now }
  })
  return changed ? followed : thread
}

/** Everything in either, each message in its later state, with the quotes that follow from it. */
export function mergeMessages(known: Thread, heard: Thread): Thread {
  const byId = new Map(known.map((message) => [message.id, message]))
  let changed = false
  for (const message of heard) {
    const before = byId.get(message.id)
    const after = before ? newerVersion(before, message) : message
    if (after === before) continue
    byId.set(message.id, after)
    changed = true
  }
  if (!changed) return known
  const all = [...byId.values()].sort((a, b) => a.seq - b.seq)
  return followQuotes(all, (id) => byId.get(id))
}

/**
 * Takes in the newest page as read from the server. What arrived while it was on its way stays; what lies so far
 * back that the page does not reach it is dropped, to be read again on scrolling up.
 */
export function mergeNewest(thread: Thread | undefined, page: Thread): Thread {
  const newest = page.at(-1)
  if (!thread || !newest) return thread ?? page
  return withoutHoleBefore(newest.seq, mergeMessages(thread, page))
}

/** Takes in a page that ends right before the oldest message held. */
export function mergeOlder(thread: Thread, page: Thread): Thread {
  return withoutHoleBefore(thread[0]?.seq ?? 1, mergeMessages(page, thread))
}

/**
 * Drops what lies before the last hole below the message number `seq`: messages count without a gap, and nobody
 * would ever read what is missing between two that are held.
 */
function withoutHoleBefore(seq: number, thread: Thread): Thread {
  const after = thread.findLastIndex((message, index) => {
    const before = thread[index - 1]
    return message.seq <= seq && before !== undefined && before.seq < message.seq - 1
  })
  return after > 0 ? thread.slice(after) : thread
}

/**
 * Takes in one message that was pushed or sent. `gap` says that messages before it are missing here: fetch them.
 * A message older than everything held is left to scrolling up, so that an old event cannot tear a hole.
 */
export function applyMessage(
  thread: Thread | undefined,
  message: ChatMessage,
): { thread: Thread | undefined; gap: boolean } {
  if (!thread) return { thread, gap: false }
  const first = thread[0]
  const last = thread.at(-1)
  const known = thread.some((one) => one.id === message.id)
  if (first && message.seq < first.seq && !known) return { thread, gap: false }
  const gap = message.seq > (last?.seq ?? 0) + 1
  return { thread: mergeMessages(thread, [message]), gap }
}

/**
 * Takes in what became of messages after they were sent. One that is not held changes only the answers to it: it is
 * no message of the thread's. Returns the very same array if nothing is news.
 */
export function applyChanges(thread: Thread, changes: Iterable<ChatMessage>): Thread {
  const byId = new Map([...changes].map((message) => [message.id, message]))
  if (byId.size === 0) return thread
  const after = mergeMessages(
    thread,
    thread.flatMap((message) => byId.get(message.id) ?? []),
  )
  // What is held is told from itself already; here is left what is quoted from outside of it.
  const held = new Set(after.map((message) => message.id))
  return followQuotes(after, (id) => (held.has(id) ? undefined : byId.get(id)))
}

/** The reader has seen everything addressed to them up to `lastReadSeq`. Returns the same array if that is no news. */
export function applyRead(
  thread: Thread | undefined,
  readerId: string,
  lastReadSeq: number,
): Thread | undefined {
  const isNews = (message: ChatMessage) =>
    !message.isRead && message.receiverId === readerId && message.seq <= lastReadSeq
  if (!thread?.some(isNews)) return thread
  return thread.map((message) => (isNews(message) ? { ...message, isRead: true } : message))
}
