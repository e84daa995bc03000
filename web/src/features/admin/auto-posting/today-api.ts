import { AutoPostingToday } from '@contract/auto-posting.ts'
import { intervals } from '@contract/intervals.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { runsKey } from './runs-api'

/** How much of today's caps is used; asked again as often as the runs are. */
export const todayUsageQuery = queryOptions({
  queryKey: [...runsKey, 'today'],
  queryFn: ({ signal }) => api.get('/api/admin/auto-posting/today', AutoPostingToday, { signal }),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})
