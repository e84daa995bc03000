import { queryClient } from '@/lib/query-client'
import { withReceivedChanges } from '../apply-change'
import { mergeOlder, type Thread } from '../model/thread'
import { growWindow, isEndOfThread, type ThreadWindow, touchesThread } from '../model/thread-window'
import { messageKeys } from './keys'
import { fetchMessages } from './thread'

/**
 * Reads the messages around one that is not held, and shows them: in the live thread where they touch it, else in a
 * window of their own, so that no hole comes into the thread. False where the conversation has no such message.
 */
export async function openMessageWindow(otherUserId: string, messageId: string): Promise<boolean> {
  const page = await fetchMessages(otherUserId, { around: messageId })
  if (page.length === 0) return false
  place(otherUserId, { messages: withReceivedChanges(queryClient, otherUserId, page) })
  return true
}

/** Reads the page before or after the window; where it comes to touch the live thread, the two are one. */
export async function extendMessageWindow(otherUserId: string, side: 'before' | 'after'): Promise<void> {
  const held = queryClient.getQueryData<ThreadWindow>(messageKeys.window(otherUserId))
  const edge = side === 'before' ? held?.messages[0] : held?.messages.at(-1)
  if (!edge) return
  const page = await fetchMessages(otherUserId, side === 'before' ? { before: edge.id } : { after: edge.id })
  const window = queryClient.getQueryData<ThreadWindow>(messageKeys.window(otherUserId))
  if (!window) return
  const grown = growWindow(window, withReceivedChanges(queryClient, otherUserId, page))
  // The live thread is not held, or ends where this does: what lies after it is read as the newest page.
  if (side === 'after' && isEndOfThread(page) && !bordersOnThread(otherUserId, grown)) {
    await queryClient.refetchQueries({ queryKey: messageKeys.thread(otherUserId), exact: true })
  }
  place(otherUserId, grown)
}

/** Leaves the window for the live thread. */
export function closeMessageWindow(otherUserId: string): void {
  // Nothing rather than no entry: whoever watches it hears of it.
  queryClient.setQueryData<ThreadWindow | null>(messageKeys.window(otherUserId), (window) => window && null)
}

function bordersOnThread(otherUserId: string, window: ThreadWindow): boolean {
  const thread = queryClient.getQueryData<Thread>(messageKeys.thread(otherUserId))
  return thread !== undefined && touchesThread(window, thread)
}

function place(otherUserId: string, window: ThreadWindow): void {
  if (bordersOnThread(otherUserId, window)) {
    queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) =>
      thread ? withReceivedChanges(queryClient, otherUserId, mergeOlder(thread, window.messages)) : thread,
    )
    closeMessageWindow(otherUserId)
    return
  }
  queryClient.setQueryData<ThreadWindow>(messageKeys.window(otherUserId), window)
}
