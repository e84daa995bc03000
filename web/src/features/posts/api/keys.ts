import { queryKeys } from '@/lib/query-keys'

/** Keys of everything about posts; lists and single posts are told apart so that a like reaches both. */
export const postKeys = {
  all: queryKeys.posts,
  lists: queryKeys.postLists,
  feed: [...queryKeys.postLists, 'feed'] as const,
  discover: [...queryKeys.postLists, 'discover'] as const,
  saved: [...queryKeys.postLists, 'saved'] as const,
  ofUser: (identifier: string) => [...queryKeys.postLists, 'user', identifier] as const,
  ofTopic: (tag: string) => [...queryKeys.postLists, 'topic', tag] as const,
  /** Not a list: a like has nothing to change in a count. */
  newCount: (since: string) => ['new-posts', since] as const,
  trendingTags: ['trending-tags'] as const,
  details: [...queryKeys.posts, 'detail'] as const,
  detail: (id: string) => [...queryKeys.posts, 'detail', id] as const,
}
