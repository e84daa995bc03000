import { z } from 'zod'
import { Dollars, Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'

/**
 * 202 of every call that pays, where the payment is made on a page elsewhere: what was paid for is there when the
 * provider has told of it.
 */
export const CheckoutAnswer = z.object({ checkoutUrl: z.string() })
export type CheckoutAnswer = z.infer<typeof CheckoutAnswer>

const { min, max } = limits.tip
export const TipAmount = Dollars(
  limits.tip,
  `Please enter an amount between $${min.toFixed(2)} and $${max.toFixed(2)}.`,
)

/** `id` is made by the client (a UUIDv7): sent again, it is the same tip. */
export const TipRequest = z.object({
  id: Id.optional(),
  amount: TipAmount,
  note: z
    .string()
    .trim()
    .max(limits.tipNote.max, `A note can have at most ${limits.tipNote.max} characters.`)
    .nullish(),
  /** The post that it is for. */
  postId: Id.nullish(),
})
export type TipRequest = z.input<typeof TipRequest>
export const TipAnswer = z.object({ tipped: z.literal(true), amount: z.number() })
export type TipAnswer = z.infer<typeof TipAnswer>
/** What has become of a tip. 'failed': nothing was paid, or what was paid is given back. */
export const TipState = z.object({ state: z.enum(['pending', 'paid', 'failed']), amount: z.number() })
export type TipState = z.infer<typeof TipState>

/** What a subscription to a creator costs (US dollars a month) and how many posts it opens, `limits.includedPosts + 1` at most. */
export const SubscriptionOffer = z.object({ price: z.number(), posts: z.number().int().min(0) })
export type SubscriptionOffer = z.infer<typeof SubscriptionOffer>

/** Creator Pro as it is for the caller. */
export const CreatorPro = z.object({
  /** Whether a Creator Account is paid for here. */
  billing: z.boolean(),
  /** US dollars a month. */
  price: z.number(),
  plan: z
    .object({
      state: z.enum(['pending', 'active']),
      /** Renewed then, unless `cancelled`. Null until the first payment. */
      periodEnd: Timestamp.nullable(),
      cancelled: z.boolean(),
    })
    .nullable(),
  /** When the last plan that was paid for ended, of somebody who has none now. */
  lapsedAt: Timestamp.nullable(),
  /** `POST /api/billing/portal` leads to the provider's own page for what is paid by the month. */
  portal: z.boolean(),
})
export type CreatorPro = z.infer<typeof CreatorPro>

export const PortalAnswer = z.object({ url: z.string() })
