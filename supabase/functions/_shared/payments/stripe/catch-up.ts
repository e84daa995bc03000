import type Stripe from 'stripe'
import { asService } from '../../db/run.ts'
import { log } from '../../http/log.ts'
import type { CaughtUp } from '../port.ts'
import { idOf, isGone, isRefused, onceFor, reasonOf, stripe } from './client.ts'
import { hasFailed, heedSession, isOver } from './heed.ts'
import { heedSubscription } from './subscriptions.ts'

const why = 'what is between the provider and the platform has no caller'

/** What is taken of each kind in one call, how much of it at a time, and milliseconds after which no more is begun. */
const most = 500
const atOnce = 5
const longest = 100_000

type Row = { id: string; reference: string }
type Untold = Row & { wanted: 'active' | 'cancelled' | 'ended' }
type Count = { done: number; failed: number }

/** Does something for each: one that fails stops no other. */
async function each<T extends { reference: string }>(
  rows: readonly T[],
  deadline: number,
  work: (row: T) => Promise<boolean>,
): Promise<Count> {
  const count = { done: 0, failed: 0 }
  const queue = [...rows]
  const one = async () => {
    for (let row = queue.shift(); row && Date.now() < deadline; row = queue.shift()) {
      try {
        if (await work(row)) count.done++
      } catch (error) {
        count.failed++
        log('warn', 'payments_job_failed', { reference: row.reference, reason: reasonOf(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return count
}

/** Tells Stripe which subscriptions and plans were ended here, or go on. */
export async function tellEnds(deadline = Date.now() + longest): Promise<Pick<CaughtUp, 'told' | 'failed'>> {
  const rows = await asService(
    why,
    (tx) => tx<Untold[]>`
      select u.id, u.reference, u.wanted from private.untold_subscriptions(${most}::integer) u`,
  )
  const { done, failed } = await each(rows, deadline, tell)
  return { told: done, failed }
}

async function tell({ id, reference, wanted }: Untold): Promise<boolean> {
  try {
    if (wanted === 'ended') await stripe.subscriptions.cancel(reference)
    else await stripe.subscriptions.update(reference, { cancel_at_period_end: wanted === 'cancelled' })
  } catch (error) {
    if (!isRefused(error) || !(await hasEnded(reference))) throw error
    return true
  }
  await asService(why, (tx) => tx`select private.note_told(${id}::text::uuid, ${wanted}::text)`)
  return true
}

/** Whether it has ended at Stripe, by itself or in the customer's portal. If so, that is heeded. */
async function hasEnded(reference: string): Promise<boolean> {
  try {
    const { status } = await stripe.subscriptions.retrieve(reference)
    if (status !== 'canceled' && status !== 'incomplete_expired') return false
    await heedSubscription(reference, null)
  } catch (error) {
    if (!isGone(error)) throw error
    await asService(why, (tx) => tx`select private.heed_provider(${reference}::text, 'ended')`)
  }
  return true
}

/** Gives back what came for nothing, or closes the page where it could still be paid. */
async function giveBack({ id, reference }: Row): Promise<boolean> {
  await asService(why, (tx) => tx`select private.note_give_back_tried(${id}::text::uuid)`)
  if (reference.startsWith('cs_')) {
    const session = await stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] })
    // Paid meanwhile: then what came is known now, and given back by the next call.
    if (session.status === 'complete' && !(await bringsNothing(session))) return false
    if (session.status === 'open') await stripe.checkout.sessions.expire(reference)
  } else {
    const intent = reference.startsWith('in_') ? await intentOf(reference) : reference
    if (intent) await refund(id, intent)
  }
  await asService(why, (tx) => tx`select private.note_given_back(${id}::text::uuid, ${reference}::text)`)
  return true
}

/** Heeds a page that was made use of, by a way that may take its time. True where that failed. */
async function bringsNothing(session: Stripe.Checkout.Session): Promise<boolean> {
  if (isOver(session)) return true
  await heedSession(session)
  const invoice = idOf(session.invoice)
  if (!invoice) return false
  const { data } = await stripe.invoicePayments.list({ invoice, limit: 1 })
  const intent = idOf(data[0]?.payment.payment_intent)
  return intent !== null && hasFailed(await stripe.paymentIntents.retrieve(intent))
}

async function intentOf(invoice: string): Promise<string | null> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 1 })
  return idOf(data[0]?.payment.payment_intent)
}

async function refund(payment: string, intent: string): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent: intent }, await onceFor('refund', payment, intent))
  } catch (error) {
    if (!isRefused(error, 'charge_already_refunded')) throw error
  }
}

async function forget({ reference }: { reference: string }): Promise<boolean> {
  try {
    await stripe.customers.del(reference)
  } catch (error) {
    if (!isGone(error)) throw error
  }
  await asService(why, (tx) => tx`select private.forget_customer('stripe', ${reference}::text)`)
  return true
}

/** Looks at a page that was opened an hour ago and more, and of which nothing was heard. */
async function lookAfter({ id, reference }: Row): Promise<boolean> {
  try {
    return await heedSession(
      await stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] }),
    )
  } catch (error) {
    if (!isGone(error)) throw error
    await asService(why, (tx) => tx`select private.expire_payment(${id}::text::uuid, ${reference}::text)`)
    return true
  }
}

/** Tells Stripe what it does not know yet, and asks for what it should have told. It may be run at any time. */
export async function catchUp(): Promise<CaughtUp> {
  const deadline = Date.now() + longest
  const [pending, late] = await asService(why, (tx) => [
    tx<Row[]>`
      select p.id, p.provider_reference as reference from public.payments p
      where p.state = 'pending' and p.provider = 'stripe' and starts_with(p.provider_reference, 'cs_')
        and p.created_at < now() - interval '1 hour'
      order by p.created_at limit ${most}::integer`,
    // A month that is over for an hour and more, as nothing was heard of the next one.
    tx<Row[]>`
      select s.id, s.provider_reference as reference from public.subscriptions s
      where s.state = 'active' and s.provider_reference is not null
        and s.period_end between now() - interval '3 days' and now() - interval '1 hour'
      union all
      select s.id, s.provider_reference from public.creator_plans s
      where s.state = 'active' and s.provider_reference is not null
        and s.period_end between now() - interval '3 days' and now() - interval '1 hour'
      limit ${most}::integer`,
  ])
  const settled = await each(pending, deadline, lookAfter)
  const heeded = await each(late, deadline, ({ reference }) => heedSubscription(reference, null))
  const told = await tellEnds(deadline)
  const back = await asService(
    why,
    (tx) => tx<Row[]>`
      select g.id, g.reference from private.payments_to_give_back(${most}::integer) g`,
  )
  const givenBack = await each(back, deadline, giveBack)
  const gone = await asService(
    why,
    (tx) => tx<{ reference: string }[]>`
      select c.reference from private.customers_to_forget(${most}::integer) c where c.provider = 'stripe'`,
  )
  const forgotten = await each(gone, deadline, forget)
  return {
    settled: settled.done,
    told: told.told,
    givenBack: givenBack.done,
    forgotten: forgotten.done,
    failed: settled.failed + heeded.failed + told.failed + givenBack.failed + forgotten.failed,
  }
}
