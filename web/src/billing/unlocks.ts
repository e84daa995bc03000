import { CheckoutResponse } from '@contract/payment.ts'
import type { UnlockRequest } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ZodType, z } from 'zod'
import { api } from '@/lib/api'
import { ApiError, isNotFound } from '@/lib/errors'
import { pendingMutationCount } from '@/lib/query-cache'
import { toast } from '@/ui/toaster'
import { type PendingPurchase, redirectToCheckout } from './checkout'

/** Returns whether the server refused a payment because the price has changed. */
export function isPriceChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'amount_mismatch'
}

/** Something that is bought once: a premium post, or the photo of a message. */
interface Unlockable<Response> {
  id: string
  purchase: PendingPurchase
  /** The path of the request that pays. */
  path: string
  response: ZodType<Response>
  onUnlocked: (response: Response) => void
  /** Awaited before the error is shown. */
  onError: (error: unknown) => Promise<void> | void
}

export type Unlock = ReturnType<typeof useUnlock>

/**
 * Unlocks a post or photo for an amount in US dollars. The server responds with the unlocked content or with the URL of
 * the payment provider's page, to which the browser is redirected.
 */
export function useUnlock<Response extends object>({
  id,
  purchase,
  path,
  response,
  onUnlocked,
  onError,
}: Unlockable<Response>) {
  const client = useQueryClient()
  const scope = `unlock:${id}`
  const mutation = useMutation({
    scope: { id: scope },
    mutationFn: async (amount: number) => {
      try {
        const body = { amount } satisfies UnlockRequest
        return await api.post(path, body, z.union([response, CheckoutResponse]))
      } catch (error) {
        await onError(error)
        throw error
      }
    },
    meta: {
      errorTitle: t`Payment Failed`,
      errorMessage: (error) =>
        isNotFound(error) || isPriceChanged(error)
          ? null
          : t`Failed to unlock premium content. Please try again.`,
    },
    onSuccess: (result) => {
      if ('checkoutUrl' in result) {
        redirectToCheckout(result.checkoutUrl, purchase)
        return
      }
      onUnlocked(result)
      toast({ title: t`Content Unlocked!` })
    },
  })
  const unlock = (amount: number) => {
    // A second press can arrive before the button is rerendered as pending.
    if (pendingMutationCount(client, scope) === 0) mutation.mutate(amount)
  }
  return { unlock, isPending: mutation.isPending, error: mutation.error, reset: mutation.reset }
}
