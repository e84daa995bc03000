import type { DayRange } from '@contract/analytics.ts'
import {
  EarningsByDay,
  EarningsOverview,
  type GoalsRequest,
  GoalsResponse,
  Transaction,
  type TransactionsCard,
  type TransactionType,
} from '@contract/earnings.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, pagedList, withQuery } from '@/lib/api'
import { saveFile } from '@/lib/browser'
import { ApiError, errorMessage } from '@/lib/errors'
import { invalidateQueries } from '@/lib/query-cache'
import { toast } from '@/ui/toaster'

/** The query keys of the viewer's earnings. A sale or payout invalidates all of them. */
export const earningsKeys = {
  all: ['earnings'],
  overview: ['earnings', 'overview'],
  transactions: ['earnings', 'transactions'],
  goals: ['earnings', 'goals'],
  methods: ['earnings', 'methods'],
  schedule: ['earnings', 'schedule'],
  payouts: ['earnings', 'payouts'],
} as const

/** Invalidates all earnings data. */
export const invalidateEarnings = (client: QueryClient) =>
  invalidateQueries(client, { queryKey: earningsKeys.all })

/** Refetches a query on each mount. In between, realtime events and the viewer's own changes invalidate it. */
export const alwaysStale = { staleTime: 0 } as const

/**
 * The amounts on the overview cards, and the earnings by day, by month and by source. The server responds with
 * `creators_only` if the viewer is not a creator and has never earned anything.
 */
export const overviewQuery = queryOptions({
  queryKey: earningsKeys.overview,
  queryFn: ({ signal }) => api.get('/api/earnings/overview', EarningsOverview, { signal }),
  ...alwaysStale,
})

/** The earnings of a range of days, and of the same number of days before it. */
export const earningsByDayQuery = (range: DayRange) =>
  queryOptions({
    queryKey: [...earningsKeys.all, 'days', range],
    queryFn: ({ signal }) => api.get(withQuery('/api/earnings/days', range), EarningsByDay, { signal }),
    // Keeps showing the current range while another one loads.
    placeholderData: keepPreviousData,
    ...alwaysStale,
  })

/** Returns whether the server denied access because Earnings is for creators only. */
export const isCreatorsOnlyError = (error: unknown) =>
  error instanceof ApiError && error.code === 'creators_only'

/**
 * Filters transactions by type, by the overview card or chart whose amounts include them (`of`), and by the first and
 * last day of a period in UTC.
 */
export type TransactionFilter = {
  type?: TransactionType | undefined
  of?: TransactionsCard | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The transactions that match a filter, newest first. */
export const transactionsQuery = (filter: TransactionFilter) =>
  infiniteQueryOptions({
    queryKey: [...earningsKeys.transactions, filter],
    ...pagedList('/api/earnings/transactions', { ...filter, limit: limits.page.transactions }, Transaction),
    ...alwaysStale,
  })

/** Downloads the transactions that match a filter as a CSV file. */
export function useExportTransactions() {
  return useMutation({
    scope: { id: 'earnings:export' },
    mutationFn: async (filter: TransactionFilter) => {
      const { blob, name } = await api.download(withQuery('/api/earnings/transactions/export', filter))
      saveFile(blob, name ?? 'ovation-transactions.csv')
    },
    meta: {
      errorMessage: (error) => errorMessage(error, t`Couldn't download your transactions. Try again.`),
    },
    onSuccess: () => toast({ title: t`Transactions downloaded` }),
  })
}

/** The creator's goals and their current values. */
export const goalsQuery = queryOptions({
  queryKey: earningsKeys.goals,
  queryFn: ({ signal }) => api.get('/api/earnings/goals', GoalsResponse, { signal }),
  ...alwaysStale,
})

/** Sets goals. The requests run one after another, so that the last change wins. The form shows errors. */
export function useSetGoals() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'earnings:goals' },
    mutationFn: (goals: GoalsRequest) => api.patch('/api/earnings/goals', goals, GoalsResponse),
    onSuccess: async (response) => {
      await client.cancelQueries({ queryKey: earningsKeys.goals })
      client.setQueryData(goalsQuery.queryKey, response)
    },
  })
}
