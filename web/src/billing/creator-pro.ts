import { CheckoutResponse, CreatorPro, PortalResponse } from '@contract/payment.ts'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { create } from 'zustand'
import { ApiError, api, errorMessage, isUnauthorized } from '@/lib/api'
import { longDate } from '@/lib/format'
import { queryKeys } from '@/lib/query-keys'
import { useCurrentUser } from '@/session/session'
import { toast } from '@/ui/toaster'
import { redirectToCheckout } from './checkout'

/** Whether creators pay for being one here, and the plan of who is signed in. */
export const creatorProQuery = queryOptions({
  queryKey: queryKeys.creatorPro,
  queryFn: ({ signal }) => api.get('/api/creator-pro', CreatorPro, { signal }),
})

/** Whether somebody becomes a creator by paying; undefined while that is not known. */
export function useNeedsCreatorPro(): boolean | undefined {
  const { user } = useCurrentUser()
  const { data } = useQuery({ ...creatorProQuery, enabled: user !== null && !user.isCreator })
  if (user?.isCreator) return false
  return user && data ? data.billing && data.plan?.state !== 'active' : undefined
}

/** Whether the upgrade is being asked about, in the one dialog for all screens, and what gets the focus afterwards. */
export const useUpgradeDialog = create<{ open: boolean; finalFocus: (() => HTMLElement | null) | undefined }>(
  () => ({ open: false, finalFocus: undefined }),
)

/** Opens the dialog that upgrades to Creator Pro. */
export function openUpgradeDialog(finalFocus?: () => HTMLElement | null): void {
  useUpgradeDialog.setState({ open: true, finalFocus })
}

export const closeUpgradeDialog = () => useUpgradeDialog.setState({ open: false })

const Answer = z.union([CreatorPro, CheckoutResponse])

/** Pays for Creator Pro ('anew'), or lets a cancelled plan go on; leads to where it is paid, if that is elsewhere. */
export function useUpgrade() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'creator-pro' },
    mutationFn: (_how: 'anew' | 'on') => api.post('/api/creator-pro', undefined, Answer),
    onSuccess: (answer, how) => {
      if ('checkoutUrl' in answer) {
        redirectToCheckout(answer.checkoutUrl, { kind: 'creator_pro' })
        return
      }
      client.setQueryData(creatorProQuery.queryKey, answer)
      readAgain(client)
      if (answer.plan?.state !== 'active' || answer.plan.cancelled) {
        failed('No payments are taken at the moment.')
        return
      }
      toast(
        how === 'on'
          ? { title: 'Creator Pro goes on' }
          : { title: 'Welcome to Creator Pro', description: 'You are a creator now.' },
      )
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      // A refusal has its reason, which trying again does not change.
      const refused = error instanceof ApiError && [403, 409, 429].includes(error.status)
      failed(refused ? errorMessage(error, '') : 'Nothing was paid. Please try again.')
      void client.invalidateQueries({ queryKey: queryKeys.creatorPro })
    },
  })
}

function failed(description: string): void {
  toast({ title: 'Payment Failed', description, tone: 'destructive' })
}

/** Ends the plan with the month that is paid; one that is not paid, at once. */
export function useCancelCreatorPro(periodEnd: string | null) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'creator-pro' },
    mutationFn: async () => {
      try {
        await api.delete('/api/creator-pro')
      } catch (error) {
        // It has ended already.
        if (!(error instanceof ApiError && error.status === 404)) throw error
      }
    },
    onSuccess: () => {
      const runs = periodEnd !== null && Date.parse(periodEnd) > Date.now()
      toast({
        title: 'Creator Pro cancelled',
        ...(runs ? { description: `It runs until ${longDate(periodEnd)}.` } : {}),
      })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: 'Error',
        description: 'Creator Pro could not be cancelled. Please try again.',
        tone: 'destructive',
      })
    },
    onSettled: () => readAgain(client),
  })
}

/** Goes to the payment provider's own page for what is paid by the month. */
export function useBillingPortal() {
  return useMutation({
    mutationFn: () => api.post('/api/billing/portal', undefined, PortalResponse),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: 'Error',
        description: 'The page of the payment provider did not open. Please try again.',
        tone: 'destructive',
      })
    },
  })
}

/** A plan makes somebody a creator, or no longer one, wherever they are shown. */
function readAgain(client: QueryClient): void {
  for (const queryKey of [queryKeys.creatorPro, queryKeys.currentUser, queryKeys.users, queryKeys.posts]) {
    void client.invalidateQueries({ queryKey })
  }
}
