import { queryKeys } from '@/lib/query-keys'

const all = queryKeys.messages

/** Keys of everything about messages; `all` invalidates the lot. */
export const messageKeys = {
  all,
  conversations: queryKeys.conversations,
  threads: [...all, 'thread'] as const,
  thread: (otherUserId: string) => [...all, 'thread', otherUserId] as const,
  /** A stretch of an older part of the thread, which is open instead of its end. */
  window: (otherUserId: string) => [...all, 'window', otherUserId] as const,
  allChanges: [...all, 'changes'] as const,
  /** What was heard of changes in the conversation. */
  changes: (otherUserId: string) => [...all, 'changes', otherUserId] as const,
  unread: queryKeys.unreadMessages,
  person: (userId: string) => [...all, 'person', userId] as const,
  suggestions: (query: string) => [...all, 'suggestions', query] as const,
}
