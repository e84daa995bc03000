import type { UserEvent } from '@contract/events.ts'
import type { ChatMessage, Conversation } from '@contract/message.ts'

/** The conversation list as far as it was read, the latest first. */
export interface ConversationList {
  items: Conversation[]
  nextCursor: string | null
}

/**
 * Takes in the first page as read from the server. Conversations of later pages stay behind it, and one with a
 * newer message than the page knows, which arrived while the page was on its way, stays as it is. Of those behind
 * it nobody said again that they are online.
 */
export function mergeFirstPage(list: ConversationList | undefined, page: ConversationList): ConversationList {
  if (!list) return page
  const held = new Map(list.items.map((one) => [one.otherUserId, one]))
  const fresh = page.items.map((one) => {
    const before = held.get(one.otherUserId)
    held.delete(one.otherUserId)
    if (!before || !isNewer(before, one)) return one
    return { ...before, presence: one.presence, hasWritten: before.hasWritten || one.hasWritten }
  })
  // The whole list is on one page: what is not on it is gone.
  if (page.nextCursor === null) return { items: sorted(fresh), nextCursor: null }
  const more = list.items.length > page.items.length
  return {
    items: sorted([...fresh, ...[...held.values()].map(left)]),
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
  const { id, senderId, content, createdAt, deleted, imageUrl } = news.message
  const last = before.lastMessage
  if (last && (last.id === id || compareTimes(createdAt, last.createdAt) <= 0)) return { list, gap: false }
  const after: Conversation = {
    ...before,
    lastMessage: { id, senderId, content, createdAt, deleted, hasImage: imageUrl !== null },
    unreadCount: news.unreadCount,
    isRead: news.unreadCount === 0,
    hasWritten: before.hasWritten || senderId !== news.otherUserId,
  }
  return { list: { ...list, items: sorted(list.items.with(at, after)) }, gap: false }
}

/** A message is not what it was: where it is a conversation's last one, the list shows it as it is now. */
export function applyChangeToList(
  list: ConversationList | undefined,
  news: { message: ChatMessage; otherUserId: string },
): ConversationList | undefined {
  const at = list?.items.findIndex((one) => one.otherUserId === news.otherUserId) ?? -1
  const before = list?.items[at]
  const last = before?.lastMessage
  const { id, content, deleted, imageUrl } = news.message
  if (!list || !before || last?.id !== id) return list
  const hasImage = imageUrl !== null
  const same = last.content === content && last.deleted === deleted && last.hasImage === hasImage
  if (same || (last.deleted && !deleted)) return list
  const lastMessage = { ...last, content, deleted, hasImage }
  return { ...list, items: list.items.with(at, { ...before, lastMessage }) }
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

function left(conversation: Conversation): Conversation {
  if (!conversation.presence.online) return conversation
  return { ...conversation, presence: { ...conversation.presence, online: false } }
}

const timeOf = (conversation: Conversation) => conversation.lastMessage?.createdAt ?? ''

function isNewer(a: Conversation, b: Conversation): boolean {
  return compareTimes(timeOf(a), timeOf(b)) > 0
}

/** The latest first. Each time is read once: lists are long, and this runs with every message. */
function sorted(items: Conversation[]): Conversation[] {
  return items
    .map((item) => ({ item, text: timeOf(item), at: Date.parse(timeOf(item)) || 0 }))
    .sort((a, b) => b.at - a.at || compareTexts(b.text, a.text))
    .map(({ item }) => item)
}

/** Orders two times; the database counts microseconds, which a `Date` drops, so the text settles a tie. */
function compareTimes(a: string, b: string): number {
  return (Date.parse(a) || 0) - (Date.parse(b) || 0) || compareTexts(a, b)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
