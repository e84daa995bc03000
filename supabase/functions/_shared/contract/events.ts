import { z } from 'zod'
import { Id } from './common.ts'
import { ChatMessage } from './message.ts'
import { FollowStatus } from './user.ts'

/**
 * Events on the private topic `user:<uid>`, sent by the database only. "The user" below is the topic's user. A payload
 * contains only data that the user may see. If totals changed, it includes them, so that a page can show them without
 * another request.
 */
export const userEvents = {
  'message.created': z.object({
    message: ChatMessage,
    /** The other member of the conversation. */
    otherUserId: Id,
    /** The user's unread messages in all conversations, and in this one. */
    unreadTotal: z.number().int().min(0),
    unreadCount: z.number().int().min(0),
  }),
  /**
   * Messages were read. `readerId` is either the other member or the user, who may have read them in another tab or on
   * another device.
   */
  'conversation.read': z.object({
    otherUserId: Id,
    readerId: Id,
    lastReadSeq: z.number().int().min(0),
    /** The user's unread messages in all conversations. */
    unreadTotal: z.number().int().min(0),
  }),
  /**
   * A message was edited, deleted, hidden or restored, or its photo was unlocked or locked again. Contains the current
   * state of the message; `version` orders the states.
   */
  'message.changed': z.object({ message: ChatMessage, otherUserId: Id }),
  /** A reaction was added or removed. Contains the current state of the message. */
  'reaction.changed': z.object({ message: ChatMessage, otherUserId: Id }),
  /** A message to all of the user's subscribers has been sent, or its sending has been stopped. */
  'mass_message.finished': z.object({}),
  /** The user's scheduled posts changed, for example because one was published. */
  'scheduled_posts.changed': z.object({}),
  'notification.created': z.object({
    notificationId: Id,
    /** A `NotificationKind`, or a kind that was added in a later version. */
    kind: z.string(),
    unreadTotal: z.number().int().min(0),
  }),
  /**
   * Notifications were read or deleted, or their grouping was turned on or off. `notificationId` is null unless exactly
   * one notification is affected.
   */
  'notification.read': z.object({ notificationId: Id.nullable(), unreadTotal: z.number().int().min(0) }),
  /** The user's follow status for `userId` changed, for example because `userId` accepted the user's request. */
  'follow.changed': z.object({ userId: Id, status: FollowStatus }),
  /**
   * If `userId` is the user's own id, the user's record changed. Otherwise, the user's subscription to the creator
   * `userId` changed.
   */
  'profile.changed': z.object({ userId: Id }),
} as const

type UserEventName = keyof typeof userEvents
export type UserEvent<Name extends UserEventName> = z.infer<(typeof userEvents)[Name]>

/**
 * Events on the private topic `post:<post id>`, sent by the database only. They contain no data except counts that
 * every reader of the post sees. Clients fetch everything else that changed.
 */
export const postEvents = {
  'likes.changed': z.object({ likesCount: z.number().int().min(0) }),
  'reposts.changed': z.object({ repostsCount: z.number().int().min(0) }),
  /** Comments or replies were added, deleted, hidden or restored. */
  'comments.changed': z.object({
    likesCount: z.number().int().min(0),
    commentsCount: z.number().int().min(0),
  }),
  /** The post was edited, for example its text or its price. */
  'post.changed': z.object({}),
  'post.deleted': z.object({}),
} as const

/** Events on the private topic `profile:<user id>`, sent by the database only. They have no payload. */
export const profileEvents = {
  /** The name, picture, details or settings of the profile changed. */
  'profile.changed': z.object({}),
  /** A post was published. */
  'post.created': z.object({}),
  /** A post was deleted, hidden, restored, pinned or unpinned. */
  'posts.changed': z.object({}),
  /** The number of posts, followers, followed users or subscribers changed. Not sent if the user hides their counts. */
  'counts.changed': z.object({}),
} as const

/** Sent on the topic `conversation:<lower uid>:<higher uid>` by the two members of the conversation. */
export const typingEvent = z.object({ userId: Id, typing: z.boolean() })
/**
 * Sent by the database on the topic of a conversation, a post or a profile when permissions on that topic have changed,
 * for example because moderators hid the post.
 */
export const accessChangedEvent = 'access.changed'
/**
 * The payload of `accessChangedEvent`. If `firstWrittenBy` is set, this user has just sent their first message in the
 * conversation, so the other member may now see this user's presence and typing.
 */
export const accessChanged = z.object({ firstWrittenBy: Id.optional() })

export const userTopic = (uid: string) => `user:${uid}`
export const postTopic = (postId: string) => `post:${postId}`
export const profileTopic = (userId: string) => `profile:${userId}`
/** The ids are compared as text, so that both members get the same topic. */
export const conversationTopic = (a: string, b: string) =>
  a < b ? `conversation:${a}:${b}` : `conversation:${b}:${a}`
