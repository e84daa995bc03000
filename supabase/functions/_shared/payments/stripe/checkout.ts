import type Stripe from 'stripe'
import { z } from 'zod'
import { env } from '../../env.ts'
import { asService } from '../../http/run-as.ts'
import type { ChargeResult } from '../provider.ts'
import { idempotencyOptions, isMissingResource, stripe, toPaymentError } from './client.ts'
import { ensureCustomer, replaceCustomer } from './customers.ts'
import { syncCheckoutSession } from './event-handlers.ts'

/** A pending payment, as `private.pending_charge` returns it. */
const PendingPayment = z.object({
  id: z.string(),
  kind: z.enum(['unlock', 'subscription', 'tip', 'creator_pro']),
  amountCents: z.number(),
  /** The id of the checkout session that was last opened for the payment. */
  reference: z.string().nullable(),
  payerId: z.string(),
  payerEmail: z.string().nullable(),
  postId: z.string().nullable(),
  /** The message whose photo is unlocked. */
  messageId: z.string().nullable(),
  payeeId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  planId: z.string().nullable(),
  /** The length of the paid period in months; 1 for a payment without a period. */
  months: z.number(),
  /** The payee's username. */
  payee: z.string().nullable(),
  customer: z.string().nullable(),
})
type PendingPayment = z.infer<typeof PendingPayment>

type SessionParams = Stripe.Checkout.SessionCreateParams

/**
 * Returns the checkout page for a payment: the page that is already open, or a new one. If the payer has already paid
 * on an earlier page, settles the payment and returns the result.
 *
 * @throws ApiError 503 `payment_failed` if Stripe cannot be reached or reports an error
 */
export async function charge(paymentId: string): Promise<ChargeResult> {
  try {
    const { pending, result } = await readPayment(paymentId)
    return pending ? await findOrOpenPage(pending) : result
  } catch (error) {
    throw toPaymentError(error)
  }
}

/** Reads a payment. `pending` is null if the payment is no longer pending; `result` is then its outcome. */
async function readPayment(
  paymentId: string,
): Promise<{ pending: PendingPayment | null; result: ChargeResult }> {
  const [[charge], [row]] = await asService((tx) => [
    tx<{ pending: string | null }[]>`
      select private.pending_charge(${paymentId}::text::uuid)::text as pending`,
    tx<{ state: string; reference: string | null }[]>`
      select p.state, p.provider_reference as reference from public.payments p
      where p.id = ${paymentId}::text::uuid`,
  ])
  return {
    pending: charge?.pending ? PendingPayment.parse(JSON.parse(charge.pending)) : null,
    result: row?.state === 'paid' ? { state: 'paid', reference: row.reference } : { state: 'closed' },
  }
}

async function findOrOpenPage(payment: PendingPayment): Promise<ChargeResult> {
  if (payment.reference) {
    const session = await stripe.checkout.sessions.retrieve(payment.reference, {
      expand: ['payment_intent'],
    })
    if (session.status === 'complete') return await settleCompletedPage(payment, session)
    if (session.status === 'open' && session.url) {
      if (session.amount_total === payment.amountCents) return { state: 'checkout', url: session.url }
      // The price changed after this page was opened.
      await stripe.checkout.sessions.expire(session.id)
    }
  }
  return await openPage(payment)
}

/**
 * Settles the payment for a completed checkout page, without waiting for Stripe's event. With a delayed payment
 * method, the payment stays pending, and the payer returns to the page where they started.
 */
async function settleCompletedPage(
  payment: PendingPayment,
  session: Stripe.Checkout.Session,
): Promise<ChargeResult> {
  await syncCheckoutSession(session)
  const { pending, result } = await readPayment(payment.id)
  return pending ? { state: 'checkout', url: returnUrls(payment).success_url } : result
}

async function openPage(payment: PendingPayment): Promise<ChargeResult> {
  const session = await createSession(payment, await ensureCustomer(payment))
  if (!session.url) throw new Error('Stripe returned a checkout session without a URL')
  const [, [row]] = await asService((tx) => [
    tx`select private.record_checkout(${payment.id}::text::uuid, ${session.id}::text)`,
    tx<{ cents: number; state: string }[]>`
      select p.amount_cents as cents, p.state from public.payments p where p.id = ${payment.id}::text::uuid`,
  ])
  if (row?.state === 'pending' && row.cents === payment.amountCents)
    return { state: 'checkout', url: session.url }
  // The payment ended, or its price changed, while the page was being opened.
  await stripe.checkout.sessions.expire(session.id)
  const { pending, result } = await readPayment(payment.id)
  return pending ? await openPage(pending) : result
}

async function createSession(payment: PendingPayment, customer: string): Promise<Stripe.Checkout.Session> {
  const params = sessionParams(payment, customer)
  try {
    // The idempotency key depends on the last page's id, so repeated requests return the same page until it is closed.
    return await stripe.checkout.sessions.create(
      params,
      idempotencyOptions('page', payment.reference, params),
    )
  } catch (error) {
    if (!isMissingResource(error, 'customer')) throw error
    const retryParams = sessionParams(payment, await replaceCustomer(payment, customer))
    return await stripe.checkout.sessions.create(
      retryParams,
      idempotencyOptions('page', payment.reference, retryParams),
    )
  }
}

function sessionParams(payment: PendingPayment, customer: string): SessionParams {
  const renewableId = payment.subscriptionId ?? payment.planId
  // `cents` records the agreed price, because the post's price may have changed by the time the payment is reported.
  const metadata = {
    payment: payment.id,
    ...(renewableId ? { ours: renewableId } : { cents: String(payment.amountCents) }),
  }
  return {
    mode: renewableId ? 'subscription' : 'payment',
    customer,
    client_reference_id: payment.id,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: payment.amountCents,
          product_data: { name: productName(payment) },
          ...(renewableId
            ? { recurring: { interval: 'month' as const, interval_count: payment.months } }
            : {}),
        },
      },
    ],
    metadata,
    ...(renewableId ? { subscription_data: { metadata } } : { payment_intent_data: { metadata } }),
    ...returnUrls(payment),
  }
}

function productName({ kind, payee, messageId, months }: PendingPayment): string {
  const creator = payee ? `@${payee}` : 'a creator'
  switch (kind) {
    case 'unlock':
      return messageId ? `Photo in a message from ${creator}` : `Premium post by ${creator}`
    case 'subscription':
      return months > 1 ? `Subscription to ${creator} for ${months} months` : `Subscription to ${creator}`
    case 'tip':
      return `Tip for ${creator}`
    case 'creator_pro':
      return `${env.appName} Creator Pro`
  }
}

/** Returns the URLs that lead the payer back to the page where they started the payment. */
function returnUrls({ kind, payee, payeeId, postId, messageId }: PendingPayment): {
  success_url: string
  cancel_url: string
} {
  const path = () => {
    if (messageId) return `/messages?user=${payeeId}&message=${messageId}`
    if (kind === 'creator_pro') return '/settings/billing'
    if (kind === 'unlock' && postId) return `/post/${postId}`
    return payee ? `/profile/${encodeURIComponent(payee)}` : '/'
  }
  const withResult = (checkout: string) => {
    const url = new URL(`${env.publicUrl}${path()}`)
    url.searchParams.set('checkout', checkout)
    return url.href
  }
  return { success_url: withResult('done'), cancel_url: withResult('cancelled') }
}
