import type { PayoutMethod, Transaction, TransactionsCard, TransactionType } from '@contract/earnings.ts'
import { earningSourceNames } from '@/billing/payments'

/** One transaction of each type. */
export const transactionTypeNames: Record<TransactionType, string> = {
  subscription: 'Subscription',
  tip: 'Tip',
  premium_content: 'Premium content',
  refund: 'Refund',
  payout: 'Payout',
  payout_failed: 'Payout given back',
  given_up: 'Balance given up',
}

/** All transactions of a type, as a choice. */
export const transactionTypeFilters: Record<TransactionType, string> = {
  ...earningSourceNames,
  refund: 'Refunds',
  payout: 'Payouts',
  payout_failed: 'Payouts given back',
  given_up: 'Balance given up',
}

/** The cards of the overview that have rows, by what they are called. */
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

const asDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const asMoment = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** 'Nov 21, 2026': the day in UTC, as everything on these screens is counted. */
export const formatUtcDay = (timestamp: string) => asDay.format(new Date(timestamp))

/** 'Nov 21, 6:50 PM' on the reader's clock, for a moment that something waits for. */
export const formatDateTime = (timestamp: string) => asMoment.format(new Date(timestamp))

/** Whether a sale is still pending at a moment (milliseconds since 1970). */
export const isSalePending = ({ status, clearsAt }: Transaction, now: number) =>
  status === 'pending' && Date.parse(clearsAt) > now
