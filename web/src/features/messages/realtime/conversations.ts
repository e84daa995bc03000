import type { UserEvent } from '@contract/events.ts'
import type { ChatMessage, Conversation } from '@contract/message.ts'

/** The conversation list as far as it was read, the latest first. */
export interface ConversationList {
  items: Conversation[]
  nextCursor: string | null
}

/**
 * Takes in the first page as read from the server. Conversations of later pages stay behind it, and one with a
 * newer message than the page knows, which arrived while the page was on its way, stays as it is.
 */
export function mergeFirstPage(list: ConversationList | undefined, page: ConversationList): ConversationList {
  if (!list) return page
  const held = new Map(list.items.map((one) => [one.otherUserId, one]))
  const fresh = page.items.map((one) => {
    const before = held.get(one.otherUserId)
    held.delete(one.otherUserId)
    return before && isNewer(before, one) ? before : one
  })
  // The whole list is on one page: what is not on it is gone.
  if (page.nextCursor === null) return { items: sorted(fresh), nextCursor: null }
  const more = list.items.length > page.items.length
  return {
    items: sorted([...fresh, ...held.values()]),
    nextCursor: more ? list.nextCursor : page.nextCursor,
  }
}

/** Takes in the page after what is held. */
export function mergeNextPage(list: ConversationList, page: ConversationList): ConversationList {
  const known = new Set(list.items.map((one) => one.otherUserId))
  return {
    items: sorted([...list.items, ...page.items.filter((one) => !known.has(one.otherUserId))]),
    nextCursor: page.nextCursor,
  }
}

/**
 * Takes in a message. `gap` says that the conversation is not held here: fetch the list. A message that is not
 * newer than the last one shown changes nothing, so a repeated event cannot mark a read conversation unread.
 */
export function applyMessageToList(
  list: ConversationList | undefined,
  news: { message: ChatMessage; otherUserId: string; unreadCount: number },
): { list: ConversationList | undefined; gap: boolean } {
  if (!list) return { list, gap: false }
  const at = list.items.findIndex((one) => one.otherUserId === news.otherUserId)
  const before = list.items[at]
  if (!before) return { list, gap: true }
  const { id, senderId, content, createdAt, deleted, imageWidth } = news.message
  const last = before.lastMessage
  if (last && (last.id === id || compareTimes(createdAt, last.createdAt) <= 0)) return { list, gap: false }
  const after: Conversation = {
    ...before,
    // A picture that is gone was one.
    lastMessage: { id, senderId, content, createdAt, deleted, hasImage: imageWidth !== null },
    unreadCount: news.unreadCount,
    isRead: news.unreadCount === 0,
  }
  return { list: { ...list, items: sorted(list.items.with(at, after)) }, gap: false }
}

/** Somebody read a thread: only the person's own reading, on any of their pages, changes their list. */
export function applyReadToList(
  list: ConversationList | undefined,
  event: Pick<UserEvent<'conversation.read'>, 'otherUserId' | 'readerId'>,
): ConversationList | undefined {
  if (event.readerId === event.otherUserId) return list
  const at = list?.items.findIndex((one) => one.otherUserId === event.otherUserId) ?? -1
  const before = list?.items[at]
  if (!list || !before || (before.isRead && before.unreadCount === 0)) return list
  return { ...list, items: list.items.with(at, { ...before, isRead: true, unreadCount: 0 }) }
}

/** Every conversation read, as 'Mark all read' leaves it. */
export function markAllRead(list: ConversationList | undefined): ConversationList | undefined {
  if (!list?.items.some((one) => !one.isRead || one.unreadCount > 0)) return list
  return { ...list, items: list.items.map((one) => ({ ...one, isRead: true, unreadCount: 0 })) }
}

function isNewer(a: Conversation, b: Conversation): boolean {
  return compareTimes(a.lastMessage?.createdAt ?? '', b.lastMessage?.createdAt ?? '') > 0
}

function sorted(items: Conversation[]): Conversation[] {
  return items.toSorted((a, b) =>
    compareTimes(b.lastMessage?.createdAt ?? '', a.lastMessage?.createdAt ?? ''),
  )
}

/** Orders two times; the database counts microseconds, which a `Date` drops, so the text settles a tie. */
function compareTimes(a: string, b: string): number {
  const difference = (Date.parse(a) || 0) - (Date.parse(b) || 0)
  if (difference !== 0) return difference
  return a < b ? -1 : a > b ? 1 : 0
}
