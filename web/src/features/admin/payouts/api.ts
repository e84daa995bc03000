import {
  AdminPayout,
  PayoutDestination,
  type PayoutState,
  type SettlePayoutRequest,
} from '@contract/earnings.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { type InfiniteData, infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, isTransient, type Page, withQuery } from '@/lib/api'
import { pendingMutationCount } from '@/lib/query-cache'
import { toast } from '@/ui/toaster'
import { showError } from '../show-error'
import { userStatsQuery } from '../users/api'

const payoutsKey = ['admin', 'payouts'] as const

/**
 * The payouts in a state, or all payouts, newest first. There is no realtime event when another admin settles a payout,
 * so the list polls.
 */
export const payoutsQuery = (state: PayoutState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...payoutsKey, state],
    queryFn: ({ pageParam, signal }) => {
      const query = { state, limit: limits.page.payouts, cursor: pageParam ?? undefined }
      return api.page(withQuery('/api/admin/payouts', query), AdminPayout, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (lastPage) => lastPage.nextCursor,
    staleTime: 0,
    refetchInterval: intervals.pollMs,
  })

/** Marks a payout as paid or failed. After an error the list is refetched, as the payout may be settled already. */
export function useSettlePayout(onDone: () => void) {
  const client = useQueryClient()
  const scope = 'admin:settle'
  const mutation = useMutation({
    scope: { id: scope },
    mutationFn: ({ id, ...form }: { id: string } & SettlePayoutRequest) =>
      api.post(`/api/admin/payouts/${id}/settle`, form, AdminPayout),
    onSuccess: (settled) => {
      // The payout stays in the list until the next refetch, so that no row moves under the pointer.
      client.setQueriesData<InfiniteData<Page<AdminPayout>>>({ queryKey: payoutsKey }, (data) =>
        replacePayout(data, settled),
      )
      void client.invalidateQueries({ queryKey: userStatsQuery.queryKey })
      toast({ title: settled.state === 'paid' ? 'Marked as paid' : 'Marked as failed' })
      onDone()
    },
    onError: (error) => {
      showError(
        error,
        isTransient(error)
          ? 'The connection was lost. The list shows whether the payout was settled.'
          : 'The payout could not be settled. Please try again.',
      )
      void client.invalidateQueries({ queryKey: payoutsKey })
    },
  })
  const settle = (form: { id: string } & SettlePayoutRequest) => {
    // A second click can arrive before the button shows that the request is pending.
    if (pendingMutationCount(client, scope) === 0) mutation.mutate(form)
  }
  return { settle, isPending: mutation.isPending }
}

/**
 * Loads the full destination of a payout. The server records each request, so it is a mutation that only a click
 * starts, and the result is not cached.
 */
export function usePayoutDetails() {
  const client = useQueryClient()
  return useMutation({
    gcTime: 0,
    mutationFn: (id: string) => api.post(`/api/admin/payouts/${id}/details`, {}, PayoutDestination),
    onError: (error) => {
      showError(error, 'The details could not be shown. Please try again.')
      void client.invalidateQueries({ queryKey: payoutsKey })
    },
  })
}

function replacePayout(data: InfiniteData<Page<AdminPayout>> | undefined, settled: AdminPayout) {
  return (
    data && {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        items: page.items.map((payout) => (payout.id === settled.id ? settled : payout)),
      })),
    }
  )
}
