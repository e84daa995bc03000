import { z } from 'zod'
import { Id } from './common.ts'
import { ChatMessage } from './message.ts'
import { NotificationKind } from './notification.ts'
import { FollowStatus } from './user.ts'

/**
 * Events on the private topic `user:<uid>`, sent by the database only. A payload contains only what its user may see
 * anyway, and the new totals, so that a page can show them without another request. "The user" is the topic's user.
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
  /** Messages were read. `readerId` is the user, who may have read them on another page, or the other member. */
  'conversation.read': z.object({
    otherUserId: Id,
    readerId: Id,
    lastReadSeq: z.number().int().min(0),
    /** The user's unread messages in all conversations. */
    unreadTotal: z.number().int().min(0),
  }),
  /** A message was edited or deleted. Contains its current state; `version` orders the states. */
  'message.changed': z.object({ message: ChatMessage, otherUserId: Id }),
  /** A reaction was added or removed. Contains the current state of the message. */
  'reaction.changed': z.object({ message: ChatMessage, otherUserId: Id }),
  'notification.created': z.object({
    notificationId: Id,
    kind: NotificationKind,
    unreadTotal: z.number().int().min(0),
  }),
  /**
   * Notifications were read or deleted, or their grouping was turned on or off. `notificationId` is null unless exactly
   * one notification is affected.
   */
  'notification.read': z.object({ notificationId: Id.nullable(), unreadTotal: z.number().int().min(0) }),
  /** The user's follow status for `userId` changed, for example because `userId` accepted the user's request. */
  'follow.changed': z.object({ userId: Id, status: FollowStatus }),
  /** The user's own record changed or, if `userId` is a creator, the user's subscription to that creator. */
  'profile.changed': z.object({ userId: Id }),
} as const

type UserEventName = keyof typeof userEvents
export type UserEvent<Name extends UserEventName> = z.infer<(typeof userEvents)[Name]>

/** Sent by the two members of a conversation on `conversation:<lower uid>:<higher uid>`. */
export const typingEvent = z.object({ userId: Id, typing: z.boolean() })
/**
 * Sent by the database on a conversation's topic when a member's permission to message or to broadcast has changed.
 */
export const accessChangedEvent = 'access.changed'
/** `firstWrittenBy` just sent their first message. The other member may now see their presence and typing. */
export const accessChanged = z.object({ firstWrittenBy: Id.optional() })

export const userTopic = (uid: string) => `user:${uid}`
/** The ids are compared as text, so that both members get the same topic. */
export const conversationTopic = (a: string, b: string) =>
  a < b ? `conversation:${a}:${b}` : `conversation:${b}:${a}`
