import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { UserCard } from './user.ts'

export const SubscribeRequest = z.object({ creatorId: Id })
export type SubscribeRequest = z.infer<typeof SubscribeRequest>

/** One's own subscription to a creator. */
export const Subscription = z.object({
  id: Id,
  creatorId: Id,
  /** Null for a creator whose account is gone, or who is in a block with the caller. */
  creator: UserCard.nullable(),
  /** US dollars a month. */
  price: z.number(),
  state: z.enum(['pending', 'active', 'ended']),
  /** When the paid period ends: it is renewed then, unless it was cancelled. */
  periodEnd: Timestamp.nullable(),
  /** It ends with its period. */
  cancelled: z.boolean(),
  createdAt: Timestamp,
})
export type Subscription = z.infer<typeof Subscription>

/** What `POST /api/subscriptions` answers where the money comes at once. */
export const SubscribeAnswer = z.object({ subscribed: z.literal(true), subscription: Subscription })
export type SubscribeAnswer = z.infer<typeof SubscribeAnswer>
