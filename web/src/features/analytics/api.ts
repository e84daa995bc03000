import {
  AnalyticsAudience,
  AnalyticsMonthly,
  AnalyticsOverview,
  type AnalyticsPeriod,
  BestHours,
  TopPosts,
} from '@contract/analytics.ts'
import { keepPreviousData, type Query, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, withQuery } from '@/lib/api'

/** Whose figures, of which period, and when the screen that shows them was opened (milliseconds since 1970). */
export interface AnalyticsRequest {
  userId: string
  period: AnalyticsPeriod
  openedAt: number
}

export const analyticsKey = ['analytics']

const address = (kind: string, { userId, period }: AnalyticsRequest) =>
  withQuery(`/api/analytics/${kind}/${encodeURIComponent(userId)}`, { period })

/** What was read before the screen was opened is read anew, once; what it read itself stays until somebody asks. */
const freshSince = (openedAt: number) => (query: Pick<Query, 'state'>) =>
  query.state.dataUpdatedAt < openedAt ? 0 : Number.POSITIVE_INFINITY

function figures<T>(kind: string, asked: AnalyticsRequest, schema: z.ZodType<T>) {
  return {
    queryKey: [...analyticsKey, kind, asked.userId, asked.period],
    queryFn: ({ signal }: { signal: AbortSignal }) => api.get(address(kind, asked), schema, { signal }),
    staleTime: freshSince(asked.openedAt),
    // Another period is on its way: the figures of the last one stay, paler.
    placeholderData: keepPreviousData<T>,
  }
}

/** Views, likes and comments of a period, and of the one before. Rejects with 403 for who is no creator. */
export const overviewQuery = (asked: AnalyticsRequest) =>
  queryOptions(figures('overview', asked, AnalyticsOverview))

/** Revenue, followers and subscriptions of a period, and of the one before. */
export const monthlyQuery = (asked: AnalyticsRequest) =>
  queryOptions(figures('monthly', asked, AnalyticsMonthly))

/** One's posts with the most views in a period. */
export const topPostsQuery = (asked: AnalyticsRequest) => queryOptions(figures('top-posts', asked, TopPosts))

/** Views of a period by weekday and hour in UTC. */
export const hoursQuery = (asked: AnalyticsRequest) => queryOptions(figures('hours', asked, BestHours))

/** Of whom one's followers consist; the same in every period. */
export const audienceQuery = ({ userId, openedAt }: AnalyticsRequest) =>
  queryOptions({
    queryKey: [...analyticsKey, 'audience', userId],
    queryFn: ({ signal }) =>
      api.get(`/api/analytics/audience/${encodeURIComponent(userId)}`, AnalyticsAudience, { signal }),
    staleTime: freshSince(openedAt),
  })

/** Where the period comes as a table. */
export const exportUrl = (asked: AnalyticsRequest): string => address('export', asked)
