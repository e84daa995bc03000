import { userEvents } from '@contract/events.ts'
import type { ChatMessage } from '@contract/message.ts'
import type { QueryClient } from '@tanstack/react-query'
import { invalidateQueries, setCachedCount } from '@/lib/query-cache'
import { messageKeys } from './api/keys'
import { applyChangeEvent, withReceivedChanges } from './apply-change'
import { applyMessageToList, applyReadToList, type ConversationList } from './model/conversations'
import { applyMessage, applyRead, type Thread } from './model/thread'
import type { ThreadWindow } from './model/thread-window'
import { type ReadMarks, recordMessage, recordRead } from './read-marks'

let heard: { by: string; marks: ReadMarks } = { by: '', marks: {} }

/** What one person heard says nothing about another's conversations. */
function marksOf(me: string): ReadMarks {
  if (heard.by !== me) heard = { by: me, marks: {} }
  return heard.marks
}

/** Takes an event of the person's own topic into the caches; anything but news about messages is left alone. */
export function applyMessagesEvent(
  client: QueryClient,
  me: string,
  event: string,
  payload: unknown,
): { arrivedId?: string } {
  if (event === 'message.created') return onCreated(client, me, payload)
  if (event === 'conversation.read') onRead(client, me, payload)
  if (event === 'message.changed' || event === 'reaction.changed') onChanged(client, event, payload)
  return {}
}

function onCreated(client: QueryClient, me: string, payload: unknown): { arrivedId?: string } {
  const parsed = userEvents['message.created'].safeParse(payload)
  if (!parsed.success) {
    invalidateMessages(client)
    return {}
  }
  const { message, otherUserId, unreadTotal, unreadCount } = parsed.data
  const noted = recordMessage(marksOf(me), otherUserId, message.seq)
  heard.marks = noted.marks
  if (noted.isNews) setCachedCount(client, messageKeys.unread, { count: unreadTotal })
  applyNewMessage(client, { message, otherUserId, unreadCount })
  return { arrivedId: message.id }
}

/** Takes a stored message into the thread and the list; what cannot take it in is read again. */
export function applyNewMessage(
  client: QueryClient,
  news: { message: ChatMessage; otherUserId: string; unreadCount: number },
): void {
  const threadKey = messageKeys.thread(news.otherUserId)
  // It may have been changed since: what was on its way for longer is told later.
  const [message = news.message] = withReceivedChanges(client, news.otherUserId, [news.message])
  const { thread, gap } = applyMessage(client.getQueryData<Thread>(threadKey), message)
  if (thread) client.setQueryData(threadKey, thread)
  if (gap || !thread) invalidateQueries(client, { queryKey: threadKey })

  const held = client.getQueryData<ConversationList>(messageKeys.conversations)
  const list = applyMessageToList(held, { ...news, message })
  if (list.list && list.list !== held) client.setQueryData(messageKeys.conversations, list.list)
  if (list.gap || !held) invalidateQueries(client, { queryKey: messageKeys.conversations })
}

function onChanged(
  client: QueryClient,
  event: 'message.changed' | 'reaction.changed',
  payload: unknown,
): void {
  const parsed = userEvents[event].safeParse(payload)
  if (parsed.success) applyChangeEvent(client, parsed.data.otherUserId, parsed.data.message)
  else invalidateMessages(client)
}

function onRead(client: QueryClient, me: string, payload: unknown): void {
  const parsed = userEvents['conversation.read'].safeParse(payload)
  if (!parsed.success) {
    invalidateMessages(client)
    return
  }
  const { otherUserId, readerId, lastReadSeq, unreadTotal } = parsed.data
  const threadKey = messageKeys.thread(otherUserId)
  const thread = client.getQueryData<Thread>(threadKey)
  const readThread = applyRead(thread, readerId, lastReadSeq)
  if (readThread && readThread !== thread) client.setQueryData(threadKey, readThread)
  const windowKey = messageKeys.window(otherUserId)
  const window = client.getQueryData<ThreadWindow>(windowKey)
  const readWindow = applyRead(window?.messages, readerId, lastReadSeq)
  if (readWindow && readWindow !== window?.messages) client.setQueryData(windowKey, { messages: readWindow })
  if (!thread) invalidateQueries(client, { queryKey: threadKey })
  if (readerId === me && applyOwnRead(client, me, otherUserId, lastReadSeq)) {
    setCachedCount(client, messageKeys.unread, { count: unreadTotal })
  }
}

/**
 * The person read a thread, here or on another page. Answers whether that is news: else the count that comes with
 * it was taken in before, or is older than the one shown.
 */
export function applyOwnRead(
  client: QueryClient,
  me: string,
  otherUserId: string,
  lastReadSeq: number,
): boolean {
  const noted = recordRead(marksOf(me), otherUserId, lastReadSeq)
  heard.marks = noted.marks
  if (!noted.isNews) return false
  const held = client.getQueryData<ConversationList>(messageKeys.conversations)
  if (!noted.complete || !held) {
    invalidateQueries(client, { queryKey: messageKeys.conversations })
    return true
  }
  const list = applyReadToList(held, { otherUserId, readerId: me })
  if (list !== held) client.setQueryData(messageKeys.conversations, list)
  return true
}

/** Reads the conversations, the threads and the count again. */
export function invalidateMessages(client: QueryClient): void {
  for (const queryKey of [messageKeys.conversations, messageKeys.threads, messageKeys.unread]) {
    invalidateQueries(client, { queryKey })
  }
}
