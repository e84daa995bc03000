import type { CheckoutAnswer } from '../contract/payment.ts'
import { asService } from '../db/run.ts'
import { inBackground } from '../http/background.ts'
import { type PaymentsPort, port } from './port.ts'

/** What became of a payment: paid, good for nothing any more, or to be made by its payer on a page elsewhere. */
export type Settled = 'paid' | 'void' | CheckoutAnswer

/**
 * Charges a payment that was begun, and settles it by what the provider says of it. Asked again, it takes no more, and
 * answers the same page as long as that is open.
 *
 * @param payment its id
 * @throws what the provider throws; the payment then stays as it was begun
 */
export async function chargeAndSettle(payment: string, to: PaymentsPort): Promise<Settled> {
  const charged = await to.charge(payment)
  if (charged.state === 'elsewhere') return { checkoutUrl: charged.url }
  if (charged.state === 'over') return 'void'
  const [settled] = await asService(
    'what is paid is said by its provider, never by the payer',
    (tx) => tx<{ open: boolean }[]>`
      select private.settle_payment(${payment}::text::uuid, ${charged.reference}::text) as open`,
  )
  return settled?.open ? 'paid' : 'void'
}

/**
 * Tells the provider, behind the answer, of what was just ended or goes on. Should that fail, the job tells it within
 * minutes.
 */
export function tellSoon(): void {
  if (port?.elsewhere) inBackground(port.elsewhere.tellEnds(), 'provider_untold')
}
