import { CheckoutResponse } from '@contract/payment.ts'
import type { UnlockRequest } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ZodType, z } from 'zod'
import { api } from '@/lib/api'
import { ApiError, errorMessage, isNotFound, isPriceChanged } from '@/lib/errors'
import { pendingMutationCount } from '@/lib/query-cache'
import { toast } from '@/ui/toaster'
import { type PendingPurchase, redirectToCheckout } from './checkout'

/** Something that is bought once: a premium post, or the photo of a message. */
interface Unlockable<Response> {
  id: string
  purchase: PendingPurchase
  /** The path of the request that pays. */
  path: string
  response: ZodType<Response>
  onUnlocked: (response: Response) => void
  /**
   * Refetches the content after an error. Returns whether it is unlocked, which is possible if the response to the
   * payment was lost.
   */
  onError: (error: unknown) => Promise<boolean>
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
        if (await onError(error)) return null
        throw error
      }
    },
    meta: {
      errorTitle: t`Payment Failed`,
      errorMessage: (error) => {
        // The dialog shows the new price, and a post that no longer exists is removed with its own toast.
        if (isPriceChanged(error) || (isNotFound(error) && purchase.kind === 'unlock')) return null
        const fallback = t`Failed to unlock premium content. Please try again.`
        // These errors contain the server's reason, and a retry would fail in the same way.
        const isRejected = error instanceof ApiError && [403, 404, 409].includes(error.status)
        return isRejected ? errorMessage(error, fallback) : fallback
      },
    },
    onSuccess: (result) => {
      if (result && 'checkoutUrl' in result) {
        redirectToCheckout(result.checkoutUrl, purchase)
        return
      }
      if (result) onUnlocked(result)
      toast({ title: t`Content Unlocked!` })
    },
  })
  const unlock = (amount: number) => {
    // A second press can arrive before the button is rerendered as pending.
    if (pendingMutationCount(client, scope) === 0) mutation.mutate(amount)
  }
  return { unlock, isPending: mutation.isPending, error: mutation.error, reset: mutation.reset }
}
