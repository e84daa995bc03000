import { limits } from '@contract/limits.ts'
import { CreatorPro, TipState } from '@contract/payment.ts'
import { Post } from '@contract/post.ts'
import { Subscription } from '@contract/subscription.ts'
import { t } from '@lingui/core/macro'
import { z } from 'zod'
import { api, withQuery } from '@/lib/api'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { isolateBidi } from '@/lib/text'

/** A purchase that is paid for on the payment provider's page, with the values that the app shows afterwards. */
const PendingPurchase = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unlock'), postId: z.string() }),
  z.object({ kind: z.literal('tip'), tipId: z.string(), name: z.string(), amount: z.number() }),
  z.object({ kind: z.literal('subscription'), creatorId: z.string(), name: z.string() }),
  z.object({ kind: z.literal('creator_pro') }),
])
export type PendingPurchase = z.infer<typeof PendingPurchase>

const storageKey = 'ovation:checkout'

/** Opens the provider's payment page in this tab and stores `purchase` for the user's return. */
export function redirectToCheckout(url: string, purchase: PendingPurchase): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(purchase))
  } catch {
    // Without storage, `useCheckoutReturn` infers the purchase from the page that the user returns to.
  }
  window.location.assign(url)
}

/** Returns the purchase whose payment page this tab opened last, or null if that is not known. */
export function getPendingPurchase(): PendingPurchase | null {
  try {
    const stored = sessionStorage.getItem(storageKey)
    return stored === null ? null : (PendingPurchase.safeParse(JSON.parse(stored)).data ?? null)
  } catch {
    return null
  }
}

/** Deletes the stored purchase, so that it is not reported again. */
export function clearPendingPurchase(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Without storage, nothing was stored.
  }
}

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
    case 'tip': {
      const name = isolateBidi(purchase.name)
      const amount = dollars(purchase.amount)
      return { title: t`Thank you!`, text: t`You sent ${name} a tip of ${amount}.` }
    }
    case 'subscription': {
      const name = isolateBidi(purchase.name)
      return {
        title: t`You're subscribed to ${name}`,
        text: t`Payment received. Subscriber posts are now unlocked.`,
      }
    }
    case 'creator_pro':
      return { title: t`Welcome to Creator Pro`, text: t`Payment received. You're a creator now.` }
  }
}

/**
 * Returns text that says what will happen when a pending payment arrives, and for monthly plans a link to the payment's
 * status.
 */
export function paymentPendingText(purchase: PendingPurchase | null): {
  text: string
  to?: string
  label?: string
} {
  switch (purchase?.kind) {
    case 'unlock':
      return { text: t`The post unlocks when it arrives. You don't need to pay again.` }
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
