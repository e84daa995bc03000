import type Stripe from 'stripe'
import type { Sql } from '../../db/sql.ts'
import { log } from '../../http/log.ts'
import { asService } from '../../http/run-as.ts'
import { sendWelcomeMessagesInBackground } from '../../messages/welcome-messages.ts'
import { parseMetadata, stripe } from './client.ts'
import { isAgreedAmount } from './queries.ts'

/** One of our subscriptions or plans that Stripe renews. */
type StoredSubscription = { cents: number; reference: string | null }

/** The state of a subscription: it continues, ends with its period, or has ended. */
type RenewalState = 'active' | 'cancelled' | 'ended'

/**
 * Updates a subscription or plan to its current state at Stripe: settles every paid period in order, then records
 * whether it continues. The outcome does not depend on an event, so a repeated or late event does no harm.
 *
 * @param id Stripe's subscription id
 * @returns false if the subscription is not one of ours, or duplicates one of ours
 */
export async function syncSubscription(id: string): Promise<boolean> {
  const [subscription, { data: invoices }] = await Promise.all([
    stripe.subscriptions.retrieve(id),
    stripe.invoices.list({ subscription: id, status: 'paid', limit: 100 }),
  ])
  const { payment, ours } = parseMetadata(subscription.metadata) ?? {}
  const stored = ours ? await readStoredSubscription(ours) : null
  if (!payment || !ours || !stored) {
    if (payment) log('warn', 'payment_unknown', { payment, reference: id })
    return false
  }
  if (stored.reference && stored.reference !== id) {
    log('error', 'subscription_duplicated', { payment, reference: id })
    return false
  }
  const unsettled = await findUnsettledInvoices(invoices, { cents: stored.cents, payment })
  const state = renewalStateOf(subscription)
  await asService((tx) => [
    // Locks everything that the statements below change, in the global lock order.
    tx`select private.lock_provider_subscription(${ours}::text::uuid, ${state === 'ended'}::boolean)`,
    tx`select private.record_provider_subscription(${ours}::text::uuid, ${id}::text)`,
    ...unsettled.map((invoice) =>
      isFirst(invoice)
        ? tx`select private.settle_payment(${payment}::text::uuid, ${invoice.id}::text)`
        : tx`
            select private.settle_provider_period(${id}::text, ${invoice.id}::text, ${stored.cents}::integer,
                                                  to_timestamp(${invoice.created}::double precision))`,
    ),
    ...(state ? [applyRenewalState(tx, id, state)] : []),
  ])
  if (unsettled.some(isFirst)) sendWelcomeMessagesInBackground()
  return true
}

async function readStoredSubscription(id: string): Promise<StoredSubscription | null> {
  const [row] = await asService(
    (tx) => tx<StoredSubscription[]>`
      select s.price_cents as cents, s.provider_reference as reference from public.subscriptions s
      where s.id = ${id}::text::uuid
      union all
      select s.price_cents, s.provider_reference from public.creator_plans s where s.id = ${id}::text::uuid`,
  )
  return row ?? null
}

const isFirst = (invoice: Stripe.Invoice) => invoice.billing_reason === 'subscription_create'

/** Returns the paid invoices that are not settled yet and are for the agreed amount, oldest first. */
async function findUnsettledInvoices(
  invoices: Stripe.Invoice[],
  { cents, payment }: { cents: number; payment: string },
): Promise<Stripe.Invoice[]> {
  const ids = invoices.map(({ id }) => id ?? '').join(',')
  const rows = await asService(
    (tx) => tx<{ reference: string }[]>`
      select p.provider_reference as reference from public.payments p
      where p.provider = 'stripe' and p.provider_reference = any (string_to_array(${ids}::text, ','))`,
  )
  const settled = new Set(rows.map(({ reference }) => reference))
  const unsettled = invoices
    .filter(({ id }) => !settled.has(id ?? ''))
    .sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || a.created - b.created)
  const agreed = await Promise.all(unsettled.map((invoice) => isAgreedInvoice(invoice, cents, payment)))
  return unsettled.filter((_, index) => agreed[index])
}

async function isAgreedInvoice(invoice: Stripe.Invoice, cents: number, payment: string): Promise<boolean> {
  const reference = invoice.id ?? ''
  const received = { reference, cents: invoice.amount_paid, currency: invoice.currency }
  if (isFirst(invoice)) return await isAgreedAmount(payment, received)
  const isAgreed =
    invoice.billing_reason === 'subscription_cycle' && received.cents === cents && received.currency === 'usd'
  if (!isAgreed) {
    log('error', 'payment_mismatch', {
      payment,
      reference,
      expected: cents,
      received: received.cents,
      currency: received.currency,
    })
  }
  return isAgreed
}

/**
 * Returns the renewal state of a subscription at Stripe, or null if its status corresponds to none, for example because
 * it has not begun.
 */
function renewalStateOf({
  status,
  cancel_at,
  cancel_at_period_end,
}: Stripe.Subscription): RenewalState | null {
  switch (status) {
    case 'canceled':
    case 'incomplete_expired':
    case 'unpaid':
      return 'ended'
    case 'active':
    case 'trialing':
    case 'past_due':
      return cancel_at_period_end || cancel_at ? 'cancelled' : 'active'
    default:
      return null
  }
}

/**
 * Applies Stripe's state only if it differs from the last known one (`provider_state`). An unchanged state must not
 * undo a change that was made here and has not been sent to Stripe yet.
 */
const applyRenewalState = (tx: Sql, id: string, state: RenewalState) => tx`
  select private.apply_provider_status(${id}::text, ${state}::text)
  from (select s.provider_state from public.subscriptions s where s.provider_reference = ${id}::text
        union all
        select s.provider_state from public.creator_plans s where s.provider_reference = ${id}::text) k
  where k.provider_state <> ${state}::text`
