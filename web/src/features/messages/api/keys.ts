/** Keys of everything about messages; `all` invalidates the lot. */
export const messageKeys = {
  all: ['messages'] as const,
  conversations: ['messages', 'conversations'] as const,
  threads: ['messages', 'thread'] as const,
  thread: (otherUserId: string) => ['messages', 'thread', otherUserId] as const,
  unread: ['messages', 'unread-count'] as const,
  person: (userId: string) => ['messages', 'person', userId] as const,
  suggestions: (query: string) => ['messages', 'suggestions', query] as const,
}
