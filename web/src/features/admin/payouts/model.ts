import type { AdminPayout, PayoutDetails, PayoutState } from '@contract/earnings.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { userName } from '../user-name'

/** Labels of the payout states. */
export const payoutStateNames: Record<PayoutState, MessageDescriptor> = {
  requested: msg`Pending`,
  paid: msg`Paid`,
  failed: msg`Failed`,
}

/** Returns the name of the creator who receives the payout. Their account may have been deleted. */
export const payeeName = ({ person }: AdminPayout) => userName(person)

/** Returns the destination of a payout as labeled lines, in the order used by bank transfer forms. */
export function payoutDetailLines(details: PayoutDetails): [name: string, value: string][] {
  if (details.type === 'paypal') return [[t`PayPal email`, details.email]]
  return [
    [t`Account holder`, details.holder],
    [t`IBAN or account number`, details.account],
    ...(details.routing ? [[t`Routing number or BIC`, details.routing] as [string, string]] : []),
  ]
}
