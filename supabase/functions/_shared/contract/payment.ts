import { z } from 'zod'
import { Dollars, Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'

/**
 * The 202 response of every call that pays, if the payment is made on the provider's own page. The purchase is
 * available once the provider has reported the payment.
 */
export const CheckoutResponse = z.object({ checkoutUrl: z.string() })
export type CheckoutResponse = z.infer<typeof CheckoutResponse>

const { min, max } = limits.tip
export const TipAmount = Dollars(
  limits.tip,
  `Please enter an amount between $${min.toFixed(2)} and $${max.toFixed(2)}.`,
)

/** `id` is a UUIDv7 made by the client: a request that is sent twice makes one tip. */
export const TipRequest = z.object({
  id: Id.optional(),
  amount: TipAmount,
  note: z
    .string()
    .trim()
    .max(limits.tipNote.max, `A note can have at most ${limits.tipNote.max} characters.`)
    .nullish(),
  /** The post that the tip is for. */
  postId: Id.nullish(),
})
export type TipRequest = z.input<typeof TipRequest>
export const TipResponse = z.object({ tipped: z.literal(true), amount: z.number() })
export type TipResponse = z.infer<typeof TipResponse>
/** The state of a tip. 'failed' means that no payment was made, or that it is refunded. */
export const TipState = z.object({ state: z.enum(['pending', 'paid', 'failed']), amount: z.number() })
export type TipState = z.infer<typeof TipState>

/**
 * The price of a subscription in US dollars a month, and the number of included posts, at most
 * `limits.includedPostsCountCap + 1`.
 */
export const SubscriptionOffer = z.object({ price: z.number(), posts: z.number().int().min(0) })
export type SubscriptionOffer = z.infer<typeof SubscriptionOffer>

/** The caller's Creator Pro plan. */
export const CreatorPro = z.object({
  /** Whether a Creator Account needs a paid plan on this instance. */
  billing: z.boolean(),
  /** US dollars a month. */
  price: z.number(),
  plan: z
    .object({
      state: z.enum(['pending', 'active']),
      /** When the plan renews, or ends if `cancelled`. Null until the first payment. */
      periodEnd: Timestamp.nullable(),
      cancelled: z.boolean(),
    })
    .nullable(),
  /** When the last paid plan ended, if there is no current one. */
  lapsedAt: Timestamp.nullable(),
  /** Whether `POST /api/billing/portal` is available, the provider's page for managing monthly payments. */
  portal: z.boolean(),
})
export type CreatorPro = z.infer<typeof CreatorPro>

export const PortalResponse = z.object({ url: z.string() })
