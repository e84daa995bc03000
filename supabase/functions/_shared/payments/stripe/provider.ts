import type { PaymentProvider } from '../provider.ts'
import { charge } from './checkout.ts'
import { createPortalUrl } from './customers.ts'
import { pushSubscriptionChanges, reconcile } from './reconcile.ts'
import { receiveWebhook } from './webhook.ts'

/** Stripe as a provider. Payers pay on Stripe's pages. Stripe renews subscriptions and reports payments by webhook. */
export const stripeProvider: PaymentProvider = {
  name: 'stripe',
  charge,
  hostedCheckout: {
    createPortalUrl,
    receiveWebhook,
    reconcile,
    pushSubscriptionChanges: () => pushSubscriptionChanges(),
  },
}
