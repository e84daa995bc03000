import { env } from '../../env.ts'
import { asService } from '../../http/run-as.ts'
import { idempotencyOptions, isMissingResource, stripe, toPaymentError } from './client.ts'

type Payer = { payerId: string; payerEmail: string | null; customer: string | null }

/** Returns the payer's Stripe customer id. Creates the customer if the payer has none. */
export async function ensureCustomer(payer: Payer): Promise<string> {
  if (payer.customer) return payer.customer
  const id = await createCustomer(payer, null)
  const [row] = await asService(
    (tx) => tx<{ customer: string }[]>`
      select private.record_payment_customer('stripe', ${payer.payerId}::text::uuid, ${id}::text) as customer`,
  )
  // A concurrent payment may have stored another customer.
  return row?.customer ?? id
}

/** Creates a new Stripe customer to replace `missingId`, which no longer exists at Stripe. Returns the new id. */
export async function replaceCustomer(payer: Payer, missingId: string): Promise<string> {
  const id = await createCustomer(payer, missingId)
  await asService(
    (tx) =>
      tx`select private.replace_payment_customer('stripe', ${payer.payerId}::text::uuid, ${missingId}::text,
                                                 ${id}::text)`,
  )
  return id
}

async function createCustomer({ payerId, payerEmail }: Payer, missingId: string | null): Promise<string> {
  const params = { metadata: { person: payerId }, ...(payerEmail ? { email: payerEmail } : {}) }
  const options = idempotencyOptions('customer', missingId, params)
  return (await stripe.customers.create(params, options)).id
}

/**
 * Creates a link to Stripe's page where a user manages their subscriptions.
 *
 * @returns null if the user is not a Stripe customer
 * @throws ApiError 503 `payment_failed` if Stripe cannot be reached or reports an error
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
      return_url: `${env.publicUrl}/settings/billing`,
    })
    return session.url
  } catch (error) {
    if (isMissingResource(error, 'customer')) return null
    throw toPaymentError(error)
  }
}
