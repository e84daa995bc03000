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
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { toast } from '@/ui/toaster'
import { showError } from '../show-error'
import { userStatsQuery } from '../users/api'

const all = ['admin', 'payouts'] as const

/**
 * Payouts in a state, or all of them, the newest first. Other admins settle them as well, which nothing tells
 * this page: it asks again every half minute.
 */
export const payoutsQuery = (state: PayoutState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...all, state],
    queryFn: ({ pageParam, signal }) => {
      const query = { state, limit: limits.page.payouts, cursor: pageParam ?? undefined }
      return api.page(withQuery('/api/admin/payouts', query), AdminPayout, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    staleTime: 0,
    refetchInterval: intervals.pollMs,
  })

/** Says what became of a payout. What stands in the way is told, and the list is read again: it may be settled. */
export function useSettlePayout(onDone: () => void) {
  const client = useQueryClient()
  const scope = 'admin:settle'
  const mutation = useMutation({
    scope: { id: scope },
    mutationFn: ({ id, ...form }: { id: string } & SettlePayoutRequest) =>
      api.post(`/api/admin/payouts/${id}/settle`, form, AdminPayout),
    onSuccess: (settled) => {
      // It stays where it stands until the list is read again, so that nothing jumps under the pointer.
      client.setQueriesData<InfiniteData<Page<AdminPayout>>>({ queryKey: all }, (data) =>
        replace(data, settled),
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
      void client.invalidateQueries({ queryKey: all })
    },
  })
  const settle = (form: { id: string } & SettlePayoutRequest) => {
    // A second press comes before the button is drawn anew.
    if (pendingMutationCount(client, scope) === 0) mutation.mutate(form)
  }
  return { settle, isPending: mutation.isPending }
}

/** Where a payout is to go, in full. Each time is recorded, so it is asked for by a press alone, and kept nowhere. */
export function usePayoutDetails() {
  const client = useQueryClient()
  return useMutation({
    gcTime: 0,
    mutationFn: (id: string) => api.post(`/api/admin/payouts/${id}/details`, {}, PayoutDestination),
    onError: (error) => {
      showError(error, 'The details could not be shown. Please try again.')
      void client.invalidateQueries({ queryKey: all })
    },
  })
}

function replace(data: InfiniteData<Page<AdminPayout>> | undefined, settled: AdminPayout) {
  return (
    data && {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        items: page.items.map((one) => (one.id === settled.id ? settled : one)),
      })),
    }
  )
}
