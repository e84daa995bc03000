import { z } from 'zod'
import { hasChange, Id, Timestamp } from './common.ts'
import { editableFields, Post } from './post.ts'

/**
 * Why a scheduled post was not published: its author's account was read-only, was no longer a creator account or had no
 * confirmed email address, or the upload or the quoted post could no longer be used.
 */
export const ScheduleFailure = z.enum([
  'account_restricted',
  'creators_only',
  'email_unconfirmed',
  'media_unavailable',
  'quote_unavailable',
  'other',
])
export type ScheduleFailure = z.infer<typeof ScheduleFailure>

/** A post of the caller that is published later. The published post has the same `id`. */
export const ScheduledPost = Post.pick({
  id: true,
  content: true,
  teaser: true,
  mediaType: true,
  imageUrl: true,
  videoUrl: true,
  posterUrl: true,
  altText: true,
  placeholder: true,
  mediaDuration: true,
  isPremium: true,
  premiumPrice: true,
  includedInSubscription: true,
  createdAt: true,
}).extend({
  publishAt: Timestamp,
  showUnlocks: z.boolean(),
  quotedPostId: Id.nullable(),
  /** Null while the post is waiting to be published. Setting a new time for a failed post schedules it again. */
  failure: ScheduleFailure.nullable(),
})
export type ScheduledPost = z.infer<typeof ScheduledPost>

/** The fields that the author can edit. Omitted fields stay unchanged. */
export const EditScheduledPostRequest = z
  .strictObject({
    ...editableFields,
    publishAt: Timestamp.optional(),
    /** Removes the quoted post. A different one cannot be quoted. */
    quotedPostId: z.null().optional(),
  })
  .refine(hasChange, 'Please change at least one field.')
export type EditScheduledPostRequest = z.input<typeof EditScheduledPostRequest>
export type ScheduledPostChanges = z.output<typeof EditScheduledPostRequest>
