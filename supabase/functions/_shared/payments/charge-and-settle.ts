import type { CheckoutResponse } from '../contract/payment.ts'
import { runInBackground } from '../http/background.ts'
import { asService } from '../http/run-as.ts'
import { type PaymentProvider, paymentProvider } from './provider.ts'

/**
 * `paid` if the purchase is complete; `void` if the payment can no longer be made, or bought nothing and is refunded;
 * otherwise the checkout page where the payer pays.
 */
export type SettleResult = 'paid' | 'void' | CheckoutResponse

/**
 * Charges a pending payment and settles it with the provider's result. Repeating the call does not charge again and
 * returns the same checkout page while that page is open.
 *
 * @throws any error that the provider throws; the payment then stays pending
 */
export async function chargeAndSettle(paymentId: string, provider: PaymentProvider): Promise<SettleResult> {
  const result = await provider.charge(paymentId)
  if (result.state === 'checkout') return { checkoutUrl: result.url }
  if (result.state === 'closed') return 'void'
  const [settled] = await asService(
    (tx) => tx<{ isPaid: boolean }[]>`
      select private.settle_payment(${paymentId}::text::uuid, ${result.reference}::text) as "isPaid"`,
  )
  return settled?.isPaid ? 'paid' : 'void'
}

/**
 * Sends cancellations and resumptions of subscriptions and plans to the provider, without delaying the response. If
 * that fails, the `payments` job sends them within minutes.
 */
export function pushSubscriptionChangesInBackground(): void {
  const hosted = paymentProvider?.hostedCheckout
  if (hosted) runInBackground(hosted.pushSubscriptionChanges(), 'provider_sync_failed')
}
