import type { Sql } from '../db/sql.ts'
import { log } from '../http/log.ts'
import { asService } from '../http/run-as.ts'
import { forEachConcurrently } from '../jobs/for-each-concurrently.ts'
import { chargeAndSettle } from './charge-and-settle.ts'
import { paymentProvider } from './provider.ts'

/** Number of subscriptions or plans that are fetched together, and how many of them are charged in parallel. */
const batchSize = 100
const concurrency = 5
/** After this time, a run makes no further charges; a later run makes them. */
const timeLimitMs = 120_000

/** How many subscriptions and plans a run renewed, paused, ended and failed to renew. */
export interface RenewalResult {
  renewed: number
  paused: number
  ended: number
  failed: number
}

/**
 * Renews the subscriptions and Creator Pro plans whose period is over, and ends those that were cancelled or are not
 * allowed to renew. A failed charge does not stop the others; later runs retry it until the grace period ends. While
 * payments are off, subscriptions and plans continue without payment and count as paused. Overlapping runs are safe.
 */
export async function renewDueSubscriptions(): Promise<RenewalResult> {
  const result: RenewalResult = { renewed: 0, paused: 0, ended: 0, failed: 0 }
  const deadline = Date.now() + timeLimitMs
  for (const begin of [beginRenewals, beginPlanRenewals]) await renewInBatches(begin, result, deadline)
  return result
}

// A provider with hosted checkout renews its subscriptions itself. It has no record of subscriptions that were
// previously paid through another provider. Those are not renewed and end with their period, because nobody is present
// to pay on a checkout page.
const renewingProvider = paymentProvider && !paymentProvider.hostedCheckout ? paymentProvider.name : null
const arePaymentsOff = paymentProvider === null
type BeginRenewals = typeof beginRenewals

/** A subscription or plan that was due. If it was paused or has ended, `payment` is null. */
type Begun = { payment: string | null; paused: boolean }

const beginRenewals = (tx: Sql) => tx<Begun[]>`
  select b.payment, b.paused
  from private.begin_renewals(${batchSize}::integer, ${renewingProvider}::text, ${arePaymentsOff}::boolean) b`
const beginPlanRenewals = (tx: Sql) => tx<Begun[]>`
  select b.payment, b.paused
  from private.begin_plan_renewals(${batchSize}::integer, ${renewingProvider}::text, ${arePaymentsOff}::boolean) b`

async function renewInBatches(begin: BeginRenewals, result: RenewalResult, deadline: number): Promise<void> {
  for (let fetched = batchSize; fetched === batchSize && Date.now() < deadline; ) {
    const begun = await asService(begin)
    fetched = begun.length
    await forEachConcurrently(begun, concurrency, async (next) => {
      result[Date.now() > deadline && next.payment ? 'failed' : await renew(next)]++
    })
  }
}

/** Charges a renewal, if there is something to pay, and returns the name of the count to increase. */
async function renew({ payment, paused }: Begun): Promise<keyof RenewalResult> {
  if (paused) return 'paused'
  if (!payment || !paymentProvider) return 'ended'
  try {
    return (await chargeAndSettle(payment, paymentProvider)) === 'paid' ? 'renewed' : 'ended'
  } catch (error) {
    log('warn', 'renewal_failed', {
      payment,
      reason: error instanceof Error ? error.message : String(error),
    })
    return 'failed'
  }
}
