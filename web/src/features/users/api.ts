import { FeaturedCreator } from '@contract/discover.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { LenientNotification } from '@contract/notification.ts'
import {
  CreatorUpdate,
  type FollowCard,
  FollowResponse,
  type FollowStatus,
  type PostAlerts,
  PostAlertsResponse,
  User,
  UserCard,
  UserDetails,
  UserStats,
} from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { z } from 'zod'
import { api, type Page, pagedList, withQuery } from '@/lib/api'
import { pauseRefetching, pendingMutationCount, updateItems } from '@/lib/query-cache'
import { pageFreshness, queryKeys } from '@/lib/query-client'
import { displayName, isolateBidi } from '@/lib/text'
import { toast } from '@/ui/toaster'

export const userKeys = {
  all: queryKeys.users,
  details: queryKeys.userDetails,
  detail: (identifier: string) => [...queryKeys.userDetails, identifier] as const,
  allStats: queryKeys.userStats,
  stats: (userId: string) => [...queryKeys.userStats, userId] as const,
  /** Lists without pagination. */
  directories: [...queryKeys.users, 'directory'] as const,
  featured: (count: number) => [...queryKeys.users, 'directory', 'featured', count] as const,
  topicAuthors: (tag: string) => [...queryKeys.users, 'directory', 'topic', tag] as const,
  /** Paginated lists. */
  lists: [...queryKeys.users, 'list'] as const,
  everybody: [...queryKeys.users, 'list', 'everybody'] as const,
  followed: [...queryKeys.users, 'list', 'followed'] as const,
  /** A user's followers, or the users whom that user follows. */
  follows: (userId: string, side: 'followers' | 'following') =>
    [...queryKeys.users, 'list', side, userId] as const,
  blocked: [...queryKeys.users, 'blocked'] as const,
}

/** The keys of all queries with pages of users. */
const paginatedKeys = [userKeys.lists, queryKeys.userSearch]

/** Fetches one user by id or username, with the data that the caller may see. */
export function userQuery(identifier: string) {
  return queryOptions({
    queryKey: userKeys.detail(identifier),
    queryFn: ({ signal }) => api.get(`/api/users/${encodeURIComponent(identifier)}`, UserDetails, { signal }),
    ...pageFreshness,
  })
}

/**
 * Fetches the counts of a user; hidden counts are null. Refetches on every mount, because events report changes only
 * while the profile is open, and only if the user does not hide their counts.
 */
export function statsQuery(userId: string) {
  return queryOptions({
    queryKey: userKeys.stats(userId),
    queryFn: ({ signal }) => api.get(`/api/users/${encodeURIComponent(userId)}/stats`, UserStats, { signal }),
    staleTime: 0,
  })
}

/**
 * Fetches `count` creators. Creators whom the viewer follows come after all others. Both groups are ordered by the
 * engagement with their posts in the last 7 days, then by registration date. Never includes the viewer.
 */
export function featuredQuery(count: number) {
  return queryOptions({
    queryKey: userKeys.featured(count),
    queryFn: ({ signal }) =>
      api.get(withQuery('/api/discover/featured-creators', { limit: count }), z.array(FeaturedCreator), {
        signal,
      }),
    ...pageFreshness,
  })
}

/**
 * Fetches the creators whom the viewer follows or is subscribed to and who posted recently, each with a summary of
 * their newest post. The creator who posted last comes first. Polls, because events report only the posts that the
 * viewer wants to be notified of.
 */
export const creatorUpdatesQuery = queryOptions({
  queryKey: queryKeys.creatorUpdates,
  queryFn: ({ signal }) => api.get('/api/user/creator-updates', z.array(CreatorUpdate), { signal }),
  refetchInterval: intervals.pollMs,
  ...pageFreshness,
})

/** Fetches other users who posted about a topic recently, creators first. `tag` has no `#`. */
export function topicAuthorsQuery(tag: string) {
  return queryOptions({
    queryKey: userKeys.topicAuthors(tag),
    queryFn: ({ signal }) =>
      api.get(`/api/topics/${encodeURIComponent(tag)}/people`, z.array(User), { signal }),
    ...pageFreshness,
  })
}

/** Fetches all users whom the viewer has blocked. */
export const blockedQuery = queryOptions({
  queryKey: userKeys.blocked,
  queryFn: async ({ signal }) => {
    const users: UserCard[] = []
    let cursor: string | undefined
    do {
      const path = withQuery('/api/user/blocked-users', { limit: limits.page.max, cursor })
      const page = await api.page(path, UserCard, { signal })
      users.push(...page.items)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return users
  },
})

/** A paginated list of users in the cache. */
type UserPages = InfiniteData<Page<User>, string | null>

function userListQuery(queryKey: readonly string[], path: string) {
  return infiniteQueryOptions({
    queryKey,
    ...pagedList(path, { limit: limits.page.max }, User),
    ...pageFreshness,
  })
}

export type UserListQuery = ReturnType<typeof userListQuery>

/** Lists all users except the viewer and users who hide themselves from the directory, by registration date. */
export const allUsersQuery = userListQuery(userKeys.everybody, '/api/users')

/** Lists the users whom the viewer follows, creators first. */
export const followingQuery = userListQuery(userKeys.followed, '/api/user/following-users')

/**
 * Lists a user's followers, or the users whom that user follows, newest first. The server responds with 403 if the user
 * hides the list. Refetches on every mount, because events report only some of the changes that other users make.
 */
export const followsQuery = (userId: string, side: 'followers' | 'following') => ({
  ...userListQuery(userKeys.follows(userId, side), `/api/users/${encodeURIComponent(userId)}/${side}`),
  staleTime: 0,
})

/** Removes unfollowed users from the list of followed users and marks the list as stale. */
export function pruneFollowing(client: QueryClient): void {
  client.setQueryData<UserPages>(userKeys.followed, (data) =>
    updateItems(data, (users) => users.filter((user) => user.following)),
  )
  void client.invalidateQueries({ queryKey: userKeys.followed, refetchType: 'none' })
}

const followScope = (userId: string) => `follow:${userId}`

/**
 * Returns how many changes to the viewer's follow status for a user are pending. While any are pending, callers must
 * ignore events about the follow.
 */
export function pendingFollowCount(client: QueryClient, userId: string): number {
  return pendingMutationCount(client, followScope(userId))
}

/** Follows or unfollows the user, or sends or withdraws a follow request. Updates the cache optimistically. */
export function useToggleFollow(user: FollowCard) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: followScope(user.id) },
    mutationFn: () => api.post(`/api/users/${user.id}/follow`, undefined, FollowResponse),
    onMutate: async () => {
      const resume = await pauseRefetching(client, {
        queryKey: userKeys.all,
        predicate: (query) => isQueryOf(user)(query) || isUserList(query),
      })
      // Reads the cached status, because a second click can come before the button renders again.
      const current = findCachedUser(client, user.id) ?? user
      applyFollowStatus(client, user.id, nextFollowStatus(current))
      return { previousStatus: current.followStatus, resume }
    },
    onSuccess: (response, _, { previousStatus }) => {
      // While another request is queued, the cache already contains its expected result.
      if (pendingFollowCount(client, user.id) <= 1) applyFollowStatus(client, user.id, response.status)
      void client.invalidateQueries({
        queryKey: user.profileVisibility === 'public' ? queryKeys.feeds : queryKeys.postLists,
      })
      void client.invalidateQueries({ queryKey: queryKeys.newPosts })
      toast({ title: followToastTitle(response.status, previousStatus, isolateBidi(displayName(user))) })
    },
    meta: {
      errorTitle: t`Failed to update follow`,
      errorMessage: t`Failed to update follow status. Please try again.`,
    },
    onError: (_error, _, context) => {
      if (context) applyFollowStatus(client, user.id, context.previousStatus)
    },
    // The follow status determines which parts of the profile and which counts the viewer can see.
    onSettled: (_response, _error, _variables, context) => {
      context?.resume()
      if (pendingFollowCount(client, user.id) <= 1) {
        void client.invalidateQueries({ queryKey: userKeys.all, predicate: isQueryOf(user) })
      }
    },
  })
}

/** Sets which new posts by a followed user the viewer is notified about, with an optimistic update. */
export function useSetPostAlerts(user: UserDetails) {
  const client = useQueryClient()
  const apply = (postAlerts: PostAlerts | null) =>
    client.setQueriesData<UserDetails>({ queryKey: userKeys.details }, (details) =>
      details?.id === user.id ? { ...details, postAlerts } : details,
    )
  return useMutation({
    // Shared with follows, so that events about the follow are ignored until the request completes.
    scope: { id: followScope(user.id) },
    mutationFn: (postAlerts: PostAlerts) =>
      api.put(`/api/users/${user.id}/post-alerts`, { postAlerts }, PostAlertsResponse),
    onMutate: async (postAlerts) => {
      const resume = await pauseRefetching(client, { queryKey: userKeys.details, predicate: isQueryOf(user) })
      apply(postAlerts)
      return { previous: user.postAlerts, resume }
    },
    onError: (_error, _postAlerts, context) => {
      if (context) apply(context.previous)
    },
    onSettled: (_response, _error, _postAlerts, context) => {
      context?.resume()
      void client.invalidateQueries({ queryKey: userKeys.details, predicate: isQueryOf(user) })
    },
    meta: { errorMessage: t`Couldn't change your notifications about new posts. Try again.` },
  })
}

/** Returns the status that a click on the follow button is expected to lead to. */
export function nextFollowStatus(user: Pick<User, 'followStatus' | 'profileVisibility'>): FollowStatus {
  if (user.followStatus !== 'none') return 'none'
  return user.profileVisibility === 'public' ? 'following' : 'requested'
}

function followToastTitle(status: FollowStatus, previousStatus: FollowStatus, name: string): string {
  if (status === 'following') return t`You’re now following ${name}`
  if (status === 'requested') return t`Follow request sent to ${name}`
  return previousStatus === 'requested' ? t`Follow request to ${name} cancelled` : t`You unfollowed ${name}`
}

const userListKeys = [...paginatedKeys, userKeys.directories]

/**
 * Matches lists of users. The response to a request that was sent before a click on a follow button contains the status
 * before the click.
 */
function isUserList({ queryKey }: Pick<Query, 'queryKey'>): boolean {
  return userListKeys.some((key) => key[1] === queryKey[1])
}

/** Matches queries of one user by id, handle or username. An identifier from the URL can be in any letter case. */
function isQueryOf(user: UserCard) {
  const identifiers = [user.id, user.handle, user.username].map((identifier) => identifier.toLowerCase())
  return ({ queryKey }: Pick<Query, 'queryKey'>) => identifiers.includes(String(queryKey[2]).toLowerCase())
}

/** Sets the viewer's follow status for a user in all cached queries, and updates the user's follower count. */
export function applyFollowStatus(client: QueryClient, userId: string, status: FollowStatus): void {
  const previousStatus = findCachedUser(client, userId)?.followStatus
  const isOutdated = (user: User) => user.id === userId && user.followStatus !== status
  const update = <T extends User>(user: T): T =>
    isOutdated(user) ? { ...user, followStatus: status, following: status === 'following' } : user
  client.setQueriesData<User>({ queryKey: userKeys.details }, (user) => user && update(user))
  client.setQueriesData<User[]>({ queryKey: userKeys.directories }, (users) =>
    users?.some(isOutdated) ? users.map(update) : users,
  )
  for (const queryKey of paginatedKeys) {
    client.setQueriesData<UserPages>({ queryKey }, (data) => {
      if (!data?.pages.some((page) => page.items.some(isOutdated))) return data
      return updateItems(data, (users) => users.map(update))
    })
  }
  const updateFollower = (item: LenientNotification) =>
    item.follower?.id === userId ? { ...item, follower: { ...item.follower, followStatus: status } } : item
  client.setQueriesData<InfiniteData<Page<LenientNotification>>>(
    { queryKey: queryKeys.notificationList },
    (data) => updateItems(data, (items) => items.map(updateFollower)),
  )
  // Without a refetch, so that an unfollowed user stays in a visible list until the viewer leaves the page.
  void client.invalidateQueries({ queryKey: userKeys.followed, refetchType: 'none' })
  if (previousStatus !== undefined && previousStatus !== status) {
    client.setQueryData<UserStats>(userKeys.stats(userId), (stats) =>
      stats ? updateFollowerCount(stats, previousStatus, status) : stats,
    )
  }
}

/** Returns the counts after a status change. A hidden count stays null, and no count is less than 0. */
export function updateFollowerCount(stats: UserStats, from: FollowStatus, to: FollowStatus): UserStats {
  const change = Number(to === 'following') - Number(from === 'following')
  if (stats.followers === null || change === 0) return stats
  return { ...stats, followers: Math.max(0, stats.followers + change) }
}

/** Returns the user from any cached query that contains them. */
export function findCachedUser(client: QueryClient, userId: string): User | undefined {
  const details = client.getQueriesData<User>({ queryKey: userKeys.details }).map(([, user]) => user)
  const directories = client
    .getQueriesData<User[]>({ queryKey: userKeys.directories })
    .flatMap(([, users]) => users)
  const pages = paginatedKeys.flatMap((queryKey) =>
    client
      .getQueriesData<UserPages>({ queryKey })
      .flatMap(([, data]) => data?.pages.flatMap((page) => page.items)),
  )
  return [...details, ...directories, ...pages].find((user) => user?.id === userId)
}
