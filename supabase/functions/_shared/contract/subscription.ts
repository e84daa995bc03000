import { z } from 'zod'
import { Id, SubscriptionMonths, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { UserCard } from './user.ts'

/** Returns the price of a subscription for several months in US dollars. `discount` is in percent. */
export const subscriptionPrice = (months: number, discount: number): number =>
  Math.round((Math.round(limits.subscriptionPrice * 100) * months * (100 - discount)) / 100) / 100

/**
 * `months` is 1 by default. `amount` is in US dollars and must equal the current price of `months` months. It is
 * required for more than one month. A cancelled subscription is resumed if both are left out or match the subscription.
 */
export const SubscribeRequest = z.object({
  creatorId: Id,
  months: SubscriptionMonths.optional(),
  amount: z.number().optional(),
})
export type SubscribeRequest = z.infer<typeof SubscribeRequest>

/** The caller's subscription to a creator. */
export const Subscription = z.object({
  id: Id,
  creatorId: Id,
  /** Null if the account was deleted, or if one of the two users blocked the other. */
  creator: UserCard.nullable(),
  /** US dollars for `months` months, the period of each payment. */
  price: z.number(),
  months: SubscriptionMonths,
  state: z.enum(['pending', 'active', 'ended']),
  /** The end of the paid period, when the subscription renews unless it was cancelled. Null until the first payment. */
  periodEnd: Timestamp.nullable(),
  /** Ends at `periodEnd` instead of renewing. */
  cancelled: z.boolean(),
  createdAt: Timestamp,
})
export type Subscription = z.infer<typeof Subscription>

/** The response of `POST /api/subscriptions` if the payment is immediate. */
export const SubscribeResponse = z.object({ subscribed: z.literal(true), subscription: Subscription })
export type SubscribeResponse = z.infer<typeof SubscribeResponse>
