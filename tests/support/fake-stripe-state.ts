import { randomUUID } from 'node:crypto'
import type {
  Charge,
  CheckoutSession,
  Customer,
  Invoice,
  Metadata,
  PaymentIntent,
  StripeEvent,
  Subscription,
} from './fake-stripe-types.ts'

const monthSeconds = 30 * 86_400

/** An error with the body that Stripe's API returns. */
export class StripeError extends Error {
  readonly status: number
  readonly body: { error: { type: string; code?: string; param?: string; message: string } }
  constructor(status: number, code: string, param?: string, type = 'invalid_request_error') {
    super(code)
    this.status = status
    this.body = { error: { type, code, message: code, ...(param ? { param } : {}) } }
  }
}

const createId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 20)}`

/**
 * The objects that the fake Stripe server stores. The methods that change them simulate customers, API requests and the
 * passing of time. They record the webhook events that Stripe would send, in the same order.
 */
export class StripeState {
  readonly customers = new Map<string, Customer>()
  readonly sessions = new Map<string, CheckoutSession>()
  readonly paymentIntents = new Map<string, PaymentIntent>()
  readonly charges = new Map<string, Charge>()
  readonly invoices = new Map<string, Invoice>()
  readonly subscriptions = new Map<string, Subscription>()
  /** Invoice IDs by payment intent ID. */
  readonly invoiceByPaymentIntent = new Map<string, string>()
  readonly refunds: { payment_intent: string; amount: number }[] = []
  /** IDs of payment intents that are disputed and cannot be refunded. */
  readonly disputed = new Set<string>()
  readonly events: StripeEvent[] = []

  private recordEvent(type: string, object: unknown): StripeEvent {
    const created = Math.floor(Date.now() / 1000)
    const data = { object: structuredClone(object) }
    const event: StripeEvent = {
      id: createId('evt'),
      object: 'event',
      type,
      created,
      api_version: '2026-10-28.endive',
      data,
    }
    this.events.push(event)
    return event
  }

  addCustomer(email: string | null, metadata: Metadata): Customer {
    const customer: Customer = { id: createId('cus'), object: 'customer', email, metadata }
    this.customers.set(customer.id, customer)
    return customer
  }

  removeCustomer(id: string): { id: string; object: 'customer'; deleted: true } {
    if (!this.customers.delete(id)) throw new StripeError(404, 'resource_missing', 'id')
    for (const subscription of this.subscriptions.values()) {
      if (subscription.customer === id && subscription.status !== 'canceled') this.cancelNow(subscription.id)
    }
    return { id, object: 'customer', deleted: true }
  }

  openCheckout(
    params: Omit<
      CheckoutSession,
      'id' | 'object' | 'status' | 'payment_status' | 'url' | 'payment_intent' | 'subscription' | 'invoice'
    >,
    base: string,
  ): CheckoutSession {
    if (!this.customers.has(params.customer)) throw new StripeError(400, 'resource_missing', 'customer')
    const id = createId('cs_test')
    const session: CheckoutSession = {
      ...params,
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      url: `${base}/pay/${id}`,
      payment_intent: null,
      subscription: null,
      invoice: null,
    }
    this.sessions.set(id, session)
    return session
  }

  session(id: string): CheckoutSession {
    const session = this.sessions.get(id)
    if (!session) throw new StripeError(404, 'resource_missing', 'session')
    return session
  }

  subscription(id: string): Subscription {
    const subscription = this.subscriptions.get(id)
    if (!subscription) throw new StripeError(404, 'resource_missing', 'id')
    return subscription
  }

  /** Completes a session with a successful payment, as the customer does on the checkout page. */
  payCheckout(id: string): CheckoutSession {
    const session = this.session(id)
    if (session.status !== 'open') throw new StripeError(400, 'checkout_session_not_open')
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
    if (session.mode === 'payment') {
      session.payment_intent = this.createCapturedPayment(
        session.amount_total,
        session.currency,
        session.metadata,
      ).id
    } else {
      const subscription: Subscription = {
        id: createId('sub'),
        object: 'subscription',
        status: 'active',
        customer: session.customer,
        cancel_at: null,
        cancel_at_period_end: false,
        metadata: session.metadata,
      }
      this.subscriptions.set(subscription.id, subscription)
      session.subscription = subscription.id
      session.invoice = this.createInvoice(subscription, session.amount_total, session.currency).id
    }
    this.recordEvent('checkout.session.completed', session)
    return session
  }

  /** Completes a session that uses an asynchronous payment method. The payment then fails. */
  failAsyncPayment(id: string): CheckoutSession {
    const eventCount = this.events.length
    const session = this.payCheckout(id)
    this.events.length = eventCount
    session.payment_status = 'unpaid'
    const invoice = this.invoices.get(session.invoice ?? '')
    if (invoice) invoice.status = 'open'
    const intent = this.paymentIntents.get(
      invoice ? this.paymentIntentOf(invoice.id) : (session.payment_intent ?? ''),
    )
    if (intent) intent.status = 'requires_payment_method'
    this.recordEvent('checkout.session.async_payment_failed', session)
    return session
  }

  /** Expires a session, as Stripe does after a day without payment or at the app's request. */
  expireCheckout(id: string): CheckoutSession {
    const session = this.session(id)
    if (session.status !== 'open') throw new StripeError(400, 'checkout_session_not_open')
    Object.assign(session, { status: 'expired', url: null })
    this.recordEvent('checkout.session.expired', session)
    return session
  }

  private createCapturedPayment(amount: number, currency: string, metadata: Metadata): PaymentIntent {
    const [id, charge] = [createId('pi'), createId('ch')]
    const intent: PaymentIntent = {
      id,
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: amount,
      currency,
      metadata,
      latest_charge: charge,
    }
    this.paymentIntents.set(id, intent)
    this.charges.set(charge, {
      id: charge,
      object: 'charge',
      payment_intent: id,
      amount,
      amount_refunded: 0,
      refunded: false,
      currency,
    })
    return intent
  }

  private createInvoice(subscription: Subscription, amount: number, currency: string): Invoice {
    const invoiceCount = this.invoicesOf(subscription.id).length
    const invoice: Invoice = {
      id: createId('in'),
      object: 'invoice',
      status: 'paid',
      billing_reason: invoiceCount === 0 ? 'subscription_create' : 'subscription_cycle',
      amount_paid: amount,
      currency,
      created: Math.floor(Date.now() / 1000) + invoiceCount * monthSeconds,
      parent: {
        type: 'subscription_details',
        subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
      },
    }
    this.invoices.set(invoice.id, invoice)
    this.invoiceByPaymentIntent.set(this.createCapturedPayment(amount, currency, {}).id, invoice.id)
    this.recordEvent('invoice.paid', invoice)
    return invoice
  }

  /** Returns the invoices of a subscription, newest first. */
  invoicesOf(subscription: string): Invoice[] {
    return [...this.invoices.values()]
      .filter(({ parent }) => parent.subscription_details.subscription === subscription)
      .sort((a, b) => b.created - a.created)
  }

  /** Ends a subscription's billing period and pays for the next one. Returns the new invoice. */
  renew(id: string, amount?: number): Invoice {
    const [last] = this.invoicesOf(id)
    if (!last) throw new Error(`No invoice exists for ${id}.`)
    const invoice = this.createInvoice(this.subscription(id), amount ?? last.amount_paid, last.currency)
    this.recordEvent('customer.subscription.updated', this.subscription(id))
    return invoice
  }

  /** Ends a subscription's billing period and declines the payment for the next one. */
  failRenewal(id: string): void {
    const subscription = this.subscription(id)
    subscription.status = 'past_due'
    this.recordEvent('invoice.payment_failed', {
      id: createId('in'),
      object: 'invoice',
      status: 'open',
      parent: null,
    })
    this.recordEvent('customer.subscription.updated', subscription)
  }

  setCancelAtPeriodEnd(id: string, cancel: boolean): Subscription {
    const subscription = this.subscription(id)
    if (subscription.status === 'canceled') throw new StripeError(400, 'subscription_canceled')
    subscription.cancel_at_period_end = cancel
    this.recordEvent('customer.subscription.updated', subscription)
    return subscription
  }

  cancelNow(id: string): Subscription {
    const subscription = this.subscription(id)
    if (subscription.status === 'canceled') throw new StripeError(404, 'resource_missing', 'id')
    subscription.status = 'canceled'
    this.recordEvent('customer.subscription.deleted', subscription)
    return subscription
  }

  /** Refunds a payment in full, or `amount` cents of it. */
  refund(intent: string, amount?: number): { id: string; object: 'refund'; status: string } {
    const charge = this.charges.get(this.paymentIntents.get(intent)?.latest_charge ?? '')
    if (!charge) throw new StripeError(404, 'resource_missing', 'payment_intent')
    if (this.disputed.has(intent)) throw new StripeError(400, 'charge_disputed')
    if (charge.refunded) throw new StripeError(400, 'charge_already_refunded')
    const refunded = amount ?? charge.amount - charge.amount_refunded
    charge.amount_refunded += refunded
    charge.refunded = charge.amount_refunded >= charge.amount
    this.refunds.push({ payment_intent: intent, amount: refunded })
    this.recordEvent('charge.refunded', charge)
    return { id: createId('re'), object: 'refund', status: 'succeeded' }
  }

  /** Returns the ID of the payment intent that pays an invoice. */
  paymentIntentOf(invoice: string): string {
    for (const [intent, paidInvoice] of this.invoiceByPaymentIntent)
      if (paidInvoice === invoice) return intent
    throw new Error(`No payment exists for ${invoice}.`)
  }
}
