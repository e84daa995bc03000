import type Stripe from 'stripe'
import { log } from '../../http/log.ts'
import { asService } from '../../http/run-as.ts'
import { forEachConcurrently } from '../../jobs/for-each-concurrently.ts'
import type { ReconcileResult } from '../provider.ts'
import {
  describeError,
  idempotencyOptions,
  idOf,
  isInvalidRequest,
  isMissingResource,
  stripe,
} from './client.ts'
import { hasFailed, isClosedUnpaid, syncCheckoutSession } from './event-handlers.ts'
import { syncSubscription } from './subscriptions.ts'

/** Maximum number of rows that each query of a run returns, and how many of them are processed in parallel. */
const batchSize = 500
const concurrency = 5
/** After this time, a run processes no further rows. */
const timeLimitMs = 100_000

type Row = { id: string; reference: string }
type SubscriptionChange = Row & { wanted: 'active' | 'cancelled' | 'ended' }
type Count = { done: number; failed: number }

/**
 * Processes the rows in parallel until the deadline, and counts those for which `work` returned true and those that
 * failed. A failed row does not stop the others.
 */
async function processAll<T extends { reference: string }>(
  rows: readonly T[],
  deadline: number,
  work: (row: T) => Promise<boolean>,
): Promise<Count> {
  const count = { done: 0, failed: 0 }
  await forEachConcurrently(rows, concurrency, async (row) => {
    if (Date.now() >= deadline) return
    try {
      if (await work(row)) count.done++
    } catch (error) {
      count.failed++
      log('warn', 'payments_job_failed', { reference: row.reference, reason: describeError(error) })
    }
  })
  return count
}

/** Sends Stripe the new state of subscriptions and plans that were cancelled, ended or resumed here. */
export async function pushSubscriptionChanges(
  deadline = Date.now() + timeLimitMs,
): Promise<Pick<ReconcileResult, 'pushed' | 'failed'>> {
  const rows = await asService(
    (tx) => tx<SubscriptionChange[]>`
      select u.id, u.reference, u.wanted from private.unsynced_subscriptions(${batchSize}::integer) u`,
  )
  const { done, failed } = await processAll(rows, deadline, pushSubscriptionChange)
  return { pushed: done, failed }
}

async function pushSubscriptionChange({ id, reference, wanted }: SubscriptionChange): Promise<boolean> {
  try {
    if (wanted === 'ended') await stripe.subscriptions.cancel(reference)
    else await stripe.subscriptions.update(reference, { cancel_at_period_end: wanted === 'cancelled' })
  } catch (error) {
    if (!isInvalidRequest(error) || !(await syncEndedSubscription(reference))) throw error
    return true
  }
  await asService((tx) => tx`select private.record_provider_sync(${id}::text::uuid, ${wanted}::text)`)
  return true
}

/**
 * Ends a subscription in the database if it has ended at Stripe, by itself or through the customer portal.
 *
 * @returns whether it has ended at Stripe
 */
async function syncEndedSubscription(reference: string): Promise<boolean> {
  try {
    const { status } = await stripe.subscriptions.retrieve(reference)
    if (status !== 'canceled' && status !== 'incomplete_expired') return false
    await syncSubscription(reference)
  } catch (error) {
    if (!isMissingResource(error)) throw error
    await asService((tx) => tx`select private.apply_provider_status(${reference}::text, 'ended')`)
  }
  return true
}

/** Refunds a void payment at Stripe, or closes its checkout page if the payer could still pay there. */
async function refundVoidPayment({ id, reference }: Row): Promise<boolean> {
  await asService((tx) => tx`select private.record_refund_attempt(${id}::text::uuid)`)
  if (reference.startsWith('cs_')) {
    const session = await stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] })
    // The checkout was completed in the meantime. Once its payment has been received, a later run refunds it.
    if (session.status === 'complete' && !(await syncCompletedUnpaid(session))) return false
    if (session.status === 'open') await stripe.checkout.sessions.expire(reference)
  } else {
    const intent = reference.startsWith('in_') ? await findInvoiceIntent(reference) : reference
    if (intent) await refund(id, intent)
  }
  await asService((tx) => tx`select private.record_refund(${id}::text::uuid, ${reference}::text)`)
  return true
}

/**
 * Returns whether the payment of a completed checkout session has failed, as it can with a delayed payment method.
 * Syncs the session unless its payment intent has failed.
 */
async function syncCompletedUnpaid(session: Stripe.Checkout.Session): Promise<boolean> {
  if (isClosedUnpaid(session)) return true
  await syncCheckoutSession(session)
  const invoice = idOf(session.invoice)
  if (!invoice) return false
  const { data } = await stripe.invoicePayments.list({ invoice, limit: 1 })
  const intent = idOf(data[0]?.payment.payment_intent)
  return intent !== null && hasFailed(await stripe.paymentIntents.retrieve(intent))
}

async function findInvoiceIntent(invoice: string): Promise<string | null> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 1 })
  return idOf(data[0]?.payment.payment_intent)
}

async function refund(paymentId: string, intent: string): Promise<void> {
  try {
    await stripe.refunds.create({ payment_intent: intent }, idempotencyOptions('refund', paymentId, intent))
  } catch (error) {
    if (!isInvalidRequest(error, 'charge_already_refunded')) throw error
  }
}

/** Deletes the Stripe customer of a deleted account. */
async function deleteCustomer({ reference }: { reference: string }): Promise<boolean> {
  try {
    await stripe.customers.del(reference)
  } catch (error) {
    if (!isMissingResource(error)) throw error
  }
  await asService((tx) => tx`select private.delete_payment_customer('stripe', ${reference}::text)`)
  return true
}

/** Syncs the checkout session of a payment that was created at least an hour ago and is still pending. */
async function syncPendingPayment({ id, reference }: Row): Promise<boolean> {
  try {
    return await syncCheckoutSession(
      await stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] }),
    )
  } catch (error) {
    if (!isMissingResource(error)) throw error
    await asService((tx) => tx`select private.expire_payment(${id}::text::uuid, ${reference}::text)`)
    return true
  }
}

/**
 * Sends Stripe our pending changes, and syncs payments and subscriptions whose webhook events may be missing. Safe to
 * run at any time.
 */
export async function reconcile(): Promise<ReconcileResult> {
  const deadline = Date.now() + timeLimitMs
  const [pendingPayments, overdueSubscriptions] = await asService((tx) => [
    tx<Row[]>`
      select p.id, p.provider_reference as reference from public.payments p
      where p.state = 'pending' and p.provider = 'stripe' and starts_with(p.provider_reference, 'cs_')
        and p.created_at < now() - interval '1 hour'
      order by p.created_at limit ${batchSize}::integer`,
    // Subscriptions and plans whose period ended between an hour and three days ago, and for which no event about the
    // next period has arrived.
    tx<Row[]>`
      select s.id, s.provider_reference as reference from public.subscriptions s
      where s.state = 'active' and s.provider_reference is not null
        and s.period_end between now() - interval '3 days' and now() - interval '1 hour'
      union all
      select s.id, s.provider_reference from public.creator_plans s
      where s.state = 'active' and s.provider_reference is not null
        and s.period_end between now() - interval '3 days' and now() - interval '1 hour'
      limit ${batchSize}::integer`,
  ])
  const settled = await processAll(pendingPayments, deadline, syncPendingPayment)
  const renewed = await processAll(overdueSubscriptions, deadline, ({ reference }) =>
    syncSubscription(reference),
  )
  const changes = await pushSubscriptionChanges(deadline)
  const voidPayments = await asService(
    (tx) => tx<Row[]>`
      select g.id, g.reference from private.due_refunds(${batchSize}::integer) g`,
  )
  const refunded = await processAll(voidPayments, deadline, refundVoidPayment)
  const orphanedCustomers = await asService(
    (tx) => tx<{ reference: string }[]>`
      select c.reference from private.payment_customers_to_delete(${batchSize}::integer) c where c.provider = 'stripe'`,
  )
  const deleted = await processAll(orphanedCustomers, deadline, deleteCustomer)
  return {
    settled: settled.done,
    pushed: changes.pushed,
    refunded: refunded.done,
    customersDeleted: deleted.done,
    failed: settled.failed + renewed.failed + changes.failed + refunded.failed + deleted.failed,
  }
}
