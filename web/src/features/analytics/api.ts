import {
  AnalyticsAudience,
  AnalyticsMonthly,
  AnalyticsOverview,
  AnalyticsSources,
  BestHours,
  RecentViews,
  TopPosts,
} from '@contract/analytics.ts'
import { t } from '@lingui/core/macro'
import { keepPreviousData, type Query, queryOptions, useMutation } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { saveFile } from '@/lib/browser'
import { errorMessage } from '@/lib/errors'
import type { AnalyticsRange } from './model'

/** The creator, the date range, and when the analytics page was opened (Unix time in milliseconds). */
interface AnalyticsRequest {
  userId: string
  range: AnalyticsRange
  openedAt: number
}

/** Provides the analytics page's `AnalyticsRequest` to its tabs. */
export const AnalyticsRequestContext = createContext<AnalyticsRequest | null>(null)

/** Returns the page's `AnalyticsRequest`. Must be used below `AnalyticsRequestContext`. */
export function useAnalyticsRequest(): AnalyticsRequest {
  const request = use(AnalyticsRequestContext)
  if (!request) throw new Error('useAnalyticsRequest must be used below AnalyticsRequestContext.')
  return request
}

export const analyticsKey = ['analytics']

const recentViewsPollMs = 60_000

const analyticsUrl = (resource: string, { userId, range }: AnalyticsRequest) =>
  withQuery(`/api/analytics/${resource}/${encodeURIComponent(userId)}`, range)

/** Treats data fetched before the page was opened as stale. Data fetched since then stays fresh until a refresh. */
const staleBefore = (openedAt: number) => (query: Pick<Query, 'state'>) =>
  query.state.dataUpdatedAt < openedAt ? 0 : Number.POSITIVE_INFINITY

function periodQueryOptions<T>(resource: string, request: AnalyticsRequest, schema: z.ZodType<T>) {
  return {
    queryKey: [...analyticsKey, resource, request.userId, request.range],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.get(analyticsUrl(resource, request), schema, { signal }),
    staleTime: staleBefore(request.openedAt),
    // While another period loads, the current data stays on screen, dimmed.
    placeholderData: keepPreviousData<T>,
  }
}

/** Views, likes and comments in the period and in the previous one. Fails with 403 if the user is not a creator. */
export const overviewQuery = (request: AnalyticsRequest) =>
  queryOptions(periodQueryOptions('overview', request, AnalyticsOverview))

/** Revenue, followers and subscriptions in the period and in the previous one. */
export const monthlyQuery = (request: AnalyticsRequest) =>
  queryOptions(periodQueryOptions('monthly', request, AnalyticsMonthly))

/** The creator's posts with the most views in the period. */
export const topPostsQuery = (request: AnalyticsRequest) =>
  queryOptions(periodQueryOptions('top-posts', request, TopPosts))

/** Views in the period by weekday and hour in UTC. */
export const hoursQuery = (request: AnalyticsRequest) =>
  queryOptions(periodQueryOptions('hours', request, BestHours))

/** Where viewers found the posts in the period. */
export const sourcesQuery = (request: AnalyticsRequest) =>
  queryOptions(periodQueryOptions('sources', request, AnalyticsSources))

/** Views in the last 48 hours, regardless of the period. Polled while the page is visible. */
export const recentViewsQuery = ({ userId, openedAt }: AnalyticsRequest) =>
  queryOptions({
    queryKey: [...analyticsKey, 'recent', userId],
    queryFn: ({ signal }) =>
      api.get(`/api/analytics/recent/${encodeURIComponent(userId)}`, RecentViews, { signal }),
    staleTime: staleBefore(openedAt),
    // The server updates the numbers only every five minutes.
    refetchInterval: recentViewsPollMs,
  })

/** Age groups and countries of all followers, regardless of the period. */
export const audienceQuery = ({ userId, openedAt }: AnalyticsRequest) =>
  queryOptions({
    queryKey: [...analyticsKey, 'audience', userId],
    queryFn: ({ signal }) =>
      api.get(`/api/analytics/audience/${encodeURIComponent(userId)}`, AnalyticsAudience, { signal }),
    staleTime: staleBefore(openedAt),
  })

/** Downloads the period's analytics as a CSV file with one row per day. */
export function useExportAnalytics() {
  return useMutation({
    mutationFn: async (request: AnalyticsRequest) => {
      const { blob, name } = await api.download(analyticsUrl('export', request))
      saveFile(blob, name ?? `analytics-${Object.values(request.range).join('-to-')}.csv`)
    },
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't export your analytics. Try again.`) },
  })
}
