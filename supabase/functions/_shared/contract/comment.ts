import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { isBlank } from './text.ts'
import { UserCard } from './user.ts'

/** A comment on a post, or a reply to one: replies go one level deep. */
export const Comment = z.object({
  id: Id,
  postId: Id,
  content: z.string(),
  /** Null when the account was deleted. */
  user: UserCard.nullable(),
  createdAt: Timestamp,
  /** The comment it replies to. */
  parentCommentId: Id.nullable(),
  repliesCount: z.number().int().min(0),
  mine: z.boolean(),
  /** The caller wrote it, or the post it stands under. */
  canDelete: z.boolean(),
  /** The moderators hid it: only its author still sees it. */
  hidden: z.boolean(),
})
export type Comment = z.infer<typeof Comment>

export const emptyComment = 'Please write something first.'

/** `id` is made by the client (a UUIDv7), so that sending twice stores once. */
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
