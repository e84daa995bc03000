import type Stripe from 'stripe'
import { asService, type Sql } from '../../db/run.ts'
import { log } from '../../http/log.ts'
import { isAsAgreed, marksOf, type Told, taken, takeOnly, why } from './books.ts'
import { stripe } from './client.ts'

/** A subscription or a plan of ours, which Stripe renews. */
type Ours = { cents: number; reference: string | null }

/** What Stripe says of the end of a subscription; null as long as it has not begun. */
type Said = 'active' | 'cancelled' | 'ended' | null

/**
 * Brings a subscription, or a plan, to what Stripe shows of it now: every month that was paid is settled, in the order of
 * the months, and then whether it goes on. Whatever was told, and however late, the outcome is the same.
 *
 * @param id what Stripe calls it
 * @returns whether it is one of ours
 */
export async function heedSubscription(id: string, told: Told): Promise<boolean> {
  const [subscription, { data: invoices }] = await Promise.all([
    stripe.subscriptions.retrieve(id),
    stripe.invoices.list({ subscription: id, status: 'paid', limit: 100 }),
  ])
  const { payment, ours } = marksOf(subscription.metadata) ?? {}
  const held = ours ? await heldAs(ours) : null
  if (!payment || !ours || !held) {
    if (payment) log('warn', 'payment_unknown', { payment, reference: id })
    await takeOnly(told)
    return false
  }
  if (held.reference && held.reference !== id) {
    log('error', 'subscription_twice', { payment, reference: id })
    await takeOnly(told)
    return false
  }
  const periods = await unbooked(invoices, { cents: held.cents, payment })
  const said = saidBy(subscription)
  await asService(why, (tx) => [
    ...taken(tx, told),
    // Whatever follows, it is held in the one order in which everybody holds it.
    tx`select private.hold_provided(${ours}::text::uuid, ${said === 'ended'}::boolean)`,
    tx`select private.note_provider_subscription(${ours}::text::uuid, ${id}::text)`,
    ...periods.map((invoice) =>
      isFirst(invoice)
        ? tx`select private.settle_payment(${payment}::text::uuid, ${invoice.id}::text)`
        : tx`select private.settle_period(${id}::text, ${invoice.id}::text, ${held.cents}::integer)`,
    ),
    ...(said ? [heed(tx, id, said)] : []),
  ])
  return true
}

const heldAs = async (ours: string): Promise<Ours | null> => {
  const [row] = await asService(
    why,
    (tx) => tx<Ours[]>`
      select s.price_cents as cents, s.provider_reference as reference from public.subscriptions s
      where s.id = ${ours}::text::uuid
      union all
      select s.price_cents, s.provider_reference from public.creator_plans s where s.id = ${ours}::text::uuid`,
  )
  return row ?? null
}

const isFirst = (invoice: Stripe.Invoice) => invoice.billing_reason === 'subscription_create'

/** The months that were paid and are in no book yet, the first one first. */
async function unbooked(
  invoices: Stripe.Invoice[],
  { cents, payment }: { cents: number; payment: string },
): Promise<Stripe.Invoice[]> {
  const names = invoices.map(({ id }) => id ?? '').join(',')
  const rows = await asService(
    why,
    (tx) => tx<{ reference: string }[]>`
      select p.provider_reference as reference from public.payments p
      where p.provider = 'stripe' and p.provider_reference = any (string_to_array(${names}::text, ','))`,
  )
  const booked = new Set(rows.map(({ reference }) => reference))
  const open = invoices
    .filter(({ id }) => !booked.has(id ?? ''))
    .sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || a.created - b.created)
  const agreed = await Promise.all(open.map((invoice) => isMonth(invoice, cents, payment)))
  return open.filter((_, at) => agreed[at])
}

async function isMonth(invoice: Stripe.Invoice, cents: number, payment: string): Promise<boolean> {
  const reference = invoice.id ?? ''
  const came = { reference, cents: invoice.amount_paid, currency: invoice.currency }
  if (isFirst(invoice)) return await isAsAgreed(payment, came)
  const fits =
    invoice.billing_reason === 'subscription_cycle' && came.cents === cents && came.currency === 'usd'
  if (!fits) {
    log('error', 'payment_mismatch', {
      payment,
      reference,
      expected: cents,
      came: came.cents,
      currency: came.currency,
    })
  }
  return fits
}

function saidBy({ status, cancel_at, cancel_at_period_end }: Stripe.Subscription): Said {
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

/** What Stripe knew before is no news: what was decided here since is still to be told to it. */
const heed = (tx: Sql, id: string, said: 'active' | 'cancelled' | 'ended') => tx`
  select private.heed_provider(${id}::text, ${said}::text)
  from (select s.provider_knows as knows from public.subscriptions s where s.provider_reference = ${id}::text
        union all
        select s.provider_knows from public.creator_plans s where s.provider_reference = ${id}::text) k
  where k.knows <> ${said}::text`
