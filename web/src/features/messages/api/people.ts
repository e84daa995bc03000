import { limits } from '@contract/limits.ts'
import { User } from '@contract/user.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { messageKeys } from './keys'

/** The other person of a conversation that has no message yet. */
export function personQuery(userId: string) {
  return queryOptions({
    queryKey: messageKeys.person(userId),
    queryFn: ({ signal }) => api.get(`/api/users/${encodeURIComponent(userId)}`, User, { signal }),
  })
}

/** People to start a conversation with. */
export function suggestionsQuery(query: string) {
  return queryOptions({
    queryKey: messageKeys.suggestions(query),
    queryFn: ({ signal }) =>
      api.get(
        withQuery('/api/users/search', { q: query, limit: limits.conversationSuggestions }),
        z.array(User),
        { signal },
      ),
    select: (people) => people.slice(0, limits.conversationSuggestions),
    staleTime: 30_000,
  })
}
