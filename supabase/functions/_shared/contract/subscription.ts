import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { UserCard } from './user.ts'

export const SubscribeRequest = z.object({ creatorId: Id })
export type SubscribeRequest = z.infer<typeof SubscribeRequest>

/** The caller's subscription to a creator. */
export const Subscription = z.object({
  id: Id,
  creatorId: Id,
  /** Null if the account was deleted, or if one of the two users blocked the other. */
  creator: UserCard.nullable(),
  /** US dollars a month. */
  price: z.number(),
  state: z.enum(['pending', 'active', 'ended']),
  /** When the paid period ends; null until the first payment. The subscription then renews, unless it was cancelled. */
  periodEnd: Timestamp.nullable(),
  /** Ends at `periodEnd` instead of renewing. */
  cancelled: z.boolean(),
  createdAt: Timestamp,
})
export type Subscription = z.infer<typeof Subscription>

/** The response of `POST /api/subscriptions` if the payment is immediate. */
export const SubscribeResponse = z.object({ subscribed: z.literal(true), subscription: Subscription })
export type SubscribeResponse = z.infer<typeof SubscribeResponse>
