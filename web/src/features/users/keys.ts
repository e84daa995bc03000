import { queryKeys } from '@/lib/query-keys'

/** Keys of what is known about people. */
export const userKeys = {
  all: queryKeys.users,
  details: queryKeys.userDetails,
  detail: (identifier: string) => [...queryKeys.userDetails, identifier] as const,
  allStats: queryKeys.userStats,
  stats: (userId: string) => [...queryKeys.userStats, userId] as const,
  /** Lists that are read whole. */
  directories: [...queryKeys.users, 'directory'] as const,
  featured: (count: number) => [...queryKeys.users, 'directory', 'featured', count] as const,
  /** Lists by pages: everybody, and whom one follows. */
  lists: [...queryKeys.users, 'list'] as const,
  everybody: [...queryKeys.users, 'list', 'everybody'] as const,
  followed: [...queryKeys.users, 'list', 'followed'] as const,
  /** Who follows somebody, or whom they follow. */
  follows: (userId: string, side: 'followers' | 'following') =>
    [...queryKeys.users, 'list', side, userId] as const,
  blocked: [...queryKeys.users, 'blocked'] as const,
}
