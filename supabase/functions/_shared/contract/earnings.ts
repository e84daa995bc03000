import { z } from 'zod'
import { Dollars, Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { maxCharacters } from './text.ts'
import { UserCard } from './user.ts'

/* Amounts are in US dollars after the platform fee, unless noted otherwise. Days and months are in UTC. */

export const EarningSource = z.enum(['subscription', 'tip', 'premium_content'])
export type EarningSource = z.infer<typeof EarningSource>

export const EarningsOverview = z.object({
  /**
   * Cleared earnings minus payouts. Counts test money if payments are in test mode, and real money otherwise. Negative
   * if refunds exceeded the balance.
   */
  available: z.number(),
  /** Earnings from sales of the last `limits.clearingDays` days. */
  pending: z.number(),
  /** The balance of test money, pending and available together. It can only be paid out in test mode. */
  testBalance: z.number(),
  /** Earnings this month so far, and on the same days of the previous month. */
  thisMonth: z.number(),
  previousMonth: z.number(),
  last30Days: z.number(),
  /** The earnings of the last 30 days, times 12. */
  yearlyProjection: z.number(),
  /**
   * The earnings of the last 12 months by source, largest first. `percentage` is the share of the total, as a whole
   * number.
   */
  sources: z.array(z.object({ source: EarningSource, amount: z.number(), percentage: z.number() })),
  /**
   * The last 12 months, oldest first. `month` is the first day of the month, `previousYear` the amount a year earlier.
   */
  months: z.array(z.object({ month: z.string(), amount: z.number(), previousYear: z.number() })),
  /** The last 30 days, oldest first. The last one is today. */
  days: z.array(z.object({ day: z.string(), amount: z.number() })),
  /** The platform fee as a percentage of a sale. */
  feePercent: z.number(),
  /**
   * When the next payout is due. Null if none is scheduled, if the account is read-only, or if its email address is not
   * confirmed.
   */
  nextPayoutAt: Timestamp.nullable(),
  /**
   * The part of the current balance that will have cleared by `nextPayoutAt`. Payouts below `limits.minimumPayout` are
   * skipped. Null if `nextPayoutAt` is null.
   */
  nextPayoutAmount: z.number().nullable(),
})
export type EarningsOverview = z.infer<typeof EarningsOverview>

const EarningDay = z.object({ day: z.string(), amount: z.number() })

/** The earnings of a range of days, and of the same number of days before it. */
export const EarningsByDay = z.object({
  total: z.number(),
  previousTotal: z.number(),
  /** Every day, oldest first. */
  days: z.array(EarningDay),
  previousDays: z.array(EarningDay),
})
export type EarningsByDay = z.infer<typeof EarningsByDay>

export const TransactionType = z.enum([
  'subscription',
  'tip',
  'premium_content',
  'refund',
  'payout',
  'payout_failed',
  'given_up',
  'test_void',
])
export type TransactionType = z.infer<typeof TransactionType>

/**
 * The data in a transaction's description, apart from the buyer. A client can use the data to write the description in
 * another language. Fields that do not apply to the transaction are omitted.
 */
const TransactionDetails = z.object({
  buyerDeleted: z.boolean().optional(),
  /** The post that was unlocked or tipped. `title` is the beginning of the post's text, or empty if it has no text. */
  post: z.object({ deleted: z.boolean(), title: z.string() }).optional(),
  /** True if a photo in a message was unlocked. */
  photo: z.boolean().optional(),
  /** The number of months that a payment for a subscription covers, if more than one. */
  months: z.number().int().optional(),
  /** The note of a tip. */
  note: z.string().optional(),
  /** The name and the masked details of the payout method. */
  payoutMethod: z.string().optional(),
  /** Why a payout failed. */
  failure: z.string().optional(),
})

/** A ledger transaction, as the creator sees it. */
export const Transaction = z.object({
  id: Id,
  type: TransactionType,
  /** The type of the refunded sale; null if the transaction is not a refund. */
  source: EarningSource.nullable(),
  /** The change in the balance. Negative if money leaves the balance. */
  amount: z.number(),
  /** What the buyer paid, and the platform fee. Negative for a refund. */
  gross: z.number(),
  fee: z.number(),
  date: Timestamp,
  description: z.string(),
  details: TransactionDetails.optional(),
  /** `pending` until `clearsAt`. */
  status: z.enum(['completed', 'pending']),
  clearsAt: Timestamp,
  /** Whether the amount is test money, that is, money that was paid while payments were in test mode. */
  isTest: z.boolean(),
  /** The buyer. Null if there is none, the account was deleted, or a block hides the buyer. */
  person: UserCard.nullable(),
})
export type Transaction = z.infer<typeof Transaction>

/** The card of the overview whose transactions are listed, or `earnings` for the sales and refunds in the chart. */
export const TransactionsCard = z.enum(['available', 'pending', 'this_month', 'last_30_days', 'earnings'])
export type TransactionsCard = z.infer<typeof TransactionsCard>

const filters = {
  type: TransactionType.optional(),
  of: TransactionsCard.optional(),
  /** The first and the last day, in UTC. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
}
export const TransactionsQuery = PageQuery.extend(filters)
export const TransactionsExportQuery = z.object(filters)

export const PayoutMethod = z.object({
  id: Id,
  type: z.enum(['bank', 'paypal']),
  name: z.string(),
  /** The masked details, such as '•••• 6789'. */
  details: z.string(),
  isDefault: z.boolean(),
  /** When the method can be used: `limits.payoutMethodHoldDays` days after it was added or its details were changed. */
  usableFrom: Timestamp,
})
export type PayoutMethod = z.infer<typeof PayoutMethod>

const methodName = z
  .string('Please name this payout method.')
  .trim()
  .min(1, 'Please name this payout method.')
  .check(maxCharacters(limits.payoutMethodName.max, 'A name can have at most 60 characters.'))

const invalidAccount = 'Please enter a valid IBAN or account number.'

/** Returns whether a string looks like an IBAN: a country code, two check digits and 11 to 30 more characters. */
const looksLikeIban = (text: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)

/**
 * Returns whether the check digits are correct according to ISO 7064: after the first four characters are moved to the
 * end and each letter is replaced by a number (A by 10, B by 11 …), the resulting number modulo 97 is 1.
 */
const hasValidChecksum = (text: string) =>
  [...`${text.slice(4)}${text.slice(0, 4)}`].reduce((remainder, char) => {
    const value = Number.parseInt(char, 36)
    return (remainder * (value < 10 ? 10 : 100) + value) % 97
  }, 0) === 1

/** An IBAN, or an account number with a routing number. Spaces and hyphens are ignored. */
const BankDetails = z.object({
  type: z.literal('bank'),
  holder: z.string().trim().min(2, 'Please enter the account holder.').max(100, 'This name is too long.'),
  account: z
    .string()
    .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
    .refine((text) => /^[A-Z0-9]{5,34}$/.test(text), invalidAccount)
    .refine((text) => !looksLikeIban(text) || hasValidChecksum(text), invalidAccount),
  /** A routing number or BIC. Not needed with an IBAN. */
  routing: z
    .string()
    .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
    .refine(
      (text) => text === '' || /^[A-Z0-9]{6,11}$/.test(text),
      'Please enter a valid routing number or BIC.',
    )
    .default(''),
})
const PayPalDetails = z.object({
  type: z.literal('paypal'),
  email: z.email('Please enter a valid email address').max(limits.email.max),
})
export const PayoutDetails = z
  .discriminatedUnion('type', [BankDetails, PayPalDetails])
  .refine((details) => details.type !== 'bank' || details.routing !== '' || looksLikeIban(details.account), {
    path: ['routing'],
    error: 'Please enter the routing number or BIC of this account.',
  })
export type PayoutDetails = z.output<typeof PayoutDetails>

/** `id` is generated by the client: a request that is sent twice adds one method. */
export const AddPayoutMethodRequest = z.object({
  id: Id.optional(),
  name: methodName,
  details: PayoutDetails,
  isDefault: z.boolean().default(false),
})
export type AddPayoutMethodRequest = z.input<typeof AddPayoutMethodRequest>

/** Omitted fields stay unchanged. The full details can be replaced, but their owner cannot read them. */
export const EditPayoutMethodRequest = z.strictObject({
  name: methodName.optional(),
  details: PayoutDetails.optional(),
  isDefault: z.literal(true).optional(),
})
export type EditPayoutMethodRequest = z.input<typeof EditPayoutMethodRequest>

export const PayoutSchedule = z.object({
  weekly: z.boolean(),
  /** When the next payout is due; null if none is scheduled. A payout waits until the default method can be used. */
  nextAt: Timestamp.nullable(),
  /** `nextAt` is later than the weekly payout day, because the default method cannot be used yet on that day. */
  waitsForMethod: z.boolean(),
})
export type PayoutSchedule = z.infer<typeof PayoutSchedule>
export const PayoutScheduleRequest = z.object({ weekly: z.boolean() })

export const PayoutState = z.enum(['requested', 'paid', 'failed'])
export type PayoutState = z.infer<typeof PayoutState>
export const Payout = z.object({
  id: Id,
  kind: z.enum(['instant', 'scheduled']),
  amount: z.number(),
  methodType: z.enum(['bank', 'paypal']),
  methodName: z.string(),
  methodDetails: z.string(),
  state: PayoutState,
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
  /** The operator's bank reference for the transfer. */
  reference: z.string().nullable(),
  /** Why the payout failed; null if it did not. */
  failure: z.string().nullable(),
  /** Whether this is a payout of test money, for which no real money is sent. */
  isTest: z.boolean(),
})
export type Payout = z.infer<typeof Payout>

/**
 * `id` is generated by the client: a request that is sent twice creates one payout. `amount` defaults to the available
 * balance.
 */
export const PayoutRequest = z.object({
  id: Id.optional(),
  amount: Dollars({ min: 0, max: 100_000_000 }, 'Please enter an amount.').optional(),
  methodId: Id.optional(),
})
export type PayoutRequest = z.input<typeof PayoutRequest>

/** A payout as admins see it. `person` is null if the account was deleted. */
export const AdminPayout = Payout.extend({ personId: Id, person: UserCard.nullable() })
export type AdminPayout = z.infer<typeof AdminPayout>
/** A cursor is valid only with the `sort` of the request that returned it. */
export const AdminPayoutsQuery = PageQuery.extend({
  state: PayoutState.optional(),
  sort: z.enum(['newest', 'oldest']).default('newest'),
})
export type AdminPayoutsQuery = z.infer<typeof AdminPayoutsQuery>
export const SettlePayoutRequest = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('paid'),
    reference: z.string().trim().max(200, 'This is too long.').nullish(),
  }),
  z.object({
    outcome: z.literal('failed'),
    reason: z
      .string('Please say why it failed.')
      .trim()
      .min(1, 'Please say why it failed.')
      .max(400, 'This is too long.'),
  }),
])
export type SettlePayoutRequest = z.input<typeof SettlePayoutRequest>
/** The full destination of a payout, for the admin who transfers the money. */
export const PayoutDestination = z.object({ details: PayoutDetails })
export type PayoutDestination = z.infer<typeof PayoutDestination>

const { max } = limits.goals
export const Goals = z.object({
  /** US dollars. */
  monthlyRevenue: z.number(),
  yearlyRevenue: z.number(),
  subscribers: z.number().int(),
})
export type Goals = z.infer<typeof Goals>
/** The goals, and the current values: this month's earnings, the yearly projection, current subscribers. */
export const GoalsResponse = z.object({ goals: Goals, now: Goals })
export type GoalsResponse = z.infer<typeof GoalsResponse>
/** Omitted goals stay unchanged. */
export const GoalsRequest = z.strictObject({
  monthlyRevenue: Dollars(
    { min: 1, max: max.monthlyRevenue },
    'Please enter an amount of $1 or more.',
  ).optional(),
  yearlyRevenue: Dollars(
    { min: 1, max: max.yearlyRevenue },
    'Please enter an amount of $1 or more.',
  ).optional(),
  subscribers: z
    .number('Please enter 1 or more.')
    .int('Please enter a whole number.')
    .min(1, 'Please enter 1 or more.')
    .max(max.subscribers, 'This number is too large.')
    .optional(),
})
export type GoalsRequest = z.infer<typeof GoalsRequest>
