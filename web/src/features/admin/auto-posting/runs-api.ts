import { AutoRun } from '@contract/auto-posting.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, withQuery } from '@/lib/api'

/** The first parts of the keys of all lists of runs. */
export const runsKey = ['admin', 'auto-runs'] as const

/** Few at a time: the schedule stands below. */
const size = limits.page.autoRuns / 2

/** Each time that a program wrote, or tried to, the newest first. Nothing tells of new ones: it asks again. */
export const runsQuery = infiniteQueryOptions({
  queryKey: runsKey,
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: size, cursor: pageParam ?? undefined }
    return api.page(withQuery('/api/admin/auto-posting/runs', query), AutoRun, { signal })
  },
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.nextCursor,
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})
