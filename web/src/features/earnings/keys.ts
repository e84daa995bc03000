import type { QueryClient } from '@tanstack/react-query'
import { invalidateQueries } from '@/lib/query-cache'

/** Everything about the viewer's own money, so that one sale or payout can have all of it read again. */
export const earningsKeys = {
  all: ['earnings'],
  overview: ['earnings', 'overview'],
  transactions: ['earnings', 'transactions'],
  goals: ['earnings', 'goals'],
  methods: ['earnings', 'methods'],
  schedule: ['earnings', 'schedule'],
  payouts: ['earnings', 'payouts'],
} as const

/** Has all figures on screen read again. */
export const invalidateEarnings = (client: QueryClient) =>
  invalidateQueries(client, { queryKey: earningsKeys.all })

/** Read anew whenever it is shown; in between, an event or one's own doing has it read again. */
export const alwaysStale = { staleTime: 0 } as const
