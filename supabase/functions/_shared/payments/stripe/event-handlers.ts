import type Stripe from 'stripe'
import { log } from '../../http/log.ts'
import { asService } from '../../http/run-as.ts'
import { idOf, parseMetadata, stripe } from './client.ts'
import { isAgreedAmount, readStoredPayment } from './queries.ts'
import { syncSubscription } from './subscriptions.ts'

/**
 * Applies the current state of a checkout session: settles its payment if the payer has paid, or ends the payment if
 * the session expired unpaid.
 *
 * @param session must have `payment_intent` expanded
 * @param isWebhook whether a webhook event reported the session
 * @returns whether the payment was settled or ended; for a completed subscription checkout, what `syncSubscription`
 *   returns
 */
export async function syncCheckoutSession(
  session: Stripe.Checkout.Session,
  { isWebhook = false } = {},
): Promise<boolean> {
  const { payment, cents } = parseMetadata(session.metadata) ?? {}
  const subscription = idOf(session.subscription)
  if (payment && subscription && session.status === 'complete') {
    return await syncSubscription(subscription)
  }
  if (payment && session.mode === 'payment' && session.payment_status === 'paid') {
    const reference = idOf(session.payment_intent) ?? session.id
    const received = { reference, cents: session.amount_total, currency: session.currency }
    if (await isAgreedAmount(payment, received, cents)) {
      await asService(
        (tx) =>
          tx`select private.settle_checkout(${payment}::text::uuid, ${reference}::text, ${received.cents}::integer)`,
      )
      return true
    }
  } else if (payment && isClosedUnpaid(session) && (await endsPayment(payment, isWebhook ? cents : null))) {
    await asService((tx) => tx`select private.expire_payment(${payment}::text::uuid, ${session.id}::text)`)
    return true
  }
  return false
}

/**
 * Returns whether an unpaid checkout session ends its payment. A session that was expired because the payer agreed to a
 * new price does not end it: the event about the old session may arrive before the id of the new one is stored. The
 * `payments` job runs later, so it skips this check.
 *
 * @param agreedCents the price in the session; null or undefined skips the check
 */
async function endsPayment(paymentId: string, agreedCents: number | null | undefined): Promise<boolean> {
  const stored = await readStoredPayment(paymentId)
  return stored !== null && stored.cents === (agreedCents ?? stored.cents)
}

/** Returns whether a payment failed: no money will arrive unless the payer tries another payment method. */
export const hasFailed = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'canceled' || status === 'requires_payment_method'

/**
 * Returns whether a checkout session expired without a payment, or its payment failed later (with a delayed payment
 * method).
 */
export function isClosedUnpaid({ status, payment_intent }: Stripe.Checkout.Session): boolean {
  const failed =
    status === 'complete' &&
    payment_intent !== null &&
    typeof payment_intent === 'object' &&
    hasFailed(payment_intent)
  return status === 'expired' || failed
}

/**
 * Books the refund of a payment that Stripe refunded in full. Settles the payment first, because the event that reports
 * the payment may not have arrived yet. Partial refunds are only logged, for an operator.
 */
export async function syncRefund(charge: Stripe.Charge): Promise<void> {
  const intent = idOf(charge.payment_intent)
  if (!charge.refunded || !intent) {
    if (charge.amount_refunded > 0)
      log('warn', 'payment_partially_refunded', { reference: intent ?? charge.id })
    return
  }
  const paymentIntent = await stripe.paymentIntents.retrieve(intent)
  const { payment, cents } = parseMetadata(paymentIntent.metadata) ?? {}
  if (payment) {
    const received = {
      reference: intent,
      cents: paymentIntent.amount_received,
      currency: paymentIntent.currency,
    }
    if (!(await isAgreedAmount(payment, received, cents))) return
    await asService((tx) => [
      tx`select private.settle_checkout(${payment}::text::uuid, ${intent}::text, ${received.cents}::integer)`,
      // If the payer paid twice, the refund may be for the duplicate, which was never booked.
      tx`select private.refund_payment(p.id) from public.payments p
         where p.id = ${payment}::text::uuid and p.provider_reference = ${intent}::text`,
    ])
    return
  }
  const invoice = await findInvoice(intent)
  const subscription = idOf(invoice?.parent?.subscription_details?.subscription)
  if (!invoice || !subscription) return
  await syncSubscription(subscription)
  await asService(
    (tx) => tx`
      select private.refund_payment(p.id) from public.payments p
      where p.provider = 'stripe' and p.provider_reference = ${invoice.id ?? ''}::text`,
  )
}

async function findInvoice(intent: string): Promise<Stripe.Invoice | null> {
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
    limit: 1,
  })
  const id = idOf(data[0]?.invoice)
  return id ? await stripe.invoices.retrieve(id) : null
}
