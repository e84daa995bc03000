import type { QueryClient } from '@tanstack/react-query'
import { readAgain } from '@/lib/readAgain'

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
export const readEarningsAgain = (client: QueryClient) => readAgain(client, { queryKey: earningsKeys.all })

/** Money also changes in other tabs, where nothing tells this one: it looks again when it is looked at. */
export const whenLookedAt = { staleTime: 0, refetchOnWindowFocus: 'always' } as const
