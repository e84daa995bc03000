import { limits } from '@contract/limits.ts'
import { ChatMessage } from '@contract/message.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { isMissing } from '@/lib/errors'
import { invalidateQueries } from '@/lib/query-cache'
import { queryClient } from '@/lib/query-client'
import { applyChangedMessages, getChangeLog, withReceivedChanges } from '../cache-updates'
import {
  type ChangeLog,
  completeChanges,
  createChangeLog,
  highestVersion,
  isEndOfThread,
  mergeIntoWindow,
  mergeNewest,
  mergeOlder,
  type Thread,
  type ThreadWindow,
  touchesThread,
  withLoggedChanges,
} from '../model/thread'
import { messageKeys } from './keys'

const Messages = z.array(ChatMessage)
const threadPath = (otherUserId: string) => `/api/messages/${encodeURIComponent(otherUserId)}`

/**
 * If more pages of changes than this were missed, older messages are dropped. They are loaded again when the user
 * scrolls up.
 */
const maxChangePages = 4

// Only the composer observes a change log, so without a composer, the log would by default be removed while its thread
// is still cached. A refetch of the thread would then not load the changes that were missed.
queryClient.setQueryDefaults(messageKeys.allChangeLogs, { gcTime: Number.POSITIVE_INFINITY })

/**
 * The thread with a user: the newest page of messages, and older ones that were loaded before. A refetch also loads the
 * changes that were made to the older ones since the last fetch.
 */
export function threadQuery(otherUserId: string) {
  const queryKey = messageKeys.thread(otherUserId)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Thread> => {
      const log = queryClient.getQueryData<Thread>(queryKey) && getChangeLog(queryClient, otherUserId)
      const [page, changes] = await Promise.all([
        fetchMessages(otherUserId, {}, signal),
        log ? fetchChanges(otherUserId, log.upTo, signal) : null,
      ])
      return mergeFetched(otherUserId, page, changes)
    },
  })
}

/** Merges the newest page and the changes into the cached thread. Keeps updates from events that arrived meanwhile. */
function mergeFetched(otherUserId: string, page: ChatMessage[], changes: FetchedChanges | null): Thread {
  const previousLog = getChangeLog(queryClient, otherUserId) ?? createChangeLog(0)
  const latestVersion = Math.max(
    highestVersion(page),
    changes?.upTo ?? 0,
    changes?.complete === false ? (previousLog.early.at(-1) ?? 0) : 0,
  )
  const log = completeChanges(
    previousLog,
    changes?.messages ?? [],
    changes?.complete ? changes.upTo : latestVersion,
  )
  queryClient.setQueryData<ChangeLog>(messageKeys.changeLog(otherUserId), log)
  let thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  if (changes?.complete === false) {
    // Not all changes were fetched, so the older messages are dropped. Scrolling up loads them again.
    thread = thread?.filter((message) => message.seq >= (page[0]?.seq ?? 0))
    queryClient.setQueryData(messageKeys.window(otherUserId), null)
  }
  if (changes) applyChangedMessages(queryClient, otherUserId, changes.messages)
  const lastSeq = thread?.at(-1)?.seq
  if (lastSeq !== undefined && page.some(({ seq, imageUrl }) => seq > lastSeq && imageUrl)) {
    invalidateQueries(queryClient, { queryKey: messageKeys.details(otherUserId) })
  }
  return withLoggedChanges(log, mergeNewest(thread, page))
}

interface FetchedChanges {
  messages: ChatMessage[]
  upTo: number
  /** False if not all changes fit into `maxChangePages` pages. */
  complete: boolean
}

/** Fetches the current state of the messages that changed after `version`. */
async function fetchChanges(
  otherUserId: string,
  version: number,
  signal: AbortSignal,
): Promise<FetchedChanges> {
  const messages: ChatMessage[] = []
  let upTo = version
  for (let page = 0; page < maxChangePages; page += 1) {
    const path = withQuery(threadPath(otherUserId), { changedAfter: upTo })
    const { items } = await api.page(path, ChatMessage, { signal })
    messages.push(...items)
    upTo = Math.max(upTo, highestVersion(items))
    if (items.length < limits.page.messages) return { messages, upTo, complete: true }
  }
  return { messages, upTo, complete: false }
}

/** Which messages to fetch: those before, after or around a message or, if empty, the newest. */
type MessageRange = { before: string } | { after: string } | { around: string } | Record<never, never>

/** Fetches one page of the messages with a user, oldest first. */
function fetchMessages(
  otherUserId: string,
  range: MessageRange,
  signal?: AbortSignal,
): Promise<ChatMessage[]> {
  return api.get(withQuery(threadPath(otherUserId), { ...range }), Messages, signal ? { signal } : {})
}

/** Loads the messages before the oldest one in the cached thread into the cache. */
export async function loadOlderMessages(otherUserId: string): Promise<void> {
  const queryKey = messageKeys.thread(otherUserId)
  const oldest = queryClient.getQueryData<Thread>(queryKey)?.[0]
  if (!oldest) return
  const page = await fetchMessages(otherUserId, { before: oldest.id })
  queryClient.setQueryData<Thread>(queryKey, (thread) =>
    thread ? withReceivedChanges(queryClient, otherUserId, mergeOlder(thread, page)) : thread,
  )
}

/**
 * Fetches the messages around one that is not loaded. If they overlap or adjoin the live thread, they are merged into
 * it; otherwise they open in a separate window, so that the thread has no gap. Returns false if the conversation has no
 * such message.
 */
export async function openMessageWindow(otherUserId: string, messageId: string): Promise<boolean> {
  const page = await fetchMessages(otherUserId, { around: messageId }).catch((error: unknown) => {
    // The id comes from the URL and may be malformed.
    if (isMissing(error)) return []
    throw error
  })
  if (page.length === 0) return false
  storeWindow(otherUserId, { messages: withReceivedChanges(queryClient, otherUserId, page) })
  return true
}

/** Loads the page before or after the window. When the window touches the live thread, the two are merged. */
export async function extendMessageWindow(otherUserId: string, side: 'before' | 'after'): Promise<void> {
  const cached = queryClient.getQueryData<ThreadWindow>(messageKeys.window(otherUserId))
  const edge = side === 'before' ? cached?.messages[0] : cached?.messages.at(-1)
  if (!edge) return
  const page = await fetchMessages(otherUserId, side === 'before' ? { before: edge.id } : { after: edge.id })
  const window = queryClient.getQueryData<ThreadWindow>(messageKeys.window(otherUserId))
  if (!window) return
  const extended = mergeIntoWindow(window, withReceivedChanges(queryClient, otherUserId, page))
  // The live thread is not loaded or ends before this page: refetching it loads the newest page.
  if (side === 'after' && isEndOfThread(page) && !windowTouchesThread(otherUserId, extended)) {
    await queryClient.refetchQueries({ queryKey: messageKeys.thread(otherUserId), exact: true })
  }
  storeWindow(otherUserId, extended)
}

/** Closes the window and shows the live thread. */
export function closeMessageWindow(otherUserId: string): void {
  // Set to null, not removed, because a removal does not notify observers.
  queryClient.setQueryData<ThreadWindow | null>(messageKeys.window(otherUserId), (window) => window && null)
}

function windowTouchesThread(otherUserId: string, window: ThreadWindow): boolean {
  const thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  return thread !== undefined && touchesThread(window, thread)
}

/** Stores the window, or merges it into the live thread if the two touch. */
function storeWindow(otherUserId: string, window: ThreadWindow): void {
  if (windowTouchesThread(otherUserId, window)) {
    queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) =>
      thread ? withReceivedChanges(queryClient, otherUserId, mergeOlder(thread, window.messages)) : thread,
    )
    closeMessageWindow(otherUserId)
    return
  }
  queryClient.setQueryData<ThreadWindow>(messageKeys.window(otherUserId), window)
}

/** Finds a message in the cached live thread or in the open window. */
export function findCachedMessage(otherUserId: string, messageId: string): ChatMessage | undefined {
  const thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  const window = queryClient.getQueryData<ThreadWindow>(messageKeys.window(otherUserId))
  const hasId = (message: ChatMessage) => message.id === messageId
  return thread?.find(hasId) ?? window?.messages.find(hasId)
}

/**
 * Patches a cached message in the thread and the window. The patch keeps the message's version, so that the next change
 * from the server replaces the patched message.
 */
export function patchCachedMessage(
  otherUserId: string,
  messageId: string,
  patch: (message: ChatMessage) => ChatMessage,
): void {
  const patchIn = (messages: ChatMessage[]) =>
    messages.map((message) => (message.id === messageId ? patch(message) : message))
  queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) => thread && patchIn(thread))
  queryClient.setQueryData<ThreadWindow>(
    messageKeys.window(otherUserId),
    (window) => window && { ...window, messages: patchIn(window.messages) },
  )
}

/** Returns true if the message is in the live thread, not only in the window. */
export function isInLiveThread(otherUserId: string, messageId: string): boolean {
  const thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  return thread?.some((message) => message.id === messageId) ?? false
}
