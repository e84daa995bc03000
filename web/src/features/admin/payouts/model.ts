import type { AdminPayout, PayoutDetails, PayoutState } from '@contract/earnings.ts'
import { displayName } from '@/lib/text'

/** What a payout's state is called to admins. */
export const payoutStateNames: Record<PayoutState, string> = {
  requested: 'Waiting',
  paid: 'Paid',
  failed: 'Failed',
}

/** The name of whom a payout is for; the account may be gone. */
export const payeeName = ({ person }: AdminPayout) => (person ? displayName(person) : 'Deleted user')

/** Where a payout goes, line by line, in the order that a bank's form asks for it. */
export function payoutDetailLines(details: PayoutDetails): [name: string, value: string][] {
  if (details.type === 'paypal') return [['PayPal email', details.email]]
  return [
    ['Account holder', details.holder],
    ['IBAN or account number', details.account],
    ...(details.routing ? [['Routing number or BIC', details.routing] as [string, string]] : []),
  ]
}
