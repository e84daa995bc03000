import type { Sql } from '../db/sql.ts'
import { log } from '../http/log.ts'
import { asService } from '../http/run-as.ts'
import { chargeAndSettle } from './charge-and-settle.ts'
import { paymentProvider } from './provider.ts'

/** Number of subscriptions or plans that are fetched together, and how many of them are charged in parallel. */
const batchSize = 100
const concurrency = 5
/** After this time a run makes no further charges. The next run follows soon. */
const timeLimitMs = 120_000

/** How many subscriptions and plans a run renewed, ended and failed to renew. */
export interface RenewalResult {
  renewed: number
  ended: number
  failed: number
}

/**
 * Renews the subscriptions and Creator Pro plans whose period is over, and ends those that were cancelled or may not
 * renew. A failed charge does not stop the others; later runs retry it until the grace period ends. Runs may overlap.
 */
export async function renewDueSubscriptions(): Promise<RenewalResult> {
  const result: RenewalResult = { renewed: 0, ended: 0, failed: 0 }
  const deadline = Date.now() + timeLimitMs
  for (const begin of [beginRenewals, beginPlanRenewals]) await renewInBatches(begin, result, deadline)
  return result
}

// A provider with hosted checkout renews its subscriptions itself. Subscriptions that it does not know, because they
// were previously paid through another provider, are not renewed and end with their period: no payer is present who
// could pay on a checkout page.
const renewingProvider = paymentProvider && !paymentProvider.hostedCheckout ? paymentProvider.name : null
type BeginRenewals = typeof beginRenewals

const beginRenewals = (tx: Sql) => tx<{ payment: string | null }[]>`
  select b.payment from private.begin_renewals(${batchSize}::integer, ${renewingProvider}::text) b`
const beginPlanRenewals = (tx: Sql) => tx<{ payment: string | null }[]>`
  select b.payment from private.begin_plan_renewals(${batchSize}::integer, ${renewingProvider}::text) b`

async function renewInBatches(begin: BeginRenewals, result: RenewalResult, deadline: number): Promise<void> {
  for (let fetched = batchSize; fetched === batchSize && Date.now() < deadline; ) {
    const begun = await asService(begin)
    fetched = begun.length
    const queue = [...begun]
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        result[Date.now() > deadline && next.payment ? 'failed' : await renew(next.payment)]++
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
}

/**
 * Charges a renewal and returns the count that it belongs to.
 *
 * @param paymentId null for a subscription or plan that the database ended instead of renewing
 */
async function renew(paymentId: string | null): Promise<keyof RenewalResult> {
  if (!paymentId || !paymentProvider) return 'ended'
  try {
    return (await chargeAndSettle(paymentId, paymentProvider)) === 'paid' ? 'renewed' : 'ended'
  } catch (error) {
    log('warn', 'renewal_failed', {
      payment: paymentId,
      reason: error instanceof Error ? error.message : String(error),
    })
    return 'failed'
  }
}
