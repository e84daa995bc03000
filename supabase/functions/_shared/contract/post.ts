import { z } from 'zod'
import { Dollars, hasChange, Id, PageQuery, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { Product, productFields } from './product.ts'
import { SearchQuery } from './search.ts'
import { altText, isBlank, maxCharacters } from './text.ts'
import { UserCard } from './user.ts'

/**
 * What a post shows of the post that it quotes: only what everyone sees of it, so a premium post is always `locked`.
 * Nothing is shown of a post that is unavailable to the caller (see docs/decisions/056-quotes.md).
 */
export const QuotedPost = z.discriminatedUnion('available', [
  z.object({ available: z.literal(false) }),
  z.object({
    available: z.literal(true),
    id: Id,
    user: UserCard,
    /** The beginning of the text or the teaser. Empty for a post without text. */
    text: z.string(),
    productName: z.string().nullable(),
    mediaType: z.enum(['image', 'video']).nullable(),
    /** The image, or the still image of the video. Null if locked. */
    imageUrl: z.string().nullable(),
    placeholder: z.string().nullable(),
    altText: z.string().nullable(),
    locked: z.boolean(),
    createdAt: Timestamp,
  }),
])
export type QuotedPost = z.infer<typeof QuotedPost>

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
  /** In US dollars. Null for a free post. */
  premiumPrice: z.number().nullable(),
  /** Free for the author's subscribers. */
  includedInSubscription: z.boolean(),
  /**
   * The video's duration in seconds; null if it is unknown or the post has no video. Like the two fields below, set
   * even if locked.
   */
  mediaDuration: z.number().int().min(1).nullable(),
  /**
   * The approximate number of characters in a premium post's text: rounded to tens, or to hundreds if it is at least
   * 1000. Null for a free post or a post without text.
   */
  paidTextLength: z.number().int().min(1).nullable(),
  /** How many users unlocked the premium post; null unless the author shows this number. */
  unlocksCount: z.number().int().min(0).nullable(),
  likesCount: z.number().int().min(0),
  commentsCount: z.number().int().min(0),
  repostsCount: z.number().int().min(0),
  /** How often others viewed the post, as in the author's analytics. Null unless the caller wrote it. */
  viewsCount: z.number().int().min(0).nullable(),
  createdAt: Timestamp,
  editedAt: Timestamp.nullable(),
  liked: z.boolean(),
  saved: z.boolean(),
  reposted: z.boolean(),
  /**
   * The repost that put the post in the list: in the `following` feed, the latest one by a user whom the caller
   * follows. Null if the list contains the post for another reason, and outside of lists.
   */
  repostedBy: z.object({ user: UserCard, at: Timestamp }).nullable(),
  /** A premium post that the caller neither wrote nor unlocked, and that none of their subscriptions includes. */
  locked: z.boolean(),
  /** The caller started a payment on the provider's page, and the provider has not reported its result yet. */
  paymentPending: z.boolean(),
  /** The product that the post shows, sold in an external store. The post's text is the product's description. */
  product: Product.nullable(),
  mine: z.boolean(),
  /** Written by auto-posting. */
  madeByAi: z.boolean(),
  /** Hidden by the moderators: only its author can still see it. */
  hidden: z.boolean(),
  /** Pinned by its author to the top of their profile. */
  pinned: z.boolean(),
  /** Null if the post quotes no other post. A quote in the quoted post is not included. */
  quotedPost: QuotedPost.nullable(),
  /**
   * Whether the post can be quoted and reposted by the caller or, for a visitor, after signing in. Does not depend on
   * whether the caller can publish posts: also true for read-only accounts and for access tokens without the `write`
   * scope.
   */
  canQuote: z.boolean(),
})
export type Post = z.infer<typeof Post>

export const nothingToPost = 'Please enter some content or add an image/video for your post.'

const content = z
  .string(nothingToPost)
  .trim()
  .check(maxCharacters(limits.postContent.max, 'A post can have at most 5000 characters.'))
const teaser = z
  .string()
  .trim()
  .check(maxCharacters(limits.teaser.max, 'A teaser can have at most 500 characters.'))

export const PremiumPrice = Dollars(
  limits.premiumPrice,
  `Please enter a price between $${limits.premiumPrice.min.toFixed(2)} and $${limits.premiumPrice.max}.`,
)

/** The URL of an upload: `/api/media/<id>`, with or without the site's origin. */
const mediaUrl = z.string().trim().max(500).nullish()

/** The fields of a new post. `id` is generated by the client: a request that is sent twice creates one post. */
export const CreatePostBase = z.object({
  id: Id.optional(),
  content: content.default(''),
  isPremium: z.boolean().default(false),
  /** Defaults to `limits.premiumPrice.default`. Ignored for a free post. */
  premiumPrice: PremiumPrice.nullish(),
  teaser: teaser.nullish(),
  /** Ignored for a free post. */
  includedInSubscription: z.boolean().default(false),
  /** Shows everyone how many users unlocked the post. Ignored for a free post. */
  showUnlocks: z.boolean().default(false),
  /** From `POST /api/upload`. */
  imageUrl: mediaUrl,
  /** From `POST /api/upload-video` or `POST /api/upload-video/sign`. */
  videoUrl: mediaUrl,
  /** From `POST /api/upload`: a still of the video. */
  posterUrl: mediaUrl,
  altText: altText.nullish(),
  /** The post to quote. The new post cannot quote a different one later. */
  quotedPostId: Id.nullish(),
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

export const CreatePostRequest = withPostRules(
  CreatePostBase.extend({
    /** Publishes the post at this time instead of now, see `limits.scheduledPosts`. */
    publishAt: Timestamp.nullish(),
  }),
)
export type CreatePostRequest = z.input<typeof CreatePostRequest>
export type NewPost = z.output<typeof CreatePostRequest>

/** The fields that the author can edit. Omitted fields stay unchanged. A new price applies only to future buyers. */
export const editableFields = {
  content: content.optional(),
  teaser: teaser.nullish(),
  altText: altText.nullish(),
  premiumPrice: PremiumPrice.optional(),
  includedInSubscription: z.boolean().optional(),
  showUnlocks: z.boolean().optional(),
}

export const EditPostRequest = z
  .strictObject({
    ...editableFields,
    /** Replaces all product fields. For product posts only. */
    product: z.strictObject(productFields).optional(),
  })
  .refine(hasChange, 'Please change at least one field.')
export type EditPostRequest = z.input<typeof EditPostRequest>
export type PostChanges = z.output<typeof EditPostRequest>

export const LikeResponse = z.object({ liked: z.boolean(), likesCount: z.number().int().min(0) })
export type LikeResponse = z.infer<typeof LikeResponse>

export const SaveResponse = z.object({ saved: z.boolean() })

export const RepostResponse = z.object({ reposted: z.boolean(), repostsCount: z.number().int().min(0) })
export type RepostResponse = z.infer<typeof RepostResponse>

/** `amount` is in US dollars and must equal the current price of the post or photo. */
export const UnlockRequest = z.object({ amount: z.number('Please enter an amount.') })
export type UnlockRequest = z.infer<typeof UnlockRequest>
export const UnlockResponse = z.object({ unlocked: z.literal(true), post: Post })
export type UnlockResponse = z.infer<typeof UnlockResponse>

const UtcTime = Timestamp.refine((time) => /(Z|\+00:00)$/.test(time), 'Please enter a time in UTC.')

/**
 * A feed of the home screen: `for-you` contains the posts of all users who are discoverable or followed by the caller;
 * `following` contains only the posts that followed users published or reposted. Both contain the caller's own posts.
 * `subscriptions` contains the posts of creators whom the caller is subscribed to.
 */
export const Feed = z.enum(['for-you', 'following', 'subscriptions'])
export type Feed = z.infer<typeof Feed>

/** `since` is the time of the newest post on the page: `repostedBy.at` if that is set, otherwise `createdAt`. */
export const NewCountQuery = z.object({ since: UtcTime })
export const FeedNewCountQuery = NewCountQuery.extend({ feed: Feed.default('for-you') })

/**
 * `until` is the time of a post in the list: `repostedBy.at` if that is set, otherwise `createdAt`. The list omits
 * newer posts and reposts, so that a page can refetch only the posts that it shows.
 */
export const PostListQuery = PageQuery.extend({ until: UtcTime.optional() })

/** The type of a post's media, or `text` for posts without media. Premium posts of any type are also `premium`. */
export const PostKind = z.enum(['image', 'video', 'text', 'premium'])
export type PostKind = z.infer<typeof PostKind>

/** `q` selects the posts that contain all words of `q` in their public text or product name. */
export const UserPostsQuery = PostListQuery.extend({ kind: PostKind.optional(), q: SearchQuery.shape.q })
export const FeedQuery = PostListQuery.extend({ feed: Feed.default('for-you') })
