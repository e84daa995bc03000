import type { PaymentsPort } from '../port.ts'
import { catchUp, tellEnds } from './catch-up.ts'
import { charge } from './checkout.ts'
import { portal } from './customers.ts'
import { hear } from './events.ts'

/** Stripe: paid on its pages, renewed by it, and told of by its webhook. */
export const stripePort: PaymentsPort = {
  provider: 'stripe',
  charge,
  elsewhere: { portal, hear, catchUp, tellEnds: () => tellEnds() },
}
