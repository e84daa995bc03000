// The Stripe objects of the fake server, with only the fields that the app uses.

export type Metadata = Record<string, string>
export type Customer = {
  id: string
  object: 'customer'
  email: string | null
  metadata: Metadata
}
export type PaymentIntent = {
  id: string
  object: 'payment_intent'
  status: string
  amount_received: number
  currency: string
  metadata: Metadata
  latest_charge: string
}
export type Charge = {
  id: string
  object: 'charge'
  payment_intent: string
  amount: number
  amount_refunded: number
  refunded: boolean
  currency: string
}
export type Invoice = {
  id: string
  object: 'invoice'
  status: 'paid' | 'open'
  billing_reason: 'subscription_create' | 'subscription_cycle'
  amount_paid: number
  currency: string
  created: number
  parent: { type: 'subscription_details'; subscription_details: { subscription: string; metadata: Metadata } }
}
export type Subscription = {
  id: string
  object: 'subscription'
  status: 'active' | 'past_due' | 'canceled'
  customer: string
  cancel_at: number | null
  cancel_at_period_end: boolean
  metadata: Metadata
}
export type CheckoutSession = {
  id: string
  object: 'checkout.session'
  mode: 'payment' | 'subscription'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  url: string | null
  customer: string
  amount_total: number
  currency: string
  /** The number of months per billing period. Stripe itself stores it in the Price object. */
  interval_count: number
  metadata: Metadata
  payment_intent: string | null
  subscription: string | null
  invoice: string | null
  success_url: string
  cancel_url: string
}
export type StripeEvent = {
  id: string
  object: 'event'
  type: string
  created: number
  api_version: string
  data: { object: unknown }
}
