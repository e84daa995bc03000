import { z } from 'zod'
import { Dollars, Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { UserCard } from './user.ts'

/** Amounts are US dollars after the platform's share, unless said otherwise. Days and months are in UTC. */

export const EarningSource = z.enum(['subscription', 'tip', 'premium_content'])
export type EarningSource = z.infer<typeof EarningSource>

export const EarningsOverview = z.object({
  /** Cleared less paid out. Below 0 where more was given back than there was. */
  available: z.number(),
  /** From sales of the last 7 days. */
  pending: z.number(),
  /** Earned since the first of this month, and in the same days of the month before. */
  thisMonth: z.number(),
  previousMonth: z.number(),
  last30Days: z.number(),
  /** The last 30 days times 12. */
  yearlyProjection: z.number(),
  /** Of the last 12 months: each source's amount and its share in whole percent. The largest first. */
  sources: z.array(z.object({ source: EarningSource, amount: z.number(), percentage: z.number() })),
  /** By month, the last 12, the oldest first: `month` is its first day. */
  months: z.array(z.object({ month: z.string(), amount: z.number() })),
  /** The platform's share of a sale, in percent. */
  feePercent: z.number(),
  /** When the next payout is made by itself; null where none is. */
  nextPayoutAt: Timestamp.nullable(),
})
export type EarningsOverview = z.infer<typeof EarningsOverview>

export const TransactionType = z.enum([
  'subscription',
  'tip',
  'premium_content',
  'refund',
  'payout',
  'payout_failed',
  'given_up',
])
export type TransactionType = z.infer<typeof TransactionType>

/** One transaction of the ledger, as the creator whose money it is sees it. */
export const Transaction = z.object({
  id: Id,
  type: TransactionType,
  /** What was given back, for a refund. */
  source: EarningSource.nullable(),
  /** What it makes of the balance: below 0 for what leaves it. */
  amount: z.number(),
  /** What was paid, and the platform's share of it. Below 0 for a refund. */
  gross: z.number(),
  fee: z.number(),
  date: Timestamp,
  description: z.string(),
  /** `pending` until `clearsAt`. */
  status: z.enum(['completed', 'pending']),
  clearsAt: Timestamp,
  /** Who paid; null where that is nobody, or a deleted account. */
  person: UserCard.nullable(),
})
export type Transaction = z.infer<typeof Transaction>

/** Of which card of the overview the transactions are asked. */
export const TransactionsOf = z.enum(['available', 'pending', 'this_month', 'last_30_days'])
export type TransactionsOf = z.infer<typeof TransactionsOf>

const filters = {
  type: TransactionType.optional(),
  of: TransactionsOf.optional(),
}
export const TransactionsQuery = PageQuery.extend(filters)
export const TransactionsExportQuery = z.object(filters)

export const PayoutMethod = z.object({
  id: Id,
  type: z.enum(['bank', 'paypal']),
  name: z.string(),
  /** What is shown of the details, as '•••• 6789'. */
  details: z.string(),
  isDefault: z.boolean(),
  /** When money may go there: five days after it was added or changed. */
  usableFrom: Timestamp,
})
export type PayoutMethod = z.infer<typeof PayoutMethod>

const methodName = z
  .string('Please name this payout method.')
  .trim()
  .min(1, 'Please name this payout method.')
  .max(limits.payoutMethodName.max, 'A name can have at most 60 characters.')

const wrongAccount = 'Please enter a valid IBAN or account number.'

/** Whether a text is written as an IBAN is: a country, two check digits, and at least 11 signs. */
const looksLikeIban = (text: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)

/** ISO 7064: the first four signs at the end, letters as numbers from 10, and the rest of the division by 97 is 1. */
const isIban = (text: string) =>
  [...`${text.slice(4)}${text.slice(0, 4)}`].reduce((rest, sign) => {
    const value = Number.parseInt(sign, 36)
    return (rest * (value < 10 ? 10 : 100) + value) % 97
  }, 0) === 1

/** An IBAN, or an account number with its routing number: spaces do not count. */
const BankDetails = z.object({
  type: z.literal('bank'),
  holder: z.string().trim().min(2, 'Please enter the account holder.').max(100, 'This name is too long.'),
  account: z
    .string()
    .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
    .refine((text) => /^[A-Z0-9]{5,34}$/.test(text), wrongAccount)
    .refine((text) => !looksLikeIban(text) || isIban(text), wrongAccount),
  /** A routing number or BIC; not needed with an IBAN. */
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

/** `id` is made by the client: sent again with the same, it is the same method. */
export const AddPayoutMethodRequest = z.object({
  id: Id.optional(),
  name: methodName,
  details: PayoutDetails,
  isDefault: z.boolean().default(false),
})
export type AddPayoutMethodRequest = z.input<typeof AddPayoutMethodRequest>

/** What is left out stays. The details are only ever written anew: nobody reads them here. */
export const EditPayoutMethodRequest = z.strictObject({
  name: methodName.optional(),
  details: PayoutDetails.optional(),
  isDefault: z.literal(true).optional(),
})
export type EditPayoutMethodRequest = z.input<typeof EditPayoutMethodRequest>

export const PayoutSchedule = z.object({
  weekly: z.boolean(),
  /** When the next payout is made; null where none is. It waits for the default method. */
  nextAt: Timestamp.nullable(),
  /** `nextAt` is when the default method can be used again: its week's day comes, or came, before that. */
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
  /** What the operator's bank calls it, and why it failed. */
  reference: z.string().nullable(),
  failure: z.string().nullable(),
})
export type Payout = z.infer<typeof Payout>

/** `id` is made by the client: sent again, it is the same payout. Without an amount, all that is available. */
export const PayoutRequest = z.object({
  id: Id.optional(),
  amount: Dollars({ min: 0, max: 100_000_000 }, 'Please enter an amount.').optional(),
  methodId: Id.optional(),
})
export type PayoutRequest = z.input<typeof PayoutRequest>

/** As admins see it. `person` is null for a deleted account. */
export const AdminPayout = Payout.extend({ personId: Id, person: UserCard.nullable() })
export type AdminPayout = z.infer<typeof AdminPayout>
export const AdminPayoutsQuery = PageQuery.extend({ state: PayoutState.optional() })
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
/** Where a payout is to go, in full: for the admin who makes it. */
export const PayoutTarget = z.object({ details: PayoutDetails })
export type PayoutTarget = z.infer<typeof PayoutTarget>

const { max } = limits.goals
export const Goals = z.object({
  /** US dollars. */
  monthlyRevenue: z.number(),
  yearlyRevenue: z.number(),
  subscribers: z.number().int(),
})
export type Goals = z.infer<typeof Goals>
/** The goals, and how far they are: this month's earnings, the projection of the year, subscribers now. */
export const GoalsAnswer = z.object({ goals: Goals, now: Goals })
export type GoalsAnswer = z.infer<typeof GoalsAnswer>
/** What is left out stays. */
export const GoalsRequest = z.strictObject({
  monthlyRevenue: Dollars({ min: 1, max: max.monthlyRevenue }, 'Please enter an amount from $1.').optional(),
  yearlyRevenue: Dollars({ min: 1, max: max.yearlyRevenue }, 'Please enter an amount from $1.').optional(),
  subscribers: z
    .number('Please enter a number from 1.')
    .int('Please enter a whole number.')
    .min(1, 'Please enter a number from 1.')
    .max(max.subscribers, 'This number is too large.')
    .optional(),
})
export type GoalsRequest = z.infer<typeof GoalsRequest>
