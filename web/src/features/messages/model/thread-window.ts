import { limits } from '@contract/limits.ts'
import type { ChatMessage } from '@contract/message.ts'
import { mergeMessages, type Thread } from './thread'

/**
 * Some older stretch of a thread, read around one message and apart from the live thread: between the two may lie
 * messages that are not held.
 */
export interface ThreadWindow {
  /** Oldest first, without a hole. */
  messages: ChatMessage[]
}

/** The stretch touches or overlaps the live thread: they can be one, without a hole. */
export function touchesThread(window: ThreadWindow, thread: Thread): boolean {
  const [first, last] = [window.messages[0], window.messages.at(-1)]
  const [oldest, newest] = [thread[0], thread.at(-1)]
  if (!first || !last || !oldest || !newest) return false
  return last.seq >= oldest.seq - 1 && first.seq <= newest.seq + 1
}

/** Takes in a page that was read before or after the stretch; one that no longer borders on it is left out. */
export function growWindow(window: ThreadWindow, page: ChatMessage[]): ThreadWindow {
  const [first, last] = [window.messages[0], window.messages.at(-1)]
  const [from, to] = [page[0], page.at(-1)]
  if (!first || !last || !from || !to) return window
  if (to.seq < first.seq - 1 || from.seq > last.seq + 1) return window
  return { messages: mergeMessages(window.messages, page) }
}

/** A page after the stretch that is not full ends the thread. */
export function isEndOfThread(page: ChatMessage[]): boolean {
  return page.length < limits.page.messages
}
