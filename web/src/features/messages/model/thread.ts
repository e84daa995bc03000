import { limits } from '@contract/limits.ts'
import type { ChatMessage, QuotedMessage } from '@contract/message.ts'

/** The loaded part of a thread: oldest first, up to the newest message, without gaps. */
export type Thread = ChatMessage[]

/** Returns true if the server has older messages: the messages of a conversation are numbered from 1. */
export function hasOlder(thread: Thread): boolean {
  return (thread[0]?.seq ?? 1) > 1
}

/**
 * Merges the newest page into the thread. Messages that arrived during the request stay. Messages that the page does
 * not connect to are dropped; scrolling up loads them again.
 */
export function mergeNewest(thread: Thread | undefined, page: Thread): Thread {
  const newest = page.at(-1)
  if (!thread || !newest) return thread ?? page
  return dropBeforeLastGap(newest.seq, mergeMessages(thread, page))
}

/** Merges a page of older messages into the thread. Drops a page that does not connect to the oldest loaded message. */
export function mergeOlder(thread: Thread, page: Thread): Thread {
  return dropBeforeLastGap(thread[0]?.seq ?? 1, mergeMessages(page, thread))
}

/** Drops the messages before the last gap at or below `seq`, because the missing messages would never be loaded. */
function dropBeforeLastGap(seq: number, thread: Thread): Thread {
  const start = thread.findLastIndex((message, index) => {
    const previous = thread[index - 1]
    return message.seq <= seq && previous !== undefined && previous.seq < message.seq - 1
  })
  return start > 0 ? thread.slice(start) : thread
}

/**
 * Adds one message that was received or sent. `gap` is true if messages before it are missing and must be fetched. A
 * message older than the loaded ones is ignored, so that a late event cannot create a gap.
 */
export function applyMessage(
  thread: Thread | undefined,
  message: ChatMessage,
): { thread: Thread | undefined; gap: boolean } {
  if (!thread) return { thread, gap: false }
  const first = thread[0]
  const last = thread.at(-1)
  const isLoaded = thread.some(({ id }) => id === message.id)
  if (first && message.seq < first.seq && !isLoaded) return { thread, gap: false }
  const gap = message.seq > (last?.seq ?? 0) + 1
  return { thread: mergeMessages(thread, [message]), gap }
}

/**
 * Applies later versions of messages. A message that is not loaded is not added; it only updates the replies that quote
 * it. Returns the same array if nothing changes.
 */
export function applyChanges(thread: Thread, changes: Iterable<ChatMessage>): Thread {
  const byId = new Map([...changes].map((message) => [message.id, message]))
  if (byId.size === 0) return thread
  const merged = mergeMessages(
    thread,
    thread.flatMap((message) => byId.get(message.id) ?? []),
  )
  // `mergeMessages` has updated the quotes of loaded messages; this updates the quotes of the others.
  const loadedIds = new Set(merged.map((message) => message.id))
  return updateQuotes(merged, (id) => (loadedIds.has(id) ? undefined : byId.get(id)))
}

/** Marks the messages to `readerId` up to `lastReadSeq` as read. Returns the same array if nothing changes. */
export function applyRead(
  thread: Thread | undefined,
  readerId: string,
  lastReadSeq: number,
): Thread | undefined {
  const isNewlyRead = (message: ChatMessage) =>
    !message.isRead && message.receiverId === readerId && message.seq <= lastReadSeq
  if (!thread?.some(isNewlyRead)) return thread
  return thread.map((message) => (isNewlyRead(message) ? { ...message, isRead: true } : message))
}

/** Merges two lists, keeps the newer version of each message and updates quotes. Returns `thread` if unchanged. */
function mergeMessages(thread: Thread, received: Thread): Thread {
  const byId = new Map(thread.map((message) => [message.id, message]))
  let changed = false
  for (const message of received) {
    const current = byId.get(message.id)
    const merged = current ? newerVersion(current, message) : message
    if (merged === current) continue
    byId.set(message.id, merged)
    changed = true
  }
  if (!changed) return thread
  const all = [...byId.values()].sort((a, b) => a.seq - b.seq)
  return updateQuotes(all, (id) => byId.get(id))
}

/**
 * Returns the newer of two versions of a message, regardless of the order in which they were received. A deleted
 * message stays deleted and a read one stays read, even if the version number of that change is not known yet. Of two
 * equal versions, returns `current`.
 */
export function newerVersion(current: ChatMessage, received: ChatMessage): ChatMessage {
  const newer =
    current.deleted !== received.deleted
      ? current.deleted
        ? current
        : received
      : received.version > current.version
        ? received
        : current
  const version = Math.max(current.version, received.version)
  const isRead = current.isRead || received.isRead
  return newer.isRead === isRead && newer.version === version ? newer : { ...newer, isRead, version }
}

/** Returns a message as the quote that its replies contain. */
export function toQuote(message: ChatMessage): QuotedMessage {
  const { id, seq, senderId, content, imageUrl, paidPhoto, voice, deleted } = message
  return {
    id,
    seq,
    senderId,
    // Counts code points instead of UTF-16 code units, because the database also counts code points.
    content: [...content].slice(0, limits.quoteLength).join(''),
    hasImage: imageUrl !== null || paidPhoto !== null,
    voiceSeconds: voice?.seconds ?? null,
    deleted,
  }
}

/** Updates the quotes of the messages that `findMessage` finds. Returns the same array if nothing changes. */
function updateQuotes(thread: Thread, findMessage: (id: string) => ChatMessage | undefined): Thread {
  let changed = false
  const updated = thread.map((message) => {
    const source = message.replyTo ? findMessage(message.replyTo.id) : undefined
    if (!message.replyTo || !source) return message
    const quote = toQuote(source)
    const { content, hasImage, deleted } = message.replyTo
    if (quote.content === content && quote.hasImage === hasImage && quote.deleted === deleted) return message
    changed = true
    return { ...message, replyTo: quote }
  })
  return changed ? updated : thread
}

/**
 * A part of a thread around an older message, separate from the live thread because the messages between the two are
 * not loaded.
 */
export interface ThreadWindow {
  /** Oldest first, without gaps. */
  messages: ChatMessage[]
}

/** Returns true if the window overlaps or adjoins the live thread, so that they can be merged without a gap. */
export function touchesThread(window: ThreadWindow, thread: Thread): boolean {
  const [first, last] = [window.messages[0], window.messages.at(-1)]
  const [oldest, newest] = [thread[0], thread.at(-1)]
  if (!first || !last || !oldest || !newest) return false
  return last.seq >= oldest.seq - 1 && first.seq <= newest.seq + 1
}

/** Extends the window by a page of older or newer messages. Ignores a page that no longer adjoins the window. */
export function mergeIntoWindow(window: ThreadWindow, page: ChatMessage[]): ThreadWindow {
  const [first, last] = [window.messages[0], window.messages.at(-1)]
  const [pageFirst, pageLast] = [page[0], page.at(-1)]
  if (!first || !last || !pageFirst || !pageLast) return window
  if (pageLast.seq < first.seq - 1 || pageFirst.seq > last.seq + 1) return window
  return { messages: mergeMessages(window.messages, page) }
}

/** Returns true if a page of newer messages is the last one: it is not full. */
export function isEndOfThread(page: ChatMessage[]): boolean {
  return page.length < limits.page.messages
}

/**
 * The changes to messages of one conversation that this tab has received. Their numbers (`version`) have no gaps, so a
 * missing number is a missed change.
 */
export interface ChangeLog {
  /** Every change up to this number was received. */
  upTo: number
  /** The numbers of the received changes beyond the first gap, ascending. */
  early: readonly number[]
  /**
   * The latest version of each changed message by id, including messages that are not loaded. An older version in a
   * response or event that was in flight must not replace it.
   */
  latest: ReadonlyMap<string, ChatMessage>
}

/** The maximum size of `latest`: entries are needed only while older responses are in flight. */
const maxLoggedMessages = 500

/** Returns the log of a conversation whose messages were fetched with all changes up to `version`. */
export function createChangeLog(version: number): ChangeLog {
  return { upTo: version, early: [], latest: new Map() }
}

export function highestVersion(messages: Iterable<ChatMessage>): number {
  let highest = 0
  for (const { version } of messages) highest = Math.max(highest, version)
  return highest
}

/**
 * Records a change event. `missed` is true if the event reveals a new gap. The caller must then fetch the changes
 * after `upTo`.
 */
export function recordChange(log: ChangeLog, message: ChatMessage): { log: ChangeLog; missed: boolean } {
  const { upTo, early } = log
  const latest = logMessages(log.latest, [message])
  const version = message.version
  if (version <= upTo || early.includes(version)) return { log: { ...log, latest }, missed: false }
  const versions = [...early, version].sort((a, b) => a - b)
  const missed = version > upTo + 1 && version > (early.at(-1) ?? upTo) + 1
  return { log: { ...advance(upTo, versions), latest }, missed }
}

/** Records a response with all changes up to `upTo`. `messages` are the current versions of the changed messages. */
export function completeChanges(log: ChangeLog, messages: ChatMessage[], upTo: number): ChangeLog {
  return {
    ...advance(Math.max(log.upTo, upTo), log.early),
    latest: logMessages(log.latest, messages),
  }
}

/** Returns the messages and their quotes with all logged changes. */
export function withLoggedChanges(log: ChangeLog | undefined, messages: ChatMessage[]): ChatMessage[] {
  return log ? applyChanges(messages, log.latest.values()) : messages
}

/** Advances `upTo` over the versions that follow it without a gap. */
function advance(upTo: number, versions: readonly number[]): Pick<ChangeLog, 'upTo' | 'early'> {
  let reached = upTo
  const early: number[] = []
  for (const version of versions) {
    if (version === reached + 1) reached = version
    else if (version > reached) early.push(version)
  }
  return { upTo: reached, early }
}

/** Adds messages as the most recent entries and drops the oldest entries over the limit. */
function logMessages(latest: ChangeLog['latest'], messages: ChatMessage[]): ChangeLog['latest'] {
  const next = new Map(latest)
  for (const message of messages) {
    const current = next.get(message.id)
    const merged = current ? newerVersion(current, message) : message
    // Deletes the entry first, because setting an existing key keeps its position.
    next.delete(message.id)
    next.set(message.id, merged)
  }
  for (const id of next.keys()) {
    if (next.size <= maxLoggedMessages) break
    next.delete(id)
  }
  return next
}
