import { limits } from '@contract/limits.ts'
import type { ChatMessage } from '@contract/message.ts'
import { queryClient } from '@/lib/query-client'
import { messageKeys } from './api/keys'
import { startEdit } from './composer-state'
import type { Thread } from './model/thread'

/** The caller may still change what a message says. The server's clock decides; ours says what to offer. */
export function isEditable(message: ChatMessage, me: string, now = Date.now()): boolean {
  return (
    message.senderId === me &&
    !message.deleted &&
    now - Date.parse(message.createdAt) < limits.messageEditWindowMs
  )
}

/** Begins to change the last message of one's own that still can be. Answers whether there is one. */
export function startEditingLastMessage(me: string, otherUserId: string): boolean {
  const thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  const message = thread?.findLast((one) => isEditable(one, me))
  if (message) startEdit(otherUserId, message)
  return message !== undefined
}
