import type { ChatMessage } from '@contract/message.ts'

/** A thread as the page holds it: oldest first, from some message up to the newest, without a hole. */
export type Thread = ChatMessage[]

/** Older messages remain on the server: a conversation counts its messages from 1. */
export function hasOlder(thread: Thread): boolean {
  return (thread[0]?.seq ?? 1) > 1
}

/** Seen is never unseen again, in whatever order the news arrive. */
function merge(known: ChatMessage, heard: ChatMessage): ChatMessage {
  if (known.isRead || !heard.isRead) return known
  return { ...known, isRead: true }
}

function union(known: Thread, heard: Thread): Thread {
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of heard) {
    const before = byId.get(message.id)
    byId.set(message.id, before ? merge(before, message) : message)
  }
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

/**
 * Takes in the newest page as read from the server. What arrived while it was on its way stays; what lies so far
 * back that the page does not reach it is dropped, to be read again on scrolling up.
 */
export function mergeNewest(thread: Thread | undefined, page: Thread): Thread {
  const newest = page.at(-1)
  if (!thread || !newest) return thread ?? page
  return withoutHoleBefore(newest.seq, union(thread, page))
}

/** Takes in a page that ends right before the oldest message held. */
export function mergeOlder(thread: Thread, page: Thread): Thread {
  return withoutHoleBefore(thread[0]?.seq ?? 1, union(page, thread))
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
  return { thread: union(thread, [message]), gap }
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
