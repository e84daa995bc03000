import type { PaymentProvider } from '../provider.ts'
import { charge } from './checkout.ts'
import { createPortalUrl } from './customers.ts'
import { pushSubscriptionChanges, reconcile } from './reconcile.ts'
import { receiveWebhook } from './webhook.ts'

/** Stripe: payers pay on its pages, it renews subscriptions itself and reports both through its webhook. */
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
