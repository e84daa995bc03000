import { limits } from '@contract/limits.ts'
import { ChatMessage } from '@contract/message.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { queryClient } from '@/lib/query-client'
import { applyChangedMessages, changeLogs, withReceivedChanges } from '../apply-change'
import {
  type ChangeLog,
  completeChanges,
  createChangeLog,
  highestVersion,
  withLoggedChanges,
} from '../model/change-log'
import { mergeNewest, mergeOlder, type Thread } from '../model/thread'
import { messageKeys } from './keys'

const Messages = z.array(ChatMessage)
const path = (otherUserId: string) => `/api/messages/${encodeURIComponent(otherUserId)}`

/** Pages of changes asked for at most: after more than that, the thread is read anew. */
const changePages = 4

// Kept as long as the page: nobody watches it, and without it a thread would not know what it missed.
queryClient.setQueryDefaults(messageKeys.allChanges, { gcTime: Number.POSITIVE_INFINITY })

/** Which messages to read: those beside one, or (with nothing) the newest. */
type Place = { before: string } | { after: string } | { around: string } | Record<never, never>

/** One page of the messages with one person, oldest first. */
export function fetchMessages(
  otherUserId: string,
  place: Place,
  signal?: AbortSignal,
): Promise<ChatMessage[]> {
  return api.get(withQuery(path(otherUserId), { ...place }), Messages, signal ? { signal } : {})
}

/**
 * The messages with one person: the newest 50, and whatever older ones were loaded before. Reading them again also
 * asks what became of all those since.
 */
export function threadQuery(otherUserId: string) {
  const queryKey = messageKeys.thread(otherUserId)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Thread> => {
      const held = queryClient.getQueryData<Thread>(queryKey) && changeLogs(queryClient, otherUserId)
      const [page, changed] = await Promise.all([
        fetchMessages(otherUserId, {}, signal),
        held ? readChanges(otherUserId, held.upTo, signal) : null,
      ])
      return withNewest(otherUserId, page, changed)
    },
  })
}

/**
 * The thread with the newest page and what became of the rest, as it is now that the answers came: what was pushed
 * meanwhile stays.
 */
function withNewest(otherUserId: string, page: ChatMessage[], changed: ReadChanges | null): Thread {
  const heard = changeLogs(queryClient, otherUserId) ?? createChangeLog(0)
  const latest = Math.max(
    highestVersion(page),
    changed?.upTo ?? 0,
    changed?.complete === false ? (heard.early.at(-1) ?? 0) : 0,
  )
  const changes = completeChanges(heard, changed?.messages ?? [], changed?.complete ? changed.upTo : latest)
  queryClient.setQueryData<ChangeLog>(messageKeys.changes(otherUserId), changes)
  let thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  if (changed?.complete === false) {
    // More has changed than was read: older messages are read again on scrolling up.
    thread = thread?.filter((message) => message.seq >= (page[0]?.seq ?? 0))
    queryClient.setQueryData(messageKeys.window(otherUserId), null)
  }
  if (changed) applyChangedMessages(queryClient, otherUserId, changed.messages)
  return withLoggedChanges(changes, mergeNewest(thread, page))
}

interface ReadChanges {
  messages: ChatMessage[]
  upTo: number
  /** False where there were more than are worth reading. */
  complete: boolean
}

/** Messages that changed after `version`, as they are now. */
async function readChanges(otherUserId: string, version: number, signal: AbortSignal): Promise<ReadChanges> {
  const messages: ChatMessage[] = []
  let upTo = version
  for (let page = 0; page < changePages; page += 1) {
    const address = withQuery(path(otherUserId), { changedAfter: upTo })
    const { items } = await api.page(address, ChatMessage, { signal })
    messages.push(...items)
    upTo = Math.max(upTo, highestVersion(items))
    if (items.length < limits.page.messages) return { messages, upTo, complete: true }
  }
  return { messages, upTo, complete: false }
}

/** Reads the messages before the oldest one held into the cache. */
export async function loadOlderMessages(otherUserId: string): Promise<void> {
  const queryKey = messageKeys.thread(otherUserId)
  const oldest = queryClient.getQueryData<Thread>(queryKey)?.[0]
  if (!oldest) return
  const page = await fetchMessages(otherUserId, { before: oldest.id })
  queryClient.setQueryData<Thread>(queryKey, (thread) =>
    thread ? withReceivedChanges(queryClient, otherUserId, mergeOlder(thread, page)) : thread,
  )
}
