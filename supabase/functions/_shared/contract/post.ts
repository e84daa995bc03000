import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { UserCard } from './user.ts'

/** A post as the caller may see it. When `locked`, nothing of the paid content is in it. */
export const Post = z.object({
  id: Id,
  userId: Id,
  user: UserCard,
  content: z.string(),
  teaser: z.string().nullable(),
  imageUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  placeholder: z.string().nullable(),
  isPremium: z.boolean(),
  /** US dollars with two decimals. */
  premiumPrice: z.number().nullable(),
  likesCount: z.number().int().min(0),
  commentsCount: z.number().int().min(0),
  createdAt: Timestamp,
  liked: z.boolean(),
  saved: z.boolean(),
  locked: z.boolean(),
  mine: z.boolean(),
})
export type Post = z.infer<typeof Post>

const nothingToPost = 'Please enter some content or add an image/video for your post.'

/** `id` is made by the client (a UUIDv7), so that sending twice stores once. */
export const CreatePostRequest = z.object({
  id: Id.optional(),
  content: z
    .string(nothingToPost)
    .trim()
    .min(1, nothingToPost)
    .max(limits.postContent.max, 'A post can have at most 5000 characters.'),
})
export type CreatePostRequest = z.infer<typeof CreatePostRequest>

export const LikeAnswer = z.object({ liked: z.boolean(), likesCount: z.number().int().min(0) })
export type LikeAnswer = z.infer<typeof LikeAnswer>

export const SaveAnswer = z.object({ saved: z.boolean() })
