import { asService, type Sql } from '../db/run.ts'
import { log } from '../http/log.ts'
import { port } from './port.ts'
import { chargeAndSettle } from './settle.ts'

/** Subscriptions, or plans, that are taken at once, and how many of them are charged at a time. */
const batch = 100
const atOnce = 5
/** Milliseconds after which a call charges no more: the next one comes soon. */
const longest = 120_000

/** What a call did: how many subscriptions and plans it renewed and ended, and how many could not be renewed this time. */
export interface Renewed {
  renewed: number
  ended: number
  failed: number
}

/**
 * Renews every subscription and every creator's plan whose period is over, or ends it where it is not to go on. One that
 * cannot be charged stops no other, and is tried again by a later call, as long as the grace lasts. It may be run at any
 * time, and by several at once.
 */
export async function renewAll(): Promise<Renewed> {
  const done: Renewed = { renewed: 0, ended: 0, failed: 0 }
  const deadline = Date.now() + longest
  for (const begin of [beginRenewals, beginPlanRenewals]) await renewBy(begin, done, deadline)
  return done
}

// Where the provider renews by itself, what it does not renew (paid before by another way) ends with its period: nobody
// is there to go to its page.
const by = port && !port.elsewhere ? port.provider : null
type Begin = typeof beginRenewals

const beginRenewals = (tx: Sql) => tx<{ payment: string | null }[]>`
  select b.payment from private.begin_renewals(${batch}::integer, ${by}::text) b`
const beginPlanRenewals = (tx: Sql) => tx<{ payment: string | null }[]>`
  select b.payment from private.begin_plan_renewals(${batch}::integer, ${by}::text) b`

async function renewBy(begin: Begin, done: Renewed, deadline: number): Promise<void> {
  for (let taken = batch; taken === batch && Date.now() < deadline; ) {
    const begun = await asService('the schedule renews what everybody pays by the month', begin)
    taken = begun.length
    const queue = [...begun]
    const work = async () => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        done[Date.now() > deadline && one.payment ? 'failed' : await renew(one.payment)]++
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
}

async function renew(payment: string | null): Promise<keyof Renewed> {
  if (!payment || !port) return 'ended'
  try {
    return (await chargeAndSettle(payment, port)) === 'paid' ? 'renewed' : 'ended'
  } catch (error) {
    log('warn', 'renewal_failed', { payment, reason: error instanceof Error ? error.message : String(error) })
    return 'failed'
  }
}
