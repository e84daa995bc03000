import type Stripe from 'stripe'
import { asService } from '../../db/run.ts'
import { log } from '../../http/log.ts'
import { isAsAgreed, known, marksOf, type Told, taken, takeOnly, why } from './books.ts'
import { idOf, stripe } from './client.ts'
import { heedSubscription } from './subscriptions.ts'

/**
 * Does what the page of a payment, as Stripe shows it now, gives reason to: settles what was paid, ends what was not
 * paid in time.
 *
 * @param session with its `payment_intent` in full
 * @returns whether it was settled or ended
 */
export async function heedSession(session: Stripe.Checkout.Session, told: Told = null): Promise<boolean> {
  const { payment, cents } = marksOf(session.metadata) ?? {}
  const subscription = idOf(session.subscription)
  if (payment && subscription && session.status === 'complete') {
    return await heedSubscription(subscription, told)
  }
  if (payment && session.mode === 'payment' && session.payment_status === 'paid') {
    const reference = idOf(session.payment_intent) ?? session.id
    const came = { reference, cents: session.amount_total, currency: session.currency }
    if (await isAsAgreed(payment, came, cents)) {
      await asService(why, (tx) => [
        ...taken(tx, told),
        tx`select private.settle_page(${payment}::text::uuid, ${reference}::text, ${came.cents}::integer)`,
      ])
      return true
    }
  } else if (payment && isOver(session) && (await isEnd(payment, told && cents))) {
    await asService(why, (tx) => [
      ...taken(tx, told),
      tx`select private.expire_payment(${payment}::text::uuid, ${session.id}::text)`,
    ])
    return true
  }
  await takeOnly(told)
  return false
}

/**
 * Whether a page that is over ends its payment. One that was closed as its payer agreed to another price does not: its
 * end may be told before the next page is known. The job, which comes later, asks for any price.
 *
 * @param agreed cents on that page
 */
async function isEnd(payment: string, agreed: number | null | undefined): Promise<boolean> {
  const row = await known(payment)
  return row !== null && row.cents === (agreed ?? row.cents)
}

/** Nothing comes of it, unless its payer tries another way. */
export const hasFailed = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'canceled' || status === 'requires_payment_method'

/** Closed without a payment, or one that took its time and then failed. */
export function isOver({ status, payment_intent }: Stripe.Checkout.Session): boolean {
  const failed =
    status === 'complete' &&
    payment_intent !== null &&
    typeof payment_intent === 'object' &&
    hasFailed(payment_intent)
  return status === 'expired' || failed
}

/**
 * Gives back what was given back at Stripe in full. What came for it is settled first, should that not have been told
 * yet. A part of it given back is left to an operator.
 */
export async function heedRefund(charge: Stripe.Charge, told: Told): Promise<void> {
  const intent = idOf(charge.payment_intent)
  if (!charge.refunded || !intent) {
    if (charge.amount_refunded > 0) log('warn', 'refund_in_part', { reference: intent ?? charge.id })
    return await takeOnly(told)
  }
  const paid = await stripe.paymentIntents.retrieve(intent)
  const { payment, cents } = marksOf(paid.metadata) ?? {}
  if (payment) {
    const came = { reference: intent, cents: paid.amount_received, currency: paid.currency }
    if (!(await isAsAgreed(payment, came, cents))) return await takeOnly(told)
    await asService(why, (tx) => [
      ...taken(tx, told),
      tx`select private.settle_page(${payment}::text::uuid, ${intent}::text, ${came.cents}::integer)`,
      // Of a payment that came twice, what is given back is the other one.
      tx`select private.refund_payment(p.id) from public.payments p
         where p.id = ${payment}::text::uuid and p.provider_reference = ${intent}::text`,
    ])
    return
  }
  const invoice = await invoiceOf(intent)
  const subscription = idOf(invoice?.parent?.subscription_details?.subscription)
  if (!invoice || !subscription) return await takeOnly(told)
  await heedSubscription(subscription, null)
  await asService(why, (tx) => [
    ...taken(tx, told),
    tx`select private.refund_payment(p.id) from public.payments p
       where p.provider = 'stripe' and p.provider_reference = ${invoice.id ?? ''}::text`,
  ])
}

async function invoiceOf(intent: string): Promise<Stripe.Invoice | null> {
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
    limit: 1,
  })
  const id = idOf(data[0]?.invoice)
  return id ? await stripe.invoices.retrieve(id) : null
}
