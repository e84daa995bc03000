import { CheckoutResponse, type TipRequest, TipResponse } from '@contract/payment.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { z } from 'zod'
import { ApiError, api, errorMessage, isTransient, isUnauthorized } from '@/lib/api'
import { durableStorage } from '@/lib/storage'
import { useCurrentUser } from '@/session/session'
import { redirectToCheckout } from './checkout'
import { clearTipId, getOrCreateTipId } from './get-or-create-tip-id'

const Answer = z.union([TipResponse, CheckoutResponse])
type Tip = { amount: number; note: string }

/**
 * Sends a tip to a creator, or leads to where it is paid. The same tip sent again without an answer to the first is the
 * same tip for the server, which takes its money once, also from another dialog, after a reload and in another tab.
 *
 * @param to whom, what they are called, and the post it is for, if for one
 */
export function useSendTip(to: { creatorId: string; name: string; postId: string | undefined }) {
  const { user } = useCurrentUser()
  const kept = durableStorage(user?.id ?? '')
  const isSending = useRef(false)
  const mutation = useMutation({
    mutationFn: async ({ amount, note }: Tip) => {
      const id = getOrCreateTipId(kept, to, JSON.stringify([amount, note]))
      const body: TipRequest = { id, amount, note: note || null, postId: to.postId ?? null }
      const answer = await api
        .post(`/api/users/${to.creatorId}/tip`, body, Answer)
        .catch((error: unknown) => {
          // After a refusal nobody wonders whether it was paid.
          if (!isTransient(error)) clearTipId(kept, to, id)
          throw error
        })
      clearTipId(kept, to, id)
      if ('checkoutUrl' in answer) {
        redirectToCheckout(answer.checkoutUrl, { kind: 'tip', tipId: id, name: to.name, amount })
        return null
      }
      return answer
    },
    onSettled: () => {
      isSending.current = false
    },
  })
  const send = (tip: Tip) => {
    // A second press comes before the button is drawn anew.
    if (isSending.current) return
    isSending.current = true
    mutation.mutate(tip)
  }
  return {
    send,
    isPending: mutation.isPending,
    /** Of the tip that was paid. */
    paid: mutation.data?.amount,
    failure: mutation.error && !isUnauthorized(mutation.error) ? reasonOf(mutation.error) : null,
  }
}

function reasonOf(error: Error): string {
  // A refusal has its reason, which trying again does not change.
  if (error instanceof ApiError) return errorMessage(error, 'Your tip could not be sent. Please try again.')
  return 'Your tip may not have been sent: the connection was lost. Sent again as it is, it is paid once.'
}
