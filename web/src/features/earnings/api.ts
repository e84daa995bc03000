import { EarningsOverview } from '@contract/earnings.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, api } from '@/lib/api'
import { alwaysStale, earningsKeys } from './keys'

/** The cards, months and sources. Refused with `creators_only` to who is no creator and is owed nothing. */
export const overviewQuery = queryOptions({
  queryKey: earningsKeys.overview,
  queryFn: ({ signal }) => api.get('/api/earnings/overview', EarningsOverview, { signal }),
  ...alwaysStale,
})

/** True for the answer that Earnings is for creators. */
export const isCreatorsOnlyError = (error: unknown) =>
  error instanceof ApiError && error.code === 'creators_only'
