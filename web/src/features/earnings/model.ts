import type { PayoutMethod, Transaction, TransactionsCard, TransactionType } from '@contract/earnings.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { earningSourceNames } from '@/billing/payments'
import { dateFormat } from '@/lib/format'

/** The display name of a single transaction of each type. */
export const transactionTypeNames: Record<TransactionType, MessageDescriptor> = {
  subscription: msg`Subscription`,
  tip: msg`Tip`,
  premium_content: msg`Premium content`,
  refund: msg`Refund`,
  payout: msg`Payout`,
  payout_failed: msg`Payout returned`,
  given_up: msg`Balance forfeited`,
}

/** The options of the type filter. */
export const transactionTypeFilters: Record<TransactionType, MessageDescriptor> = {
  ...earningSourceNames,
  refund: msg`Refunds`,
  payout: msg`Payouts`,
  payout_failed: msg`Payouts returned`,
  given_up: msg`Balance forfeited`,
}

/** The titles of the cards of the overview. */
export const amountCardNames: Record<TransactionsCard, MessageDescriptor> = {
  available: msg`Available Balance`,
  pending: msg`Pending`,
  this_month: msg`This Month`,
  last_30_days: msg`Yearly Projection`,
}

export const payoutMethodTypes: Record<PayoutMethod['type'], MessageDescriptor> = {
  bank: msg`Bank account`,
  paypal: msg`PayPal`,
}

/** Returns a timestamp's day in UTC, such as 'Nov 21, 2026'. Earnings count all days in UTC. */
export const formatUtcDay = (timestamp: string) =>
  dateFormat({ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }).format(new Date(timestamp))

/** Returns a timestamp in the viewer's time zone, such as 'Nov 21, 6:50 PM', for when a method becomes usable. */
export const formatDateTime = (timestamp: string) =>
  dateFormat({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(
    new Date(timestamp),
  )

/** Returns whether a sale has not cleared at `now`, in milliseconds since 1970. */
export const isSalePending = ({ status, clearsAt }: Transaction, now: number) =>
  status === 'pending' && Date.parse(clearsAt) > now
