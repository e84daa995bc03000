import { limits } from '@contract/limits.ts'
import { ChatMessage } from '@contract/message.ts'
import { CreatorPro, TipState } from '@contract/payment.ts'
import { Post } from '@contract/post.ts'
import { Subscription } from '@contract/subscription.ts'
import { t } from '@lingui/core/macro'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { isolateBidi } from '@/lib/text'
import type { PendingPurchase } from './checkout'

/** The state of a payment on the provider's page, as far as the provider has reported it to the server. */
export type PaymentStatus = 'pending' | 'paid' | 'failed'

/** The delays before each poll of a payment's status: short at first, then longer, 100 seconds in total. */
export const paymentPollDelaysMs = [0, 1000, 2000, 3000, 4000, 6000, 8000, 11_000, 15_000, 20_000, 30_000]

/** Fetches the status of a purchase's payment from the server. */
export async function fetchPaymentStatus(
  purchase: PendingPurchase,
  signal: AbortSignal,
): Promise<PaymentStatus> {
  switch (purchase.kind) {
    case 'unlock': {
      const { locked, paymentPending } = await api.get(`/api/posts/${purchase.postId}`, Post, { signal })
      return locked ? (paymentPending ? 'pending' : 'failed') : 'paid'
    }
    case 'photo': {
      const path = withQuery(`/api/messages/${purchase.senderId}`, { around: purchase.messageId, limit: 1 })
      const [message] = await api.get(path, z.array(ChatMessage), { signal })
      return message?.paidPhoto ? (message.paidPhoto.unlocked ? 'paid' : 'pending') : 'failed'
    }
    case 'tip':
      return (await api.get(`/api/tips/${purchase.tipId}`, TipState, { signal })).state
    case 'subscription': {
      const path = withQuery('/api/user/subscriptions', { limit: limits.page.subscriptions })
      const subscriptions = await api.get(path, z.array(Subscription), { signal })
      return planPaymentStatus(subscriptions.find(({ creatorId }) => creatorId === purchase.creatorId)?.state)
    }
    case 'creator_pro':
      return planPaymentStatus((await api.get('/api/creator-pro', CreatorPro, { signal })).plan?.state)
  }
}

const planPaymentStatus = (state: 'pending' | 'active' | 'ended' | undefined): PaymentStatus =>
  state === 'active' ? 'paid' : state === 'pending' ? 'pending' : 'failed'

/** Returns the title and text for a purchase whose payment has arrived. */
export function paymentSuccessText(purchase: PendingPurchase): { title: string; text: string } {
  switch (purchase.kind) {
    case 'unlock':
      return {
        title: t`Content Unlocked!`,
        text: t`Payment received. The post is yours to keep.`,
      }
    case 'photo':
      return { title: t`Content Unlocked!`, text: t`Payment received. You can see the photo now.` }
    case 'tip': {
      const name = isolateBidi(purchase.name)
      const amount = dollars(purchase.amount)
      return { title: t`Thank you!`, text: t`You sent ${name} a tip of ${amount}.` }
    }
    case 'subscription': {
      const name = isolateBidi(purchase.name)
      return {
        title: t`You're subscribed to ${name}`,
        text: t`Payment received. Posts for subscribers are now unlocked.`,
      }
    }
    case 'creator_pro':
      return { title: t`Welcome to Creator Pro`, text: t`Payment received. You're a creator now.` }
  }
}

/**
 * Returns text that says what will happen when a pending payment arrives, and for subscriptions and Creator Pro a link
 * to the payment's status.
 */
export function paymentPendingText(purchase: PendingPurchase | null): {
  text: string
  to?: string
  label?: string
} {
  switch (purchase?.kind) {
    case 'unlock':
      return { text: t`The post unlocks when it arrives. You don't need to pay again.` }
    case 'photo':
      return { text: t`If you paid, the photo unlocks as soon as our payment provider confirms it.` }
    case 'tip': {
      const name = isolateBidi(purchase.name)
      return { text: t`${name} gets your tip when it arrives. You don't need to send it again.` }
    }
    case 'subscription':
    case 'creator_pro':
      return {
        text: t`You can follow it in Billing. You don't need to pay again.`,
        to: paths.settings.getHref('billing'),
        label: t`Open Billing`,
      }
    default:
      return { text: t`What you paid for appears here when it arrives.` }
  }
}
