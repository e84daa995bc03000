import Stripe from 'stripe'
import { env } from '../../env.ts'
import { ApiError } from '../../http/errors.ts'
import { takeOnly } from './books.ts'
import { idOf, reasonOf, stripe } from './client.ts'
import { heedRefund, heedSession } from './heed.ts'
import { heedSubscription } from './subscriptions.ts'

/** Seconds after which what was signed is too old. */
const tolerance = 300

/**
 * Takes what Stripe tells. What an event holds is how things were when it was made, so it only says where to look: what
 * is done follows from what Stripe shows now.
 *
 * @throws ApiError 400 when Stripe did not sign it, or too long ago
 */
export async function hear(body: string, signature: string): Promise<void> {
  const event = await read(body, signature)
  try {
    await heed(event)
  } catch (error) {
    // Whatever it was, it is no fault of Stripe's call: it is to tell again.
    throw new Error(`${event.type} was not taken: ${reasonOf(error)}`, { cause: error })
  }
}

async function heed(event: Stripe.Event): Promise<void> {
  const told = { id: event.id, type: event.type }
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const { id } = event.data.object
      return void (await heedSession(
        await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }),
        told,
      ))
    }
    case 'invoice.paid': {
      const { id } = event.data.object
      const invoice = id ? await stripe.invoices.retrieve(id) : null
      const subscription = idOf(invoice?.parent?.subscription_details?.subscription)
      return subscription ? void (await heedSubscription(subscription, told)) : await takeOnly(told)
    }
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return void (await heedSubscription(event.data.object.id, told))
    case 'charge.refunded':
      return await heedRefund(await stripe.charges.retrieve(event.data.object.id), told)
    default:
      // Also a month that could not be paid: Stripe tries again, and so long the grace lasts.
      return await takeOnly(told)
  }
}

async function read(body: string, signature: string): Promise<Stripe.Event> {
  try {
    return await stripe.webhooks.constructEventAsync(
      body,
      signature,
      env.stripe.webhookSecret,
      tolerance,
      Stripe.createSubtleCryptoProvider(),
    )
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    throw new ApiError(400, 'This was not signed by the payments provider, or too long ago.', {
      cause: error,
    })
  }
}
