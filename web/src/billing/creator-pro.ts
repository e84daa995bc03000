import { CheckoutResponse, CreatorPro, PortalResponse } from '@contract/payment.ts'
import type { ProfileRequest } from '@contract/settings.ts'
import { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { create } from 'zustand'
import { api } from '@/lib/api'
import { ApiError, errorMessage, ignoreNotFound } from '@/lib/errors'
import { queryKeys } from '@/lib/query-client'
import { longDate } from '@/lib/time'
import { currentUserQuery, useCurrentUser } from '@/session/session'
import { toast } from '@/ui/toaster'
import { redirectToCheckout } from './checkout'

/** Whether a creator account needs a paid plan on this instance, and the current user's plan. */
export const creatorProQuery = queryOptions({
  queryKey: queryKeys.creatorPro,
  queryFn: ({ signal }) => api.get('/api/creator-pro', CreatorPro, { signal }),
})

/** Returns whether the current user has to pay to become a creator, or undefined while that is unknown. */
export function useNeedsCreatorPro(): boolean | undefined {
  const { user } = useCurrentUser()
  const { data } = useQuery({ ...creatorProQuery, enabled: user !== null && !user.isCreator })
  if (user?.isCreator) return false
  return user && data ? data.billing && data.plan?.state !== 'active' : undefined
}

/**
 * The state of the upgrade dialog, which all screens share. `finalFocus` returns the element that receives focus when
 * the dialog closes.
 */
export const useUpgradeDialog = create<{ open: boolean; finalFocus: (() => HTMLElement | null) | undefined }>(
  () => ({ open: false, finalFocus: undefined }),
)

/** Opens the dialog that upgrades to Creator Pro. */
export function openUpgradeDialog(finalFocus?: () => HTMLElement | null): void {
  useUpgradeDialog.setState({ open: true, finalFocus })
}

export const closeUpgradeDialog = () => useUpgradeDialog.setState({ open: false })

const UpgradeResponse = z.union([CreatorPro, CheckoutResponse])

/** Pays for Creator Pro, or resumes a cancelled plan. Redirects to the payment page if the payment is made there. */
export function useUpgrade() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'creator-pro' },
    mutationFn: (_action: 'start' | 'resume') => api.post('/api/creator-pro', undefined, UpgradeResponse),
    onSuccess: (response, action) => {
      if ('checkoutUrl' in response) {
        redirectToCheckout(response.checkoutUrl, { kind: 'creator_pro' })
        return
      }
      client.setQueryData(creatorProQuery.queryKey, response)
      invalidateCreatorState(client)
      if (response.plan?.state !== 'active' || response.plan.cancelled) {
        toast({
          title: t`Payment Failed`,
          description: t`Payments are turned off right now. Try again later.`,
          tone: 'destructive',
        })
        return
      }
      toast(
        action === 'resume'
          ? { title: t`Creator Pro resumed` }
          : { title: t`Welcome to Creator Pro`, description: t`You're a creator now.` },
      )
    },
    onError: () => void client.invalidateQueries({ queryKey: queryKeys.creatorPro }),
    meta: {
      errorTitle: t`Payment Failed`,
      errorMessage: (error) => {
        const notCharged = t`You haven't been charged. Try again.`
        // These errors contain the server's reason, and a retry would fail in the same way.
        const isRejected = error instanceof ApiError && [403, 409, 429].includes(error.status)
        return isRejected ? errorMessage(error, notCharged) : notCharged
      },
    },
  })
}

/** Makes the user a creator for free. The server rejects the request if the site charges for Creator Pro. */
export function useFreeUpgrade() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'creator-pro' },
    mutationFn: () => api.patch('/api/profile', { isCreator: true } satisfies ProfileRequest, OwnUser),
    onSuccess: (user) => {
      client.setQueryData(currentUserQuery.queryKey, user)
      toast({ title: t`Welcome to Creator Pro`, description: t`You're a creator now.` })
    },
    onSettled: () => invalidateCreatorState(client),
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't upgrade. Try again.`) },
  })
}

/** Cancels the plan: at the end of the paid month, or immediately if the current month has not been paid for. */
export function useCancelCreatorPro(periodEnd: string | null) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'creator-pro' },
    // A plan that has already ended counts as cancelled.
    mutationFn: () => ignoreNotFound(api.delete('/api/creator-pro')),
    onSuccess: () => {
      const isRunning = periodEnd !== null && Date.parse(periodEnd) > Date.now()
      const date = isRunning && longDate(periodEnd)
      toast({
        title: t`Creator Pro cancelled`,
        ...(date && { description: t`Your plan runs until ${date}.` }),
      })
    },
    meta: { errorMessage: t`Couldn't cancel Creator Pro. Try again.` },
    onSettled: () => invalidateCreatorState(client),
  })
}

/** Opens the payment provider's page for managing monthly payments. */
export function useBillingPortal() {
  return useMutation({
    mutationFn: () => api.post('/api/billing/portal', undefined, PortalResponse),
    onSuccess: ({ url }) => window.location.assign(url),
    meta: { errorMessage: t`Couldn't open the billing page. Try again.` },
  })
}

/** Refetches the plan and everything that shows whether the user is a creator. */
function invalidateCreatorState(client: QueryClient): void {
  for (const queryKey of [queryKeys.creatorPro, queryKeys.currentUser, queryKeys.users, queryKeys.posts]) {
    void client.invalidateQueries({ queryKey })
  }
}
