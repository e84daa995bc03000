import { z } from 'zod'
import { Dollars, Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { Product, productFields } from './product.ts'
import { isBlank } from './text.ts'
import { UserCard } from './user.ts'

/** A post as the caller may see it. When `locked`, nothing of the paid content is in it. */
export const Post = z.object({
  id: Id,
  userId: Id,
  user: UserCard,
  /** Empty while locked. */
  content: z.string(),
  /** What the author shows of a premium post to those who have not paid. */
  teaser: z.string().nullable(),
  /** What the post shows, told while locked too: the frame keeps its shape. */
  mediaType: z.enum(['image', 'video']).nullable(),
  imageUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  /** The still picture of a video. */
  posterUrl: z.string().nullable(),
  /** What is to be seen, in words, by its author. */
  altText: z.string().nullable(),
  /** A few hundred bytes of a blurred picture, as a `data:` address. */
  placeholder: z.string().nullable(),
  /** Pixels; null where they are not known. */
  mediaWidth: z.number().int().min(1).nullable(),
  mediaHeight: z.number().int().min(1).nullable(),
  isPremium: z.boolean(),
  /** US dollars with two decimals. */
  premiumPrice: z.number().nullable(),
  /** Open to its author's subscribers, who do not pay for it. */
  includedInSubscription: z.boolean(),
  likesCount: z.number().int().min(0),
  commentsCount: z.number().int().min(0),
  createdAt: Timestamp,
  editedAt: Timestamp.nullable(),
  liked: z.boolean(),
  saved: z.boolean(),
  /** A premium post that the caller neither wrote nor unlocked, and that no subscription of theirs opens. */
  locked: z.boolean(),
  /** The caller began to pay for it elsewhere, and nothing was heard of it yet. */
  paymentPending: z.boolean(),
  /** What can be bought in a store elsewhere; the post's text describes it. */
  product: Product.nullable(),
  mine: z.boolean(),
  /** A program wrote it in its author's name. */
  madeByAi: z.boolean(),
  /** The moderators hid it: only its author still sees it. */
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

/** The address of an upload: `/api/media/<id>`, with or without this site before it. */
const mediaAddress = z.string().trim().max(500).nullish()

/** The fields of a new post. `id` is made by the client (a UUIDv7), so that sending twice stores once. */
export const CreatePostBase = z.object({
  id: Id.optional(),
  content: content.default(''),
  isPremium: z.boolean().default(false),
  /** Without one, a premium post costs the default price. Nothing to a free post. */
  premiumPrice: PremiumPrice.nullish(),
  teaser: teaser.nullish(),
  /** Of a premium post. Nothing to a free one. */
  includedInSubscription: z.boolean().default(false),
  /** What `POST /api/upload` answered. */
  imageUrl: mediaAddress,
  /** What `POST /api/upload-video` or `…/sign` answered. */
  videoUrl: mediaAddress,
  /** What `POST /api/upload` answered for a still of the video. */
  posterUrl: mediaAddress,
  altText: altText.nullish(),
})

/** The rules that several of these fields make together. */
export const withinPostRules = <
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
      message: 'A post has one image or one video.',
    })
    .refine(({ posterUrl, videoUrl }) => !posterUrl || videoUrl, {
      path: ['posterUrl'],
      message: 'A poster belongs to a video.',
    })
    .refine(({ content, imageUrl, videoUrl }) => !isBlank(content) || imageUrl || videoUrl, {
      path: ['content'],
      message: nothingToPost,
    })

export const CreatePostRequest = withinPostRules(CreatePostBase)
export type CreatePostRequest = z.input<typeof CreatePostRequest>
export type NewPost = z.output<typeof CreatePostRequest>

/** What its author may change later; what is left out stays. The price changes for those who have not paid. */
export const EditPostRequest = z
  .strictObject({
    content: content.optional(),
    teaser: teaser.nullish(),
    altText: altText.nullish(),
    premiumPrice: PremiumPrice.optional(),
    includedInSubscription: z.boolean().optional(),
    /** Of a product, and all of it. */
    product: z.strictObject(productFields).optional(),
  })
  .refine(
    (fields) => Object.values(fields).some((value) => value !== undefined),
    'Please change something of the post.',
  )
export type EditPostRequest = z.input<typeof EditPostRequest>
export type PostChanges = z.output<typeof EditPostRequest>

export const LikeAnswer = z.object({ liked: z.boolean(), likesCount: z.number().int().min(0) })
export type LikeAnswer = z.infer<typeof LikeAnswer>

export const SaveAnswer = z.object({ saved: z.boolean() })

/** `amount`, in US dollars, must be what the post costs at that moment. */
export const UnlockRequest = z.object({ amount: z.number('Please name the amount.') })
export type UnlockRequest = z.infer<typeof UnlockRequest>
export const UnlockAnswer = z.object({ unlocked: z.literal(true), post: Post })
export type UnlockAnswer = z.infer<typeof UnlockAnswer>

/** `since` is the `createdAt` of the newest post that a page shows. */
export const NewCountQuery = z.object({
  since: Timestamp.refine((time) => /(Z|\+00:00)$/.test(time), 'Please give a time in UTC.'),
})
