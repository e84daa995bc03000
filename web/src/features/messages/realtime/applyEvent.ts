import { userEvents } from '@contract/events.ts'
import type { QueryClient } from '@tanstack/react-query'
import { messageKeys } from '../api/keys'
import { applyMessageToList, applyReadToList, type ConversationList } from './conversations'
import { type Marks, noteMessage, noteRead } from './marks'
import { applyMessage, applyRead, type Thread } from './thread'

let heard: { by: string; marks: Marks } = { by: '', marks: {} }

/** What one person heard says nothing about another's conversations. */
function marksOf(me: string): Marks {
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
  return {}
}

function onCreated(client: QueryClient, me: string, payload: unknown): { arrivedId?: string } {
  const parsed = userEvents['message.created'].safeParse(payload)
  if (!parsed.success) {
    refetch(client)
    return {}
  }
  const { message, otherUserId, unreadTotal, unreadCount } = parsed.data
  const noted = noteMessage(marksOf(me), otherUserId, message.seq)
  heard.marks = noted.marks
  if (noted.isNews) client.setQueryData(messageKeys.unread, { count: unreadTotal })

  const threadKey = messageKeys.thread(otherUserId)
  const { thread, gap } = applyMessage(client.getQueryData<Thread>(threadKey), message)
  if (thread) client.setQueryData(threadKey, thread)
  if (gap) void client.invalidateQueries({ queryKey: threadKey })

  const held = client.getQueryData<ConversationList>(messageKeys.conversations)
  const list = applyMessageToList(held, { message, otherUserId, unreadCount })
  if (list.list && list.list !== held) client.setQueryData(messageKeys.conversations, list.list)
  if (list.gap) void client.invalidateQueries({ queryKey: messageKeys.conversations })
  return { arrivedId: message.id }
}

function onRead(client: QueryClient, me: string, payload: unknown): void {
  const parsed = userEvents['conversation.read'].safeParse(payload)
  if (!parsed.success) {
    refetch(client)
    return
  }
  const { otherUserId, readerId, lastReadSeq, unreadTotal } = parsed.data
  const threadKey = messageKeys.thread(otherUserId)
  const thread = client.getQueryData<Thread>(threadKey)
  const readThread = applyRead(thread, readerId, lastReadSeq)
  if (readThread && readThread !== thread) client.setQueryData(threadKey, readThread)
  if (readerId !== me) return

  const noted = noteRead(marksOf(me), otherUserId, lastReadSeq)
  heard.marks = noted.marks
  if (!noted.isNews) return
  client.setQueryData(messageKeys.unread, { count: unreadTotal })
  if (!noted.complete) {
    void client.invalidateQueries({ queryKey: messageKeys.conversations })
    return
  }
  const held = client.getQueryData<ConversationList>(messageKeys.conversations)
  const list = applyReadToList(held, { otherUserId, readerId })
  if (list && list !== held) client.setQueryData(messageKeys.conversations, list)
}

/** Reads everything about messages again that was read before now. */
export function refetch(client: QueryClient): void {
  const now = Date.now()
  const lists: unknown[] = ['conversations', 'thread', 'unread-count']
  void client.invalidateQueries({
    queryKey: messageKeys.all,
    predicate: (query) => lists.includes(query.queryKey[1]) && query.state.dataUpdatedAt <= now,
  })
}
