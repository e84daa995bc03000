import type { ConversationFilter } from '@contract/message.ts'
import { queryKeys } from '@/lib/query-client'

const all = queryKeys.messages

/** Query keys of all message data; invalidating `all` invalidates everything. */
export const messageKeys = {
  all,
  /** The unfiltered list. The keys of the filtered lists start with this key, so invalidating it invalidates them. */
  conversations: queryKeys.conversations,
  conversationList: (filter?: ConversationFilter): readonly string[] =>
    filter ? [...queryKeys.conversations, filter] : queryKeys.conversations,
  threads: [...all, 'thread'] as const,
  thread: (otherUserId: string) => [...all, 'thread', otherUserId] as const,
  /** The window of older messages that is open instead of the live thread. */
  window: (otherUserId: string) => [...all, 'window', otherUserId] as const,
  allChangeLogs: [...all, 'changes'] as const,
  changeLog: (otherUserId: string) => [...all, 'changes', otherUserId] as const,
  allDetails: queryKeys.conversationDetails,
  /** The key of the photos starts with this one, so that they are invalidated together with the details. */
  details: (otherUserId: string) => [...queryKeys.conversationDetails, otherUserId] as const,
  photos: (otherUserId: string) => [...queryKeys.conversationDetails, otherUserId, 'photos'] as const,
  massMessages: [...all, 'mass'] as const,
  welcomeMessage: [...all, 'welcome'] as const,
  unread: queryKeys.unreadMessages,
  recipient: (userId: string) => [...all, 'recipient', userId] as const,
  suggestions: (query: string) => [...all, 'suggestions', query] as const,
  search: (query: string) => [...all, 'search', query] as const,
}
