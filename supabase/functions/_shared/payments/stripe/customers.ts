import { env } from '../../env.ts'
import { asService } from '../../http/run-as.ts'
import { idempotencyOptions, isMissingResource, stripe, toPaymentError } from './client.ts'

type Payer = { payerId: string; payerEmail: string | null; customer: string | null }

/** Returns the payer's Stripe customer id. Each user gets one customer, created on first use. */
export const ensureCustomer = async (payer: Payer): Promise<string> =>
  payer.customer ?? (await createCustomer(payer, null))

/** Creates a new Stripe customer for the payer, because Stripe no longer has `missingId`. Returns the new id. */
export const replaceCustomer = (payer: Payer, missingId: string): Promise<string> =>
  createCustomer(payer, missingId)

async function createCustomer({ payerId, payerEmail }: Payer, missingId: string | null): Promise<string> {
  const params = { metadata: { person: payerId }, ...(payerEmail ? { email: payerEmail } : {}) }
  const options = await idempotencyOptions('customer', missingId, params)
  const customer = await stripe.customers.create(params, options)
  await asService(
    (tx) =>
      tx`select private.record_payment_customer('stripe', ${payerId}::text::uuid, ${customer.id}::text)`,
  )
  return customer.id
}

/**
 * Creates a link to Stripe's page where a user manages their subscriptions.
 *
 * @returns null if the user has never paid there
 * @throws ApiError 503 `payment_failed` if Stripe cannot be reached
 */
export async function createPortalUrl(userId: string): Promise<string | null> {
  const [row] = await asService(
    (tx) => tx<{ customer: string | null }[]>`
      select private.payment_customer('stripe', ${userId}::text::uuid) as customer`,
  )
  if (!row?.customer) return null
  try {
    const session = await stripe.billingPortal.sessions.create({
      customer: row.customer,
      return_url: `${env.publicUrl}/settings?tab=billing`,
    })
    return session.url
  } catch (error) {
    if (isMissingResource(error, 'customer')) return null
    throw toPaymentError(error)
  }
}
