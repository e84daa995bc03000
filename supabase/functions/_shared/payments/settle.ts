import { asService } from '../db/run.ts'
import type { PaymentsPort } from './port.ts'

/**
 * Charges a payment that was begun, and settles it by what the provider says of it. Asked again, it takes no more.
 *
 * @param payment its id
 * @returns false when it was not good for anything any more
 * @throws what the provider throws; the payment then stays as it was begun
 */
export async function chargeAndSettle(payment: string, to: PaymentsPort): Promise<boolean> {
  const { reference } = await to.charge(payment)
  const [settled] = await asService(
    'what is paid is said by its provider, never by the payer',
    (tx) => tx<{ open: boolean }[]>`
      select private.settle_payment(${payment}::text::uuid, ${reference}::text) as open`,
  )
  return settled?.open ?? false
}
