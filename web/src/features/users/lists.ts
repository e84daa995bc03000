import { limits } from '@contract/limits.ts'
import { User } from '@contract/user.ts'
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { api, type Page, withQuery } from '@/lib/api'
import { userKeys } from './keys'

/** A list of people as the cache holds it. */
export type UserPages = InfiniteData<Page<User>, string | null>

function peopleQuery(queryKey: readonly string[], path: string) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.page(withQuery(path, { limit: limits.page.max, cursor: pageParam ?? undefined }), User, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  })
}

/** A list of people by pages, whatever it lists. */
export type UserListQuery = ReturnType<typeof peopleQuery>

/** Everybody but oneself and who is not to be listed, by sign-up. */
export const allUsersQuery = peopleQuery(userKeys.everybody, '/api/users')

/** Whom the signed-in person follows, creators first. */
export const followingQuery = peopleQuery(userKeys.followed, '/api/user/following-users')

/**
 * Who follows somebody, or whom they follow, the latest first; 403 where they do not show it. Read again whenever it is
 * shown: others change it untold.
 */
export const followsQuery = (userId: string, side: 'followers' | 'following') => ({
  ...peopleQuery(userKeys.follows(userId, side), `/api/users/${encodeURIComponent(userId)}/${side}`),
  staleTime: 0,
})

/** Takes out of the list of the followed who no longer is, and has the list read again when it is next shown. */
export function pruneFollowing(client: QueryClient): void {
  client.setQueryData<UserPages>(userKeys.followed, (data) =>
    data
      ? {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            items: page.items.filter((person) => person.following),
          })),
        }
      : data,
  )
  void client.invalidateQueries({ queryKey: userKeys.followed, refetchType: 'none' })
}
