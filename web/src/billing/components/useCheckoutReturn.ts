import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { matchPath, useLocation, useSearchParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-keys'
import { clearPendingPurchase, getPendingPurchase, type PendingPurchase } from '../checkout'
import { fetchPaymentStatus, type PaymentStatus, paymentPollDelaysMs } from '../payment-status'

/** Somebody came back from a payment page. `bought` is null where nothing tells what for. */
export type CheckoutResult = {
  bought: PendingPurchase | null
  /** 'cancelled': they turned back there. 'silent': nothing was heard for as long as it makes sense to wait. */
  state: PaymentStatus | 'cancelled' | 'silent'
}

/**
 * What has become of the payment that somebody comes back from (`?checkout=done|cancelled`, which is taken out of the
 * address). The server is asked until it has heard of it, and then what is shown is read again; `lookAgain` does both
 * anew after a silence.
 */
export function useCheckoutReturn(): {
  back: CheckoutResult | null
  dismiss: () => void
  lookAgain: () => void
} {
  const client = useQueryClient()
  const { pathname } = useLocation()
  const [params, setParams] = useSearchParams()
  const said = params.get('checkout')
  const [back, setBack] = useState<CheckoutResult | null>(null)

  useEffect(() => {
    if (said === null) return
    const bought = getPendingPurchase() ?? guess(pathname, params)
    if (said === 'done') setBack({ bought, state: 'pending' })
    if (said === 'cancelled') setBack({ bought, state: 'cancelled' })
    setParams(
      (now) => {
        now.delete('checkout')
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  }, [said, pathname, params, setParams])

  const bought = back?.bought
  const isPending = back?.state === 'pending'
  const hasEnded = back !== null && !isPending
  useEffect(() => {
    // Not while it is read: what reads it may run twice.
    if (hasEnded) clearPendingPurchase()
  }, [hasEnded])
  useEffect(() => {
    if (!isPending) return
    const leaving = new AbortController()
    const end = (state: CheckoutResult['state']) => setBack((now) => now && { ...now, state })
    void (async () => {
      for (const wait of paymentPollDelaysMs) {
        await new Promise((go) => setTimeout(go, wait))
        if (leaving.signal.aborted) return
        const standing = bought && (await ask(bought, leaving.signal))
        if (leaving.signal.aborted) return
        // Where it is not known what was paid for, it is looked for in what is shown.
        if (!bought || standing === 'paid') readAgain(client)
        if (standing === 'paid' || standing === 'failed') {
          end(standing)
          return
        }
      }
      end('silent')
    })()
    return () => leaving.abort()
  }, [isPending, bought, client])
  const lookAgain = () => {
    readAgain(client)
    setBack((now) => now && { ...now, state: 'pending' })
  }
  return { back, dismiss: () => setBack(null), lookAgain }
}

/** A question without an answer says nothing: the next one may have one. */
const ask = (bought: PendingPurchase, signal: AbortSignal) =>
  fetchPaymentStatus(bought, signal).catch((): PaymentStatus => 'pending')

/** From the page that they came back to, where this tab does not know; null for a profile, where two things are paid. */
function guess(pathname: string, params: URLSearchParams): PendingPurchase | null {
  const postId = matchPath(paths.post.path, pathname)?.params.id
  if (postId) return { kind: 'unlock', postId }
  return matchPath(paths.settings.path, pathname) && params.get('tab') === 'billing'
    ? { kind: 'creator_pro' }
    : null
}

function readAgain(client: ReturnType<typeof useQueryClient>): void {
  const { users, posts, comments, subscriptions, creatorPro, currentUser } = queryKeys
  for (const queryKey of [users, posts, comments, subscriptions, creatorPro, currentUser]) {
    void client.invalidateQueries({ queryKey })
  }
}
