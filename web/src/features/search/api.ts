import { TopicMatch } from '@contract/discover.ts'
import { limits } from '@contract/limits.ts'
import { User } from '@contract/user.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api, type Page, withQuery } from '@/lib/api'
import { queryKeys } from '@/lib/query-client'

/** Returns the search term for an input, trimmed and cut to the server's maximum length. It may be empty. */
export function searchTerm(input: string): string {
  return input.trim().slice(0, limits.searchQuery.max)
}

/**
 * Lists users whose name, username or bio matches a term. Each term has its own cache entry, so a late response cannot
 * replace the results of a newer term, and requests for earlier terms need not be cancelled. Results become stale after
 * 10 seconds, because names change.
 */
export function searchUsersQuery(term: string) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.userSearch, term],
    queryFn: ({ pageParam }): Promise<Page<User>> =>
      api.page(
        withQuery('/api/users/search', { q: term, limit: limits.page.max, cursor: pageParam ?? undefined }),
        User,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    enabled: term !== '',
    staleTime: 10_000,
  })
}

/** Lists the topics that best match a term. */
export function searchTopicsQuery(term: string) {
  return queryOptions({
    queryKey: ['topics', 'search', term],
    queryFn: ({ signal }) =>
      api.get(withQuery('/api/topics/search', { q: term }), z.array(TopicMatch), {
        signal,
      }),
    enabled: term !== '',
    staleTime: 10_000,
  })
}
