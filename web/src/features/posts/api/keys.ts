/** Keys of everything about posts; lists and single posts are told apart so that a like reaches both. */
export const postKeys = {
  all: ['posts'] as const,
  lists: ['posts', 'list'] as const,
  feed: ['posts', 'list', 'feed'] as const,
  ofUser: (identifier: string) => ['posts', 'list', 'user', identifier] as const,
  details: ['posts', 'detail'] as const,
  detail: (id: string) => ['posts', 'detail', id] as const,
}
