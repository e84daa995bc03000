import {
  AdminPayout,
  type AdminPayoutsQuery,
  PayoutDestination,
  type PayoutState,
  type SettlePayoutRequest,
} from '@contract/earnings.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { type InfiniteData, infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Page, pagedList } from '@/lib/api'
import { errorMessage, isTransient } from '@/lib/errors'
import { pendingMutationCount, updateItems } from '@/lib/query-cache'
import { toast } from '@/ui/toaster'
import { userStatsQuery } from '../users/api'

const payoutsKey = ['admin', 'payouts'] as const

/**
 * The payouts in a state, or all payouts. Requested payouts are sorted oldest first, because those are settled first,
 * and others newest first. There is no realtime event when another admin settles a payout, so the list polls.
 */
export const payoutsQuery = (state: PayoutState | undefined) => {
  const sort: AdminPayoutsQuery['sort'] = state === 'requested' ? 'oldest' : 'newest'
  return infiniteQueryOptions({
    queryKey: [...payoutsKey, state],
    ...pagedList('/api/admin/payouts', { state, sort, limit: limits.page.payouts }, AdminPayout),
    staleTime: 0,
    refetchInterval: intervals.pollMs,
  })
}

/** Marks a payout as paid or failed. Refetches the list on error, because the payout may already be settled. */
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
        updateItems(data, (items) => items.map((payout) => (payout.id === settled.id ? settled : payout))),
      )
      void client.invalidateQueries({ queryKey: userStatsQuery.queryKey })
      toast({ title: settled.state === 'paid' ? t`Marked as paid` : t`Marked as failed` })
      onDone()
    },
    onError: () => void client.invalidateQueries({ queryKey: payoutsKey }),
    meta: {
      errorMessage: (error) =>
        errorMessage(
          error,
          isTransient(error)
            ? t`The connection was lost. The list shows whether the payout was settled.`
            : t`Couldn't settle the payout. Try again.`,
        ),
    },
  })
  const settle = (form: { id: string } & SettlePayoutRequest) => {
    // A second click can arrive before the button shows that the request is pending.
    if (pendingMutationCount(client, scope) === 0) mutation.mutate(form)
  }
  return { settle, isPending: mutation.isPending }
}

/**
 * Loads the full destination of a payout. The server records each request, so this is a mutation that only a click
 * starts, and its result is not cached.
 */
export function usePayoutDetails() {
  const client = useQueryClient()
  return useMutation({
    gcTime: 0,
    mutationFn: (id: string) => api.post(`/api/admin/payouts/${id}/details`, {}, PayoutDestination),
    onError: () => void client.invalidateQueries({ queryKey: payoutsKey }),
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't load the payout details. Try again.`) },
  })
}
