import type { AdminPayout, PayoutDetails, PayoutState } from '@contract/earnings.ts'
import { displayName } from '@/lib/text'

/** Labels of the states. */
export const payoutStateNames: Record<PayoutState, string> = {
  requested: 'Waiting',
  paid: 'Paid',
  failed: 'Failed',
}

/** Returns the name of the creator who is paid. Their account may be deleted. */
export const payeeName = ({ person }: AdminPayout) => displayName(person, 'Deleted user')

/** Returns the destination of a payout as labeled lines, in the order of a bank's transfer form. */
export function payoutDetailLines(details: PayoutDetails): [name: string, value: string][] {
  if (details.type === 'paypal') return [['PayPal email', details.email]]
  return [
    ['Account holder', details.holder],
    ['IBAN or account number', details.account],
    ...(details.routing ? [['Routing number or BIC', details.routing] as [string, string]] : []),
  ]
}
