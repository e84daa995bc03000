import { JobStatus, SystemStatus } from '@contract/admin.ts'
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

/** Returns whether a job needs attention, because it did not run on time or its last run failed. */
export const isFailing = ({ late, outcome }: JobStatus) => late || outcome === 'failed'

/** The health, queues, connections and most recent errors of this instance. Polls every `intervals.pollMs`. */
export const systemQuery = queryOptions({
  queryKey: ['admin', 'system'],
  queryFn: ({ signal }) => api.get('/api/admin/system', SystemStatus, { signal }),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})
