import type { PayoutMethod, Transaction, TransactionsCard, TransactionType } from '@contract/earnings.ts'
import { earningSourceNames } from '@/billing/payments'

/** The display name of a single transaction of each type. */
export const transactionTypeNames: Record<TransactionType, string> = {
  subscription: 'Subscription',
  tip: 'Tip',
  premium_content: 'Premium content',
  refund: 'Refund',
  payout: 'Payout',
  payout_failed: 'Payout given back',
  given_up: 'Balance given up',
}

/** The options of the type filter. */
export const transactionTypeFilters: Record<TransactionType, string> = {
  ...earningSourceNames,
  refund: 'Refunds',
  payout: 'Payouts',
  payout_failed: 'Payouts given back',
  given_up: 'Balance given up',
}

/** The titles of the cards of the overview. */
export const amountCardNames: Record<TransactionsCard, string> = {
  available: 'Available Balance',
  pending: 'Pending',
  this_month: 'This Month',
  last_30_days: 'Yearly Projection',
}

export const payoutMethodTypes: Record<PayoutMethod['type'], string> = {
  bank: 'Bank account',
  paypal: 'PayPal',
}

const utcDayFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const dateTimeFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** Returns a timestamp's day in UTC, such as 'Nov 21, 2026'. Earnings count all days in UTC. */
export const formatUtcDay = (timestamp: string) => utcDayFormat.format(new Date(timestamp))

/** Returns a timestamp in the viewer's time zone, such as 'Nov 21, 6:50 PM', for when a method becomes usable. */
export const formatDateTime = (timestamp: string) => dateTimeFormat.format(new Date(timestamp))

/** Returns whether a sale has not cleared at `now`, in milliseconds since 1970. */
export const isSalePending = ({ status, clearsAt }: Transaction, now: number) =>
  status === 'pending' && Date.parse(clearsAt) > now
