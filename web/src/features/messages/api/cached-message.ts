import type { ChatMessage } from '@contract/message.ts'
import { queryClient } from '@/lib/query-client'
import type { Thread } from '../model/thread'
import type { ThreadWindow } from '../model/thread-window'
import { messageKeys } from './keys'

/** A message of the conversation as the page holds it, in the live thread or in an older stretch of it. */
export function findCachedMessage(otherUserId: string, messageId: string): ChatMessage | undefined {
  const thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  const window = queryClient.getQueryData<ThreadWindow>(messageKeys.window(otherUserId))
  const isIt = (message: ChatMessage) => message.id === messageId
  return thread?.find(isIt) ?? window?.messages.find(isIt)
}

/** Changes a held message wherever it is held, without a new version: what the server told of it later wins. */
export function patchCachedMessage(
  otherUserId: string,
  messageId: string,
  patch: (message: ChatMessage) => ChatMessage,
): void {
  const patched = (messages: ChatMessage[]) =>
    messages.map((message) => (message.id === messageId ? patch(message) : message))
  queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) => thread && patched(thread))
  queryClient.setQueryData<ThreadWindow>(
    messageKeys.window(otherUserId),
    (window) => window && { ...window, messages: patched(window.messages) },
  )
}

/** The message is in the live thread, not only in an older stretch of it. */
export function isInLiveThread(otherUserId: string, messageId: string): boolean {
  const thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  return thread?.some((message) => message.id === messageId) ?? false
}
