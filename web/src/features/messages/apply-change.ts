import type { ChatMessage } from '@contract/message.ts'
import type { QueryClient } from '@tanstack/react-query'
import { invalidateQueries } from '@/lib/query-cache'
import { messageKeys } from './api/keys'
import { type ChangeLog, createChangeLog, recordChange, withLoggedChanges } from './model/change-log'
import { applyChangeToList, type ConversationList } from './model/conversations'
import { applyChanges, type Thread } from './model/thread'
import type { ThreadWindow } from './model/thread-window'

export const changeLogs = (client: QueryClient, otherUserId: string) =>
  client.getQueryData<ChangeLog>(messageKeys.changes(otherUserId))

/** Messages as they are now, as far as was heard: for those that were on their way meanwhile. */
export function withReceivedChanges(
  client: QueryClient,
  otherUserId: string,
  messages: ChatMessage[],
): ChatMessage[] {
  return withLoggedChanges(changeLogs(client, otherUserId), messages)
}

/** A message was edited, deleted or reacted to, as an event told; after a gap the changes are asked for. */
export function applyChangeEvent(client: QueryClient, otherUserId: string, message: ChatMessage): void {
  const held = changeLogs(client, otherUserId)
  const thread = client.getQueryData<Thread>(messageKeys.thread(otherUserId))
  // Of a conversation that was not read yet, nobody knows what was missed: reading it tells.
  const { changes, missed } = recordChange(held ?? createChangeLog(message.version), message)
  client.setQueryData<ChangeLog>(messageKeys.changes(otherUserId), changes)
  applyChangedMessages(client, otherUserId, [message])
  if (missed || !thread) invalidateQueries(client, { queryKey: messageKeys.thread(otherUserId), exact: true })
}

/** Shows messages as they are now, wherever they are shown: in the thread, an older stretch of it and the list. */
export function applyChangedMessages(
  client: QueryClient,
  otherUserId: string,
  messages: ChatMessage[],
): void {
  const threadKey = messageKeys.thread(otherUserId)
  const thread = client.getQueryData<Thread>(threadKey)
  const after = thread && applyChanges(thread, messages)
  if (after !== thread) client.setQueryData(threadKey, after)

  const windowKey = messageKeys.window(otherUserId)
  const window = client.getQueryData<ThreadWindow>(windowKey)
  const seen = window && applyChanges(window.messages, messages)
  if (window && seen && seen !== window.messages) {
    client.setQueryData<ThreadWindow>(windowKey, { ...window, messages: seen })
  }
  takeIntoList(client, otherUserId, withReceivedChanges(client, otherUserId, messages))
}

function takeIntoList(client: QueryClient, otherUserId: string, messages: ChatMessage[]): void {
  const queryKey = messageKeys.conversations
  const held = client.getQueryData<ConversationList>(queryKey)
  const list = messages.reduce((list, message) => applyChangeToList(list, { message, otherUserId }), held)
  if (list === held) return
  client.setQueryData(queryKey, list)
  // What is on its way may have been read before.
  if (client.isFetching({ queryKey, exact: true }) > 0) invalidateQueries(client, { queryKey, exact: true })
}
