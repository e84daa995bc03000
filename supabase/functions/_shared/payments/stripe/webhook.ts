import Stripe from 'stripe'
import { env } from '../../env.ts'
import { ApiError } from '../../http/errors.ts'
import { describeError, idOf, stripe } from './client.ts'
import { syncCheckoutSession, syncRefund } from './event-handlers.ts'
import { syncSubscription } from './subscriptions.ts'

const signatureToleranceSeconds = 300

/**
 * Handles a webhook request. An event contains the state that an object had when the event was created, so only the
 * object's id is used: the handlers fetch the object's current state from Stripe and apply it.
 *
 * @throws ApiError 400 if the signature is invalid or too old; Error if handling the event fails
 */
export async function receiveWebhook(body: string, signature: string): Promise<void> {
  const event = await verifyEvent(body, signature)
  try {
    await handleEvent(event)
  } catch (error) {
    // Wrapped so that an ApiError becomes a 500: the request itself was valid, and Stripe should send it again.
    throw new Error(`Handling ${event.type} failed: ${describeError(error)}`, { cause: error })
  }
}

async function handleEvent(event: Stripe.Event): Promise<void> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const { id } = event.data.object
      return void (await syncCheckoutSession(
        await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }),
        { isWebhook: true },
      ))
    }
    case 'invoice.paid': {
      const { id } = event.data.object
      const invoice = id ? await stripe.invoices.retrieve(id) : null
      const subscription = idOf(invoice?.parent?.subscription_details?.subscription)
      if (subscription) await syncSubscription(subscription)
      return
    }
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return void (await syncSubscription(event.data.object.id))
    case 'charge.refunded':
      return await syncRefund(await stripe.charges.retrieve(event.data.object.id))
    // All other events are ignored, including those about failed renewals, because Stripe retries these renewals during
    // the grace period.
  }
}

async function verifyEvent(body: string, signature: string): Promise<Stripe.Event> {
  try {
    return await stripe.webhooks.constructEventAsync(
      body,
      signature,
      env.stripe.webhookSecret,
      signatureToleranceSeconds,
      Stripe.createSubtleCryptoProvider(),
    )
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    throw new ApiError(400, 'The webhook signature is invalid or too old.', { cause: error })
  }
}
