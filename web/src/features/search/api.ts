import { limits } from '@contract/limits.ts'
import { User } from '@contract/user.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Page, withQuery } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'

/** What is sent of what was typed: trimmed, and no longer than the server takes. Empty means: ask nothing. */
export function searchTerm(typed: string): string {
  return typed.trim().slice(0, limits.searchQuery.max)
}

/**
 * People whose name or username matches, by pages. Calls for earlier terms are not cancelled; one cache entry a
 * term, so a late answer never takes a newer one's place. Asked anew when the search is shown, because names change.
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
