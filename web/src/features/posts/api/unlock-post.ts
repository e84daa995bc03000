import { CheckoutResponse } from '@contract/payment.ts'
import { Post, type UnlockRequest, UnlockResponse } from '@contract/post.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { redirectToCheckout } from '@/billing/checkout'
import { ApiError, api, isUnauthorized } from '@/lib/api'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { toast } from '@/ui/toaster'
import { isPostGone, removeGonePost } from './gone-posts'
import { updatePost } from './post-cache'

const Answer = z.union([UnlockResponse, CheckoutResponse])

/** True for the answer that a post costs something else by now. */
export function isPriceChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'amount_mismatch'
}

/**
 * Unlocks a premium post for the amount given, in US dollars: it opens wherever it is shown, or the payment goes on
 * elsewhere. Where the price has changed, the post is read again, so that the new one can be asked about.
 */
export function useUnlock(postId: string) {
  const client = useQueryClient()
  const scope = `unlock:${postId}`
  const mutation = useMutation({
    scope: { id: scope },
    mutationFn: (amount: number) =>
      api.post(`/api/posts/${postId}/unlock`, { amount } satisfies UnlockRequest, Answer),
    onSuccess: (answer) => {
      if ('checkoutUrl' in answer) {
        redirectToCheckout(answer.checkoutUrl, { kind: 'unlock', postId })
        return
      }
      updatePost(client, postId, () => answer.post)
      toast({ title: 'Content Unlocked!' })
    },
    onError: async (error) => {
      if (isUnauthorized(error)) return
      if (isPostGone(error)) {
        removeGonePost(client, postId)
        return
      }
      if (isPriceChanged(error) && (await readAgain(client, postId))) return
      toast({
        title: 'Payment Failed',
        description: 'Failed to unlock premium content. Please try again.',
        tone: 'destructive',
      })
    },
  })
  const unlock = (amount: number) => {
    // A second press comes before the button is drawn anew.
    if (pendingMutationCount(client, scope) === 0) mutation.mutate(amount)
  }
  return { unlock, isPending: mutation.isPending, error: mutation.error, reset: mutation.reset }
}

async function readAgain(client: QueryClient, postId: string): Promise<boolean> {
  try {
    const post = await api.get(`/api/posts/${postId}`, Post)
    updatePost(client, postId, () => post)
    return true
  } catch {
    return false
  }
}
