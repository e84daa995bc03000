import { z } from 'zod'
import { Reply } from './comment.ts'
import { Count, Id, Timestamp } from './common.ts'
import { FollowCard, UserCard } from './user.ts'

/**
 * What a notification is about. Later versions may add kinds. For a kind that it does not know, a client shows the
 * `title` and the `message`. A new kind needs changes in:
 *
 * - supabase/schemas/42_notifications.sql: the check constraint on `notifications.kind` and, if the same event can
 *   occur repeatedly, the list of kinds that the index `notifications_once_key` excludes
 * - notifications/presenter.ts: the wording and the link of the kind
 * - `notificationFilterKinds`, if a filter of the list should include it
 * - web/src: locales/notification-text.ts, features/notifications/components/notification-kinds.tsx and
 *   realtime/affected-queries.ts
 */
export const NotificationKind = z.enum([
  'follow',
  'follow_request',
  'follow_accepted',
  'like',
  'comment',
  'reply',
  'mention',
  'quote',
  'repost',
  'reaction',
  'unlock',
  'subscription',
  'tip',
  'message',
  'sign_in',
  'admin',
  'payout',
  'creator_pro',
  'moderation',
  'report',
  'auto_post',
  'scheduled_post',
  'new_post',
  'access_token',
])
export type NotificationKind = z.infer<typeof NotificationKind>

/** The filters of the notification list. Kinds that belong to no filter are only in the unfiltered list. */
export const NotificationFilter = z.enum(['comments', 'mentions', 'likes', 'followers', 'payments'])
export type NotificationFilter = z.infer<typeof NotificationFilter>

export const notificationFilterKinds: Record<NotificationFilter, readonly NotificationKind[]> = {
  comments: ['comment', 'reply'],
  mentions: ['mention', 'quote'],
  likes: ['like', 'repost', 'reaction'],
  followers: ['follow', 'follow_request', 'follow_accepted'],
  payments: ['unlock', 'subscription', 'tip', 'payout', 'creator_pro'],
}

/**
 * The number of unread notifications and, if the request asks for it, the number that each filter selects. Each number
 * is at most 100.
 */
export const UnreadNotifications = Count.extend({
  byFilter: z.record(NotificationFilter, Count.shape.count).optional(),
})
export type UnreadNotifications = z.infer<typeof UnreadNotifications>

/**
 * The data in a notification's message, apart from the users. A client can use the data to write the message in another
 * language. Fields that do not apply to the notification are omitted.
 */
const NotificationDetails = z.object({
  /** What happened, for kinds that have several messages. */
  event: z
    .enum([
      'suspension_lifted',
      'report_acted',
      'report_dismissed',
      'post_published',
      'auto_posting_offered',
      'draft_ready',
    ])
    .optional(),
  /** The moderators' decision about the user or their content. `suspendedUntil` is the end of a suspension, if any. */
  decision: z
    .object({
      kind: z.enum(['post', 'comment', 'message', 'user']),
      decision: z.enum(['warn', 'hide', 'remove', 'suspend']),
      reason: z.string(),
      suspendedUntil: Timestamp.optional(),
    })
    .optional(),
  /** The answer to an appeal. 'overturned' means that the appeal was granted. */
  appeal: z.object({ outcome: z.enum(['upheld', 'overturned']), answer: z.string() }).optional(),
  /** What a user liked. */
  liked: z.enum(['post', 'comment']).optional(),
  /** What a buyer unlocked: a post, the photo of a message, or the photos of several messages. */
  unlocked: z.enum(['post', 'photo', 'photos']).optional(),
  /** Where the user was mentioned. */
  mentionedIn: z.enum(['post', 'comment']).optional(),
  /** The amount of a tip or payout in US dollars. */
  amount: z.number().optional(),
  /** The note of a tip, or why a payout failed. */
  note: z.string().optional(),
  payout: z.enum(['paid', 'failed']).optional(),
  /** The device of a sign-in, such as 'Firefox on Windows', if it is known. */
  device: z.string().optional(),
  /** The browser and the operating system in `device`, if both are known. */
  browser: z.string().optional(),
  system: z.string().optional(),
  /** The name of a new access token. */
  accessToken: z.string().optional(),
  /** The number of newly published posts that the user can see. */
  postsCount: z.number().int().optional(),
})

/** The post that a notification is about, as the recipient may see it now. */
const NotificationPost = z.object({
  id: Id,
  /**
   * The start of the post's text or, if it is locked, of its teaser. If there is neither, the name of the product, if
   * any.
   */
  text: z.string(),
  /** The image, or the poster of the video. Null for a locked post, as in `Post`, and without an image or video. */
  imageUrl: z.string().nullable(),
  /** A tiny blurred version of the image, also for a locked post. Null without an image. */
  placeholder: z.string().nullable(),
})

/** The comment or reply that a notification is about. Its author is the notification's `relatedUser`. */
const NotificationComment = Reply.pick({
  id: true,
  postId: true,
  parentCommentId: true,
  likesCount: true,
  liked: true,
})
export type NotificationComment = z.infer<typeof NotificationComment>

export const Notification = z.object({
  id: Id,
  kind: NotificationKind,
  title: z.string(),
  message: z.string(),
  isRead: z.boolean(),
  createdAt: Timestamp,
  /** The user who caused the notification; in a group, the latest one. Null if there is none or the user is hidden. */
  relatedUser: UserCard.nullable(),
  /** Other users in the group: 3 in 'Ana and 3 others liked your post.' */
  othersCount: z.number().int().min(0),
  /** Up to four users of the group, latest first; without a group, `relatedUser` if there is one. */
  actors: z.array(UserCard),
  /** Null if the notification is not about one post, or if the recipient can no longer see the post. */
  post: NotificationPost.nullable(),
  /** The first words of the comment. Null if there is no comment, or if the recipient cannot see it. */
  commentText: z.string().nullable(),
  /** Null unless the kind is `comment`, `reply` or `mention` and there is a comment that the recipient can see. */
  comment: NotificationComment.nullable(),
  /** The new follower, with the recipient's follow status. Null for a group, and for kinds other than `follow`. */
  follower: FollowCard.nullable(),
  /**
   * What the buyers paid for an unlock, a tip or a new subscription, in US dollars before fees; in a group, the sum.
   * Refunded unlocks and subscriptions do not count. Null for other kinds, for a group of more than 500 notifications,
   * and if no payment is known.
   */
  amount: z.number().nullable(),
  /** The path of the page that the notification links to. */
  href: z.string(),
  details: NotificationDetails.optional(),
})
export type Notification = z.infer<typeof Notification>

/** A notification as clients parse it. Accepts unknown kinds and details, which a later version of the API may send. */
export const LenientNotification = Notification.extend({
  kind: z.string(),
  details: Notification.shape.details.catch(undefined),
})
export type LenientNotification = z.infer<typeof LenientNotification>
