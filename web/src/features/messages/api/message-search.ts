import { limits } from '@contract/limits.ts'
import { MessageSearchResult } from '@contract/message.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, withQuery } from '@/lib/api'
import { messageKeys } from './keys'

/** Messages of one's conversations that contain what was typed, the latest first, by pages. */
export function messageSearchQuery(query: string) {
  return infiniteQueryOptions({
    queryKey: [...messageKeys.all, 'found', query],
    queryFn: ({ pageParam, signal }) =>
      api.page(
        withQuery('/api/messages/search', {
          q: query,
          limit: limits.page.messageSearchResults,
          cursor: pageParam ?? undefined,
        }),
        MessageSearchResult,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    staleTime: 30_000,
  })
}
