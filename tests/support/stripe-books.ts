import { randomUUID } from 'node:crypto'

import type {
  Charge,
  Customer,
  Event,
  Intent,
  Invoice,
  Metadata,
  Session,
  Subscription,
} from './stripe-objects.ts'

/** Seconds in a month of the local Stripe. */
const month = 30 * 86_400

/** A refusal, as Stripe's API words one. */
export class Refusal extends Error {
  readonly status: number
  readonly body: { error: { type: string; code?: string; param?: string; message: string } }
  constructor(status: number, code: string, param?: string, type = 'invalid_request_error') {
    super(code)
    this.status = status
    this.body = { error: { type, code, message: code, ...(param ? { param } : {}) } }
  }
}

const name = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 20)}`

/**
 * The money and the papers of a local Stripe. What a customer, or time, does is a method; each notes the events that
 * Stripe would tell of it, in Stripe's order.
 */
export class Books {
  readonly customers = new Map<string, Customer>()
  readonly sessions = new Map<string, Session>()
  readonly intents = new Map<string, Intent>()
  readonly charges = new Map<string, Charge>()
  readonly invoices = new Map<string, Invoice>()
  readonly subscriptions = new Map<string, Subscription>()
  /** Which payment is of which invoice. */
  readonly invoiceOf = new Map<string, string>()
  readonly refunds: { payment_intent: string; amount: number }[] = []
  /** Charges that are disputed: nothing of them can be given back. */
  readonly disputed = new Set<string>()
  readonly events: Event[] = []

  private tell(type: string, object: unknown): Event {
    const created = Math.floor(Date.now() / 1000)
    const data = { object: structuredClone(object) }
    const event: Event = {
      id: name('evt'),
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
    const customer: Customer = { id: name('cus'), object: 'customer', email, metadata }
    this.customers.set(customer.id, customer)
    return customer
  }

  removeCustomer(id: string): { id: string; object: 'customer'; deleted: true } {
    if (!this.customers.delete(id)) throw new Refusal(404, 'resource_missing', 'id')
    for (const one of this.subscriptions.values()) if (one.customer === id) this.end(one.id)
    return { id, object: 'customer', deleted: true }
  }

  open(
    given: Omit<
      Session,
      'id' | 'object' | 'status' | 'payment_status' | 'url' | 'payment_intent' | 'subscription' | 'invoice'
    >,
    base: string,
  ): Session {
    if (!this.customers.has(given.customer)) throw new Refusal(400, 'resource_missing', 'customer')
    const id = name('cs_test')
    const session: Session = {
      ...given,
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

  session(id: string): Session {
    const session = this.sessions.get(id)
    if (!session) throw new Refusal(404, 'resource_missing', 'session')
    return session
  }

  subscription(id: string): Subscription {
    const subscription = this.subscriptions.get(id)
    if (!subscription) throw new Refusal(404, 'resource_missing', 'id')
    return subscription
  }

  /** The customer pays on the page. */
  pay(id: string): Session {
    const session = this.session(id)
    if (session.status !== 'open') throw new Refusal(400, 'checkout_session_not_open')
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
    if (session.mode === 'payment') {
      session.payment_intent = this.take(session.amount_total, session.currency, session.metadata).id
    } else {
      const subscription: Subscription = {
        id: name('sub'),
        object: 'subscription',
        status: 'active',
        customer: session.customer,
        cancel_at: null,
        cancel_at_period_end: false,
        metadata: session.metadata,
      }
      this.subscriptions.set(subscription.id, subscription)
      session.subscription = subscription.id
      session.invoice = this.bill(subscription, session.amount_total, session.currency).id
    }
    this.tell('checkout.session.completed', session)
    return session
  }

  /** The customer chooses a way that takes its time, and it fails in the end. */
  failLate(id: string): Session {
    const before = this.events.length
    const session = this.pay(id)
    this.events.length = before
    session.payment_status = 'unpaid'
    const invoice = this.invoices.get(session.invoice ?? '')
    if (invoice) invoice.status = 'open'
    const intent = this.intents.get(invoice ? this.intentOf(invoice.id) : (session.payment_intent ?? ''))
    if (intent) intent.status = 'requires_payment_method'
    this.tell('checkout.session.async_payment_failed', session)
    return session
  }

  /** A day goes by without a payment, or the seller closes the page. */
  expire(id: string): Session {
    const session = this.session(id)
    if (session.status !== 'open') throw new Refusal(400, 'checkout_session_not_open')
    Object.assign(session, { status: 'expired', url: null })
    this.tell('checkout.session.expired', session)
    return session
  }

  private take(amount: number, currency: string, metadata: Metadata): Intent {
    const [id, charge] = [name('pi'), name('ch')]
    const intent: Intent = {
      id,
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: amount,
      currency,
      metadata,
      latest_charge: charge,
    }
    this.intents.set(id, intent)
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

  private bill(subscription: Subscription, amount: number, currency: string): Invoice {
    const earlier = this.invoicesOf(subscription.id).length
    const invoice: Invoice = {
      id: name('in'),
      object: 'invoice',
      status: 'paid',
      billing_reason: earlier === 0 ? 'subscription_create' : 'subscription_cycle',
      amount_paid: amount,
      currency,
      created: Math.floor(Date.now() / 1000) + earlier * month,
      parent: {
        type: 'subscription_details',
        subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
      },
    }
    this.invoices.set(invoice.id, invoice)
    this.invoiceOf.set(this.take(amount, currency, {}).id, invoice.id)
    this.tell('invoice.paid', invoice)
    return invoice
  }

  /** What was billed for a subscription, the latest first. */
  invoicesOf(subscription: string): Invoice[] {
    return [...this.invoices.values()]
      .filter(({ parent }) => parent.subscription_details.subscription === subscription)
      .sort((a, b) => b.created - a.created)
  }

  /** A month is over, and the next one is paid. */
  renew(id: string, amount?: number): Invoice {
    const [last] = this.invoicesOf(id)
    if (!last) throw new Error(`nothing was billed for ${id}`)
    const invoice = this.bill(this.subscription(id), amount ?? last.amount_paid, last.currency)
    this.tell('customer.subscription.updated', this.subscription(id))
    return invoice
  }

  /** A month is over, and the card is refused. */
  failToRenew(id: string): void {
    const subscription = this.subscription(id)
    subscription.status = 'past_due'
    this.tell('invoice.payment_failed', { id: name('in'), object: 'invoice', status: 'open', parent: null })
    this.tell('customer.subscription.updated', subscription)
  }

  cancelAtEnd(id: string, cancelled: boolean): Subscription {
    const subscription = this.subscription(id)
    if (subscription.status === 'canceled') throw new Refusal(400, 'subscription_canceled')
    subscription.cancel_at_period_end = cancelled
    this.tell('customer.subscription.updated', subscription)
    return subscription
  }

  end(id: string): Subscription {
    const subscription = this.subscription(id)
    if (subscription.status === 'canceled') throw new Refusal(404, 'resource_missing', 'id')
    subscription.status = 'canceled'
    this.tell('customer.subscription.deleted', subscription)
    return subscription
  }

  /** Money goes back: all of it, or `amount`. */
  refund(intent: string, amount?: number): { id: string; object: 'refund'; status: string } {
    const charge = this.charges.get(this.intents.get(intent)?.latest_charge ?? '')
    if (!charge) throw new Refusal(404, 'resource_missing', 'payment_intent')
    if (this.disputed.has(intent)) throw new Refusal(400, 'charge_disputed')
    if (charge.refunded) throw new Refusal(400, 'charge_already_refunded')
    charge.amount_refunded += amount ?? charge.amount - charge.amount_refunded
    charge.refunded = charge.amount_refunded >= charge.amount
    this.refunds.push({ payment_intent: intent, amount: charge.amount_refunded })
    this.tell('charge.refunded', charge)
    return { id: name('re'), object: 'refund', status: 'succeeded' }
  }

  /** The payment of a subscription's latest month. */
  intentOf(invoice: string): string {
    for (const [intent, of] of this.invoiceOf) if (of === invoice) return intent
    throw new Error(`nothing was paid for ${invoice}`)
  }
}
