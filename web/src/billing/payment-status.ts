import { limits } from '@contract/limits.ts'
import { CreatorPro, TipState } from '@contract/payment.ts'
import { Post } from '@contract/post.ts'
import { Subscription } from '@contract/subscription.ts'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import type { PendingPurchase } from './checkout'

/** How a payment that is made elsewhere stands, as far as the server has heard. */
export type PaymentStatus = 'pending' | 'paid' | 'failed'

/** Milliseconds before each question: soon at first, then ever more patiently, a hundred seconds in all. */
export const paymentPollDelaysMs = [0, 1000, 2000, 3000, 4000, 6000, 8000, 11_000, 15_000, 20_000, 30_000]

/** Asks the server what it has heard of a payment. */
export async function fetchPaymentStatus(
  bought: PendingPurchase,
  signal: AbortSignal,
): Promise<PaymentStatus> {
  switch (bought.kind) {
    case 'unlock': {
      const { locked, paymentPending } = await api.get(`/api/posts/${bought.postId}`, Post, { signal })
      return locked ? (paymentPending ? 'pending' : 'failed') : 'paid'
    }
    case 'tip':
      return (await api.get(`/api/tips/${bought.tipId}`, TipState, { signal })).state
    case 'subscription': {
      const path = withQuery('/api/user/subscriptions', { limit: limits.page.subscriptions })
      const latest = await api.get(path, z.array(Subscription), { signal })
      return of(latest.find(({ creatorId }) => creatorId === bought.creatorId)?.state)
    }
    case 'creator_pro':
      return of((await api.get('/api/creator-pro', CreatorPro, { signal })).plan?.state)
  }
}

const of = (state: 'pending' | 'active' | 'ended' | undefined): PaymentStatus =>
  state === 'active' ? 'paid' : state === 'pending' ? 'pending' : 'failed'
