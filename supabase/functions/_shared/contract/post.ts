import { z } from 'zod'
import { Dollars, Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { Product, productFields } from './product.ts'
import { isBlank } from './text.ts'
import { UserCard } from './user.ts'

/** A post as the caller may see it. If `locked`, it contains none of the paid content. */
export const Post = z.object({
  id: Id,
  userId: Id,
  user: UserCard,
  /** Empty while locked. */
  content: z.string(),
  /** The public text of a premium post. */
  teaser: z.string().nullable(),
  /** Set even if locked, so that the layout does not change when the post is unlocked. */
  mediaType: z.enum(['image', 'video']).nullable(),
  imageUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  /** A still image of the video. */
  posterUrl: z.string().nullable(),
  /** The author's description of the image or video. */
  altText: z.string().nullable(),
  /** A tiny blurred image as a `data:` URL. */
  placeholder: z.string().nullable(),
  /** Size in pixels; null if unknown. */
  mediaWidth: z.number().int().min(1).nullable(),
  mediaHeight: z.number().int().min(1).nullable(),
  isPremium: z.boolean(),
  /** US dollars with two decimals. */
  premiumPrice: z.number().nullable(),
  /** Free for the author's subscribers. */
  includedInSubscription: z.boolean(),
  likesCount: z.number().int().min(0),
  commentsCount: z.number().int().min(0),
  createdAt: Timestamp,
  editedAt: Timestamp.nullable(),
  liked: z.boolean(),
  saved: z.boolean(),
  /** A premium post that the caller did not write or unlock, and that is not part of a subscription of theirs. */
  locked: z.boolean(),
  /** The caller started a payment on the provider's page, and the provider has not reported its result yet. */
  paymentPending: z.boolean(),
  /** The product in an external store. The post's text is its description. */
  product: Product.nullable(),
  mine: z.boolean(),
  /** Written by auto-posting. */
  madeByAi: z.boolean(),
  /** Hidden by the moderators: only its author can still see it. */
  hidden: z.boolean(),
})
export type Post = z.infer<typeof Post>

export const nothingToPost = 'Please enter some content or add an image/video for your post.'

const content = z
  .string(nothingToPost)
  .trim()
  .max(limits.postContent.max, 'A post can have at most 5000 characters.')
const teaser = z.string().trim().max(limits.teaser.max, 'A teaser can have at most 500 characters.')
const altText = z.string().trim().max(limits.altText.max, 'A description can have at most 500 characters.')

export const PremiumPrice = Dollars(
  limits.premiumPrice,
  `Please enter a price between $${limits.premiumPrice.min.toFixed(2)} and $${limits.premiumPrice.max}.`,
)

/** The URL of an upload: `/api/media/<id>`, with or without the site's origin. */
const mediaUrl = z.string().trim().max(500).nullish()

/** The fields of a new post. `id` is a UUIDv7 made by the client: a request that is sent twice creates one post. */
export const CreatePostBase = z.object({
  id: Id.optional(),
  content: content.default(''),
  isPremium: z.boolean().default(false),
  /** Defaults to `limits.premiumPrice.default`. Ignored for a free post. */
  premiumPrice: PremiumPrice.nullish(),
  teaser: teaser.nullish(),
  /** Ignored for a free post. */
  includedInSubscription: z.boolean().default(false),
  /** From `POST /api/upload`. */
  imageUrl: mediaUrl,
  /** From `POST /api/upload-video` or `POST /api/upload-video/sign`. */
  videoUrl: mediaUrl,
  /** From `POST /api/upload`: a still of the video. */
  posterUrl: mediaUrl,
  altText: altText.nullish(),
})

/** Adds the rules that involve several fields. */
export const withPostRules = <
  Fields extends z.ZodType<{
    content: string
    imageUrl?: string | null | undefined
    videoUrl?: string | null | undefined
    posterUrl?: string | null | undefined
  }>,
>(
  fields: Fields,
) =>
  fields
    .refine(({ imageUrl, videoUrl }) => !(imageUrl && videoUrl), {
      path: ['videoUrl'],
      message: 'A post can have one image or one video, not both.',
    })
    .refine(({ posterUrl, videoUrl }) => !posterUrl || videoUrl, {
      path: ['posterUrl'],
      message: 'A poster image needs a video.',
    })
    .refine(({ content, imageUrl, videoUrl }) => !isBlank(content) || imageUrl || videoUrl, {
      path: ['content'],
      message: nothingToPost,
    })

export const CreatePostRequest = withPostRules(CreatePostBase)
export type CreatePostRequest = z.input<typeof CreatePostRequest>
export type NewPost = z.output<typeof CreatePostRequest>

/** The fields that the author can edit. Omitted fields stay unchanged. A new price applies to future buyers. */
export const EditPostRequest = z
  .strictObject({
    content: content.optional(),
    teaser: teaser.nullish(),
    altText: altText.nullish(),
    premiumPrice: PremiumPrice.optional(),
    includedInSubscription: z.boolean().optional(),
    /** Replaces all product fields. For product posts only. */
    product: z.strictObject(productFields).optional(),
  })
  .refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    'Please change at least one field.',
  )
export type EditPostRequest = z.input<typeof EditPostRequest>
export type PostChanges = z.output<typeof EditPostRequest>

export const LikeResponse = z.object({ liked: z.boolean(), likesCount: z.number().int().min(0) })
export type LikeResponse = z.infer<typeof LikeResponse>

export const SaveResponse = z.object({ saved: z.boolean() })

/** `amount` in US dollars must equal the post's current price. */
export const UnlockRequest = z.object({ amount: z.number('Please enter an amount.') })
export type UnlockRequest = z.infer<typeof UnlockRequest>
export const UnlockResponse = z.object({ unlocked: z.literal(true), post: Post })
export type UnlockResponse = z.infer<typeof UnlockResponse>

/** `since` is the `createdAt` of the newest post on the page. */
export const NewCountQuery = z.object({
  since: Timestamp.refine((time) => /(Z|\+00:00)$/.test(time), 'Please give a time in UTC.'),
})
