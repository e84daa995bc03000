import type { UserEvent } from '@contract/events.ts'
import type { ChatMessage, Conversation, ConversationFilter } from '@contract/message.ts'

/** The loaded part of the conversation list, latest first. */
export interface ConversationList {
  items: Conversation[]
  nextCursor: string | null
}

/**
 * Merges the first page into the list. Conversations of later pages are kept and shown as offline, because the response
 * does not include their presence. A message that arrived during the request is kept, and a conversation that the user
 * read during the request stays read.
 *
 * @param before the list when the page was requested
 */
export function mergeFirstPage(
  list: ConversationList | undefined,
  page: ConversationList,
  before = list,
): ConversationList {
  if (!list) return page
  const { fetched, missing } = matchPage(list, page, before)
  // The page is the whole list: conversations that are not in it no longer exist.
  if (page.nextCursor === null) return { items: sortLatestFirst(fetched), nextCursor: null }
  return { items: sortLatestFirst([...fetched, ...missing]), nextCursor: laterCursor(list, page) }
}

/**
 * Merges the first page into a filtered list. Of the conversations that are missing from the page, these are kept:
 * those of later pages, those with a message that arrived during the request, the open one and, unless the filter is
 * `subscribers`, those that the user read or answered while the list was shown. The others no longer match the filter
 * or no longer exist.
 *
 * @param before the list when the page was requested
 * @param openUserId the other user of the open conversation
 */
export function mergeFilteredPage(
  list: ConversationList | undefined,
  page: ConversationList,
  {
    filter,
    before,
    openUserId,
  }: { filter: ConversationFilter; before: ConversationList | undefined; openUserId: string | null },
): ConversationList {
  if (!list) return page
  const { fetched, missing } = matchPage(list, page, before)
  const last = page.nextCursor === null ? undefined : page.items.at(-1)
  const lastMessageIds = new Map(before?.items.map((item) => [item.otherUserId, item.lastMessage?.id]))
  const kept = missing.flatMap((item) => {
    const isLater = last !== undefined && isAbove(last, item)
    const hasNewMessage = lastMessageIds.get(item.otherUserId) !== item.lastMessage?.id
    if (isLater || hasNewMessage) return [item]
    if (filter === 'subscribers') return item.otherUserId === openUserId ? [item] : []
    const handled = filter === 'unread' ? asRead(item) : { ...item, hasWritten: true }
    const isHandled = filter === 'unread' ? item.isRead : item.hasWritten
    return isHandled || item.otherUserId === openUserId ? [handled] : []
  })
  return {
    items: sortLatestFirst([...fetched, ...kept]),
    nextCursor: page.nextCursor === null ? null : laterCursor(list, page),
  }
}

/** Returns the conversations of the page, and those of the list that are missing from it. */
function matchPage(list: ConversationList, page: ConversationList, before: ConversationList | undefined) {
  const loaded = new Map(list.items.map((item) => [item.otherUserId, item]))
  const initiallyUnread = new Set(
    before?.items.filter(({ isRead }) => !isRead).map((item) => item.otherUserId),
  )
  const fetched = page.items.map((item) => {
    const current = loaded.get(item.otherUserId)
    loaded.delete(item.otherUserId)
    if (!current) return item
    if (!isAbove(current, item)) {
      const wasReadMeanwhile =
        current.isRead &&
        initiallyUnread.has(item.otherUserId) &&
        current.lastMessage?.id === item.lastMessage?.id
      return wasReadMeanwhile ? asRead(item) : item
    }
    return { ...current, presence: item.presence, hasWritten: current.hasWritten || item.hasWritten }
  })
  return { fetched, missing: [...loaded.values()].map(asOffline) }
}

/** Returns the cursor of the list if later pages are loaded, otherwise that of the page. */
function laterCursor(list: ConversationList, page: ConversationList): string | null {
  return list.items.length > page.items.length ? list.nextCursor : page.nextCursor
}

/** Appends the next page to the list. */
export function mergeNextPage(list: ConversationList, page: ConversationList): ConversationList {
  const loadedIds = new Set(list.items.map((item) => item.otherUserId))
  return {
    items: sortLatestFirst([...list.items, ...page.items.filter((item) => !loadedIds.has(item.otherUserId))]),
    nextCursor: page.nextCursor,
  }
}

/**
 * Adds a message to its conversation. `gap` is true if the conversation is not loaded and the list must be fetched. A
 * message that is not newer than the last one changes nothing, so that a repeated event cannot mark a read conversation
 * unread.
 */
export function applyMessageToList(
  list: ConversationList | undefined,
  update: { message: ChatMessage; otherUserId: string; unreadCount: number },
): { list: ConversationList | undefined; gap: boolean } {
  if (!list) return { list, gap: false }
  const index = list.items.findIndex((item) => item.otherUserId === update.otherUserId)
  const current = list.items[index]
  if (!current) return { list, gap: true }
  const { id, createdAt, senderId } = update.message
  const last = current.lastMessage
  if (last && (last.id === id || compareTimes(createdAt, last.createdAt) <= 0)) return { list, gap: false }
  const updated: Conversation = {
    ...current,
    lastMessage: { id, senderId, createdAt, ...previewFields(update.message) },
    unreadCount: update.unreadCount,
    isRead: update.unreadCount === 0,
    hasWritten: current.hasWritten || senderId !== update.otherUserId,
  }
  return { list: { ...list, items: sortLatestFirst(list.items.with(index, updated)) }, gap: false }
}

/** Applies a change to a message if the message is the last one of its conversation. */
export function applyChangeToList(
  list: ConversationList | undefined,
  update: { message: ChatMessage; otherUserId: string },
): ConversationList | undefined {
  const index = list?.items.findIndex((item) => item.otherUserId === update.otherUserId) ?? -1
  const current = list?.items[index]
  const last = current?.lastMessage
  if (!list || !current || last?.id !== update.message.id) return list
  const preview = previewFields(update.message)
  const isUnchanged =
    last.content === preview.content &&
    last.deleted === preview.deleted &&
    last.hasImage === preview.hasImage &&
    last.isLocked === preview.isLocked
  if (isUnchanged || (last.deleted && !preview.deleted)) return list
  const lastMessage = { ...last, ...preview }
  return { ...list, items: list.items.with(index, { ...current, lastMessage }) }
}

const previewFields = ({ content, deleted, imageUrl, paidPhoto, voice }: ChatMessage) => ({
  content,
  deleted,
  hasImage: imageUrl !== null || paidPhoto !== null,
  isLocked: paidPhoto?.unlocked === false,
  voiceSeconds: voice?.seconds ?? null,
})

/** Marks a conversation as read if the user read it, in any tab. What the other user reads changes nothing. */
export function applyReadToList(
  list: ConversationList | undefined,
  event: Pick<UserEvent<'conversation.read'>, 'otherUserId' | 'readerId'>,
): ConversationList | undefined {
  if (event.readerId === event.otherUserId) return list
  const index = list?.items.findIndex((item) => item.otherUserId === event.otherUserId) ?? -1
  const current = list?.items[index]
  if (!list || !current || (current.isRead && current.unreadCount === 0)) return list
  return { ...list, items: list.items.with(index, asRead(current)) }
}

/** Returns the list with every conversation marked as read; the same object if nothing changes. */
export function markAllRead(list: ConversationList | undefined): ConversationList | undefined {
  if (!list?.items.some((item) => !item.isRead || item.unreadCount > 0)) return list
  return { ...list, items: list.items.map(asRead) }
}

function asRead(conversation: Conversation): Conversation {
  return { ...conversation, isRead: true, unreadCount: 0 }
}

function asOffline(conversation: Conversation): Conversation {
  if (!conversation.presence.online) return conversation
  return { ...conversation, presence: { ...conversation.presence, online: false } }
}

const lastMessageTime = (conversation: Conversation) => conversation.lastMessage?.createdAt ?? ''

/**
 * Returns whether `a` is above `b` in the list. The user's id breaks ties, as on the server: conversations that contain
 * only mass messages have no time.
 */
function isAbove(a: Conversation, b: Conversation): boolean {
  const timeOrder = compareTimes(lastMessageTime(a), lastMessageTime(b))
  return (timeOrder || compareTexts(a.otherUserId, b.otherUserId)) > 0
}

/**
 * Sorts by the last message, like `isAbove`. Parses each timestamp only once, because a list can be long and is sorted
 * for every new message.
 */
function sortLatestFirst(items: Conversation[]): Conversation[] {
  return items
    .map((item) => ({ item, text: lastMessageTime(item), timeMs: Date.parse(lastMessageTime(item)) || 0 }))
    .sort(
      (a, b) =>
        b.timeMs - a.timeMs ||
        compareTexts(b.text, a.text) ||
        compareTexts(b.item.otherUserId, a.item.otherUserId),
    )
    .map(({ item }) => item)
}

/** Compares two timestamps. The text breaks ties, because `Date` drops the microseconds of the database. */
function compareTimes(a: string, b: string): number {
  return (Date.parse(a) || 0) - (Date.parse(b) || 0) || compareTexts(a, b)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
