import { log } from '../../http/log.ts'
import { asService } from '../../http/run-as.ts'

/** A received amount, as Stripe reports it. */
type ReceivedMoney = { reference: string; cents: number | null; currency: string | null }

type StoredPayment = { state: string; cents: number; reference: string | null }

/** Returns a Stripe payment as it is stored here, or null if this database does not have it. */
export async function readStoredPayment(paymentId: string): Promise<StoredPayment | null> {
  const [row] = await asService(
    (tx) => tx<StoredPayment[]>`
      select p.state, p.amount_cents as cents, p.provider_reference as reference
      from public.payments p where p.id = ${paymentId}::text::uuid and p.provider = 'stripe'`,
  )
  return row ?? null
}

/**
 * Returns whether the received amount is the agreed amount. If it is not, the payment must not be settled. Logs
 * everything that an operator has to investigate.
 *
 * @param agreedCents the price on the checkout page; by default, the payment's current price
 */
export async function isAgreedAmount(
  paymentId: string,
  received: ReceivedMoney,
  agreedCents?: number,
): Promise<boolean> {
  const stored = await readStoredPayment(paymentId)
  if (!stored) {
    // The Stripe account may also serve another installation, or this one may have been reinstalled.
    log('warn', 'payment_unknown', { payment: paymentId, reference: received.reference })
    return false
  }
  const expected = agreedCents ?? stored.cents
  if (received.cents !== expected || received.currency !== 'usd') {
    log('error', 'payment_mismatch', {
      payment: paymentId,
      reference: received.reference,
      expected,
      received: received.cents ?? 0,
      currency: received.currency ?? '',
    })
    return false
  }
  if (stored.state === 'paid' && stored.reference !== received.reference) {
    log('error', 'payment_duplicated', { payment: paymentId, reference: received.reference })
  }
  return true
}
