import { JobStatus } from '@contract/admin.ts'
import { intervals } from '@contract/intervals.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '@/lib/api'

/** The state of the scheduled jobs. Polls every `intervals.pollMs`. */
export const jobsQuery = queryOptions({
  queryKey: ['admin', 'jobs'],
  queryFn: ({ signal }) => api.get('/api/admin/jobs', z.array(JobStatus), { signal }),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})
