import { AutoDraft, AutoPostingState } from '@contract/auto-posting.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, withQuery } from '@/lib/api'

/** The first part of the keys of all about what a program writes for oneself. */
export const autoPostingKey = ['auto-posts'] as const

/** How auto-posting stands with oneself. Admins and the clock change it, which nothing tells: it is asked again. */
export const autoPostingStatusQuery = queryOptions({
  queryKey: [...autoPostingKey, 'state'],
  queryFn: ({ signal }) => api.get('/api/auto-posts', AutoPostingState, { signal }),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})

/** What was written for oneself to look at first, the newest first. */
export const draftsQuery = infiniteQueryOptions({
  queryKey: [...autoPostingKey, 'drafts'],
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: limits.page.autoDrafts, cursor: pageParam ?? undefined }
    return api.page(withQuery('/api/auto-posts/drafts', query), AutoDraft, { signal })
  },
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.nextCursor,
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})
