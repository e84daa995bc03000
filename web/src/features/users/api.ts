import { limits } from '@contract/limits.ts'
import { User, UserCard, UserDetails, UserStats } from '@contract/user.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { userKeys } from './keys'

/** One person, by id or username, as the caller may see them. */
export function userQuery(identifier: string) {
  return queryOptions({
    queryKey: userKeys.detail(identifier),
    queryFn: ({ signal }) => api.get(`/api/users/${encodeURIComponent(identifier)}`, UserDetails, { signal }),
  })
}

/** A person's counts; null where they are hidden. Read again whenever they are shown: others change them untold. */
export function statsQuery(userId: string) {
  return queryOptions({
    queryKey: userKeys.stats(userId),
    queryFn: ({ signal }) => api.get(`/api/users/${encodeURIComponent(userId)}/stats`, UserStats, { signal }),
    staleTime: 0,
  })
}

/** `count` creators by what people made of their posts in the last 7 days, then by sign-up; never oneself. */
export function featuredQuery(count: number) {
  return queryOptions({
    queryKey: userKeys.featured(count),
    queryFn: ({ signal }) =>
      api.get(withQuery('/api/discover/featured-creators', { limit: count }), z.array(User), { signal }),
  })
}

/** Whom the signed-in person has blocked. */
export const blockedQuery = queryOptions({
  queryKey: userKeys.blocked,
  queryFn: ({ signal }) =>
    api.get(withQuery('/api/user/blocked-users', { limit: limits.page.max }), z.array(UserCard), { signal }),
})
