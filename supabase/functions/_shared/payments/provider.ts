import { env } from '../env.ts'

/**
 * The provider's response to a charge:
 * - `paid`: the money was received. `reference` is the provider's id for the payment. The payment may already have been
 *   settled; settling it again has no effect.
 * - `checkout`: the payer has to pay on the provider's page at `url`. If they have already paid there with a delayed
 *   payment method, `url` is the page where they started instead.
 * - `closed`: the payment can no longer be made. Any money that was received is refunded.
 */
export type ChargeResult =
  | { state: 'paid'; reference: string | null }
  | { state: 'checkout'; url: string }
  | { state: 'closed' }

/** The counts of one run of the `payments` job. */
export type ReconcileResult = {
  /** Pending payments that the run settled or ended, because their webhook event had not arrived. */
  settled: number
  /** Subscriptions and plans whose cancellation, end or resumption was sent to the provider. */
  pushed: number
  /** Payments that were refunded, and checkout pages that were closed. */
  refunded: number
  /** Customers that were deleted at the provider, because the user's account was deleted here. */
  customersDeleted: number
  /** Items that failed. The next run tries them again. */
  failed: number
}

/** The functions of a provider with its own checkout pages, renewals and webhook. */
type HostedCheckout = {
  /**
   * Creates a link to the provider's page where a user manages their subscriptions.
   *
   * @returns null if the user is not a customer of the provider
   */
  createPortalUrl(userId: string): Promise<string | null>
  /**
   * Handles a webhook request. Events may arrive repeatedly and in any order.
   *
   * @param body the raw request body, because the signature covers every byte
   * @throws ApiError 400 if the signature is invalid or too old; any other error makes the provider send the event
   *   again
   */
  receiveWebhook(body: string, signature: string): Promise<void>
  /**
   * Sends the provider our pending changes, and syncs payments and subscriptions whose webhook events may be missing.
   * Safe to run at any time.
   */
  reconcile(): Promise<ReconcileResult>
  /**
   * Sends only the cancellations, ends and resumptions of subscriptions and plans: the part of `reconcile` that users
   * wait for.
   */
  pushSubscriptionChanges(): Promise<Pick<ReconcileResult, 'pushed' | 'failed'>>
}

/**
 * A payment provider. The payer's call creates a pending payment (who pays, what for, how much), the provider charges
 * it, and `private.settle_payment` books the result and delivers what was bought.
 */
export type PaymentProvider = {
  /**
   * Stored with every payment. The names are also listed in env.ts, contract/config.ts, stack/supervisor/settings.ts
   * and the check constraint in supabase/schemas/50_payments.sql. Some functions in that schema file contain rules that
   * apply only to Stripe.
   */
  name: 'test' | 'stripe'
  /**
   * Charges a pending payment. Repeating the call does not charge again.
   *
   * @throws ApiError 503 if the provider cannot be reached or reports an error; in that case, nothing is charged
   */
  charge(paymentId: string): Promise<ChargeResult>
  /** Null for a provider that completes every charge, renewals included, immediately. */
  hostedCheckout: HostedCheckout | null
}

/** A provider that accepts every charge immediately. No money moves. */
const testProvider: PaymentProvider = {
  name: 'test',
  charge: (paymentId) => Promise.resolve({ state: 'paid', reference: `test_${paymentId}` }),
  hostedCheckout: null,
}

async function selectProvider(): Promise<PaymentProvider | null> {
  // Imported only when used, because Stripe's SDK is large.
  if (env.payments === 'stripe') return (await import('./stripe/provider.ts')).stripeProvider
  return env.payments === 'test' ? testProvider : null
}

/** The configured provider; null if payments are off. */
export const paymentProvider: PaymentProvider | null = await selectProvider()
