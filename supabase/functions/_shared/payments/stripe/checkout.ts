import type Stripe from 'stripe'
import { z } from 'zod'
import { asService } from '../../db/run.ts'
import { env } from '../../env.ts'
import type { Charged } from '../port.ts'
import { asFailed, isGone, onceFor, stripe } from './client.ts'
import { customerFor, customerInstead } from './customers.ts'
import { heedSession } from './heed.ts'

/** A payment that is to be made, as `private.payment_to_charge` tells of it. */
const Due = z.object({
  id: z.string(),
  kind: z.enum(['unlock', 'subscription', 'tip', 'creator_pro']),
  amountCents: z.number(),
  /** The page that was opened for it last. */
  reference: z.string().nullable(),
  payerId: z.string(),
  payerEmail: z.string().nullable(),
  postId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  planId: z.string().nullable(),
  /** Their username. */
  payee: z.string().nullable(),
  customer: z.string().nullable(),
})
type Due = z.infer<typeof Due>

type Params = Stripe.Checkout.SessionCreateParams

/**
 * Answers the page where a payment is made: the one that is open for it, else a new one. What was paid there already is
 * settled by the way.
 *
 * @throws ApiError 503 `payment_failed` when Stripe cannot be asked
 */
export async function charge(payment: string): Promise<Charged> {
  try {
    const { due, charged } = await lookAt(payment)
    return due ? await pageOf(due) : charged
  } catch (error) {
    throw asFailed(error)
  }
}

async function lookAt(payment: string): Promise<{ due: Due | null; charged: Charged }> {
  const [[asked], [row]] = await asService('who pays and where to is for the provider alone', (tx) => [
    tx<{ due: string | null }[]>`select private.payment_to_charge(${payment}::text::uuid)::text as due`,
    tx<{ state: string; reference: string | null }[]>`
      select p.state, p.provider_reference as reference from public.payments p
      where p.id = ${payment}::text::uuid`,
  ])
  return {
    due: asked?.due ? Due.parse(JSON.parse(asked.due)) : null,
    charged: row?.state === 'paid' ? { state: 'paid', reference: row.reference } : { state: 'over' },
  }
}

async function pageOf(due: Due): Promise<Charged> {
  if (due.reference) {
    const session = await stripe.checkout.sessions.retrieve(due.reference, { expand: ['payment_intent'] })
    if (session.status === 'complete') return await settled(due, session)
    if (session.status === 'open' && session.url) {
      if (session.amount_total === due.amountCents) return { state: 'elsewhere', url: session.url }
      // It was opened for a price that was changed at that moment.
      await stripe.checkout.sessions.expire(session.id)
    }
  }
  return await opened(due)
}

/** It was paid, and Stripe's telling is still on its way; or it is being paid by a way that takes its time. */
async function settled(due: Due, session: Stripe.Checkout.Session): Promise<Charged> {
  await heedSession(session)
  const now = await lookAt(due.id)
  return now.due ? { state: 'elsewhere', url: addressesOf(due).success_url } : now.charged
}

async function opened(due: Due): Promise<Charged> {
  const session = await createPage(due, await customerFor(due))
  if (!session.url) throw new Error('a checkout page without an address')
  const [, [row]] = await asService('what the provider calls a payment is not said by its payer', (tx) => [
    tx`select private.note_checkout(${due.id}::text::uuid, ${session.id}::text)`,
    tx<{ cents: number; state: string }[]>`
      select p.amount_cents as cents, p.state from public.payments p where p.id = ${due.id}::text::uuid`,
  ])
  if (row?.state === 'pending' && row.cents === due.amountCents)
    return { state: 'elsewhere', url: session.url }
  // It ended, or its price was changed, while the page was opened.
  await stripe.checkout.sessions.expire(session.id)
  const now = await lookAt(due.id)
  return now.due ? await opened(now.due) : now.charged
}

async function createPage(due: Due, customer: string): Promise<Stripe.Checkout.Session> {
  const params = paramsOf(due, customer)
  try {
    // As long as it is the same wish, and no page was closed in between, it is the same page.
    return await stripe.checkout.sessions.create(params, await onceFor('page', due.reference, params))
  } catch (error) {
    if (!isGone(error, 'customer')) throw error
    const anew = paramsOf(due, await customerInstead(due, customer))
    return await stripe.checkout.sessions.create(anew, await onceFor('page', due.reference, anew))
  }
}

function paramsOf(due: Due, customer: string): Params {
  const ours = due.subscriptionId ?? due.planId
  // What is agreed on here: the price of a post may be another one when it is heard that this was paid.
  const metadata = { payment: due.id, ...(ours ? { ours } : { cents: String(due.amountCents) }) }
  return {
    mode: ours ? 'subscription' : 'payment',
    customer,
    client_reference_id: due.id,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: due.amountCents,
          product_data: { name: nameOf(due) },
          ...(ours ? { recurring: { interval: 'month' as const } } : {}),
        },
      },
    ],
    metadata,
    ...(ours ? { subscription_data: { metadata } } : { payment_intent_data: { metadata } }),
    ...addressesOf(due),
  }
}

function nameOf({ kind, payee }: Due): string {
  const whose = payee ? `@${payee}` : 'a creator'
  switch (kind) {
    case 'unlock':
      return `Premium post by ${whose}`
    case 'subscription':
      return `Subscription to ${whose}`
    case 'tip':
      return `Tip for ${whose}`
    case 'creator_pro':
      return `${env.appName} Creator Pro`
  }
}

/** Back to where the payment was begun. */
function addressesOf({ kind, payee, postId }: Due): { success_url: string; cancel_url: string } {
  const place = () => {
    if (kind === 'creator_pro') return '/settings?tab=billing'
    if (kind === 'unlock' && postId) return `/post/${postId}`
    return payee ? `/profile/${encodeURIComponent(payee)}` : '/'
  }
  const back = (checkout: string) => {
    const url = new URL(`${env.publicUrl}${place()}`)
    url.searchParams.set('checkout', checkout)
    return url.href
  }
  return { success_url: back('done'), cancel_url: back('cancelled') }
}
