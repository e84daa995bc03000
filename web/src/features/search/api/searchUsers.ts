import { limits } from '@contract/limits.ts'
import { User } from '@contract/user.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'

/** What is sent of what was typed: trimmed, and no longer than the server takes. Empty means: ask nothing. */
export function searchTerm(typed: string): string {
  return typed.trim().slice(0, limits.searchQuery.max)
}

/**
 * People whose name or username matches. One cache entry a term, so a late answer never takes a newer one's place.
 * Asked anew each time the search is shown, because names change.
 */
export function searchUsersQuery(term: string) {
  return queryOptions({
    queryKey: ['users', 'search', term],
    queryFn: ({ signal }) =>
      api.get(withQuery('/api/users/search', { q: term, limit: limits.page.max }), z.array(User), { signal }),
    enabled: term !== '',
    staleTime: 10_000,
  })
}
