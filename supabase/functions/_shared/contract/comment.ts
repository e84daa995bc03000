import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { isBlank } from './text.ts'
import { UserCard } from './user.ts'

/** A comment on a post, or a reply to a comment. Replies are one level deep. */
export const Comment = z.object({
  id: Id,
  postId: Id,
  content: z.string(),
  /** Null if the account was deleted. */
  user: UserCard.nullable(),
  createdAt: Timestamp,
  /** The comment it replies to. */
  parentCommentId: Id.nullable(),
  repliesCount: z.number().int().min(0),
  mine: z.boolean(),
  /** The caller wrote the comment or the post. */
  canDelete: z.boolean(),
  /** Hidden by the moderators: only its author can still see it. */
  hidden: z.boolean(),
})
export type Comment = z.infer<typeof Comment>

export const emptyComment = 'Please write something first.'

/** `id` is a UUIDv7 made by the client: a request that is sent twice creates one comment. */
export const CreateCommentRequest = z.object({
  id: Id.optional(),
  content: z
    .string(emptyComment)
    .trim()
    .refine((content) => !isBlank(content), emptyComment)
    .max(limits.commentContent.max, 'A comment can have at most 500 characters.'),
  parentCommentId: Id.nullish(),
})
export type CreateCommentRequest = z.infer<typeof CreateCommentRequest>
