import type Stripe from 'stripe'
import { z } from 'zod'
import { asService, type Sql } from '../../db/run.ts'
import { log } from '../../http/log.ts'

/**
 * What Stripe told, by its own id. It is noted in the transaction that acts on it: an event that failed was never taken,
 * and all that is done for one that is told again, or late, changes nothing.
 */
export type Told = { id: string; type: string } | null

export const why = 'what is paid is said by its provider, never by the payer'

/** The statement that notes an event, first of those that act on it. */
export const taken = (tx: Sql, told: Told) =>
  told ? [tx`select private.take_payment_event('stripe', ${told.id}::text, ${told.type}::text)`] : []

/** Takes an event that there is nothing to do for. */
export async function takeOnly(told: Told): Promise<void> {
  if (told) await asService(why, (tx) => taken(tx, told))
}

/** What Stripe says that came. */
type Came = { reference: string; cents: number | null; currency: string | null }

type Known = { state: string; cents: number; reference: string | null }

/** A payment as it stands here; null where it is none of ours. */
export async function known(payment: string): Promise<Known | null> {
  const [row] = await asService(
    why,
    (tx) => tx<Known[]>`
      select p.state, p.amount_cents as cents, p.provider_reference as reference
      from public.payments p where p.id = ${payment}::text::uuid and p.provider = 'stripe'`,
  )
  return row ?? null
}

/**
 * Whether what came for a payment is what was agreed on. Says in the log what an operator has to look at.
 *
 * @param agreed cents on the page where it was paid; without, what the payment costs now
 */
export async function isAsAgreed(payment: string, came: Came, agreed?: number): Promise<boolean> {
  const row = await known(payment)
  if (!row) {
    // Another installation on the same account, or one that was set up anew.
    log('warn', 'payment_unknown', { payment, reference: came.reference })
    return false
  }
  const expected = agreed ?? row.cents
  if (came.cents !== expected || came.currency !== 'usd') {
    log('error', 'payment_mismatch', {
      payment,
      reference: came.reference,
      expected,
      came: came.cents ?? 0,
      currency: came.currency ?? '',
    })
    return false
  }
  if (row.state === 'paid' && row.reference !== came.reference) {
    log('error', 'payment_twice', { payment, reference: came.reference })
  }
  return true
}

const Marks = z.object({
  payment: z.uuid(),
  ours: z.uuid().optional(),
  cents: z.coerce.number().int().positive().optional(),
})

/**
 * What we wrote on what is Stripe's: the payment that it is for, or the first of, and the subscription or plan, or what
 * the page was opened for. Null on what is none of ours.
 */
export const marksOf = (metadata: Stripe.Metadata | null): z.infer<typeof Marks> | null =>
  Marks.safeParse(metadata ?? {}).data ?? null
