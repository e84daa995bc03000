import { asService } from '../../db/run.ts'
import { env } from '../../env.ts'
import { asFailed, isGone, onceFor, stripe } from './client.ts'

type Payer = { payerId: string; payerEmail: string | null; customer: string | null }

const why = 'who somebody is to the provider is not for callers to say'

/** Who a payer is to Stripe: made once for each person. */
export const customerFor = async (payer: Payer): Promise<string> =>
  payer.customer ?? (await create(payer, null))

/** The same after Stripe has said that it does not know `gone` any more. */
export const customerInstead = (payer: Payer, gone: string): Promise<string> => create(payer, gone)

async function create({ payerId, payerEmail }: Payer, gone: string | null): Promise<string> {
  const params = { metadata: { person: payerId }, ...(payerEmail ? { email: payerEmail } : {}) }
  const customer = await stripe.customers.create(params, await onceFor('customer', gone, params))
  await asService(
    why,
    (tx) => tx`select private.note_customer('stripe', ${payerId}::text::uuid, ${customer.id}::text)`,
  )
  return customer.id
}

/**
 * Stripe's page where somebody sees and ends what they pay by the month.
 *
 * @returns its address; null for who never paid there
 * @throws ApiError 503 `payment_failed` when Stripe cannot be asked
 */
export async function portal(person: string): Promise<string | null> {
  const [row] = await asService(
    why,
    (tx) => tx<{ customer: string | null }[]>`
      select private.customer_of('stripe', ${person}::text::uuid) as customer`,
  )
  if (!row?.customer) return null
  try {
    const session = await stripe.billingPortal.sessions.create({
      customer: row.customer,
      return_url: `${env.publicUrl}/settings?tab=billing`,
    })
    return session.url
  } catch (error) {
    if (isGone(error, 'customer')) return null
    throw asFailed(error)
  }
}
