import { z } from 'zod'
import { Id } from './common.ts'
import { ChatMessage } from './message.ts'
import { NotificationKind } from './notification.ts'
import { FollowStatus } from './user.ts'

/**
 * Events on the private topic `user:<uid>`, written by the database only. Each carries what its receiver may see
 * anyway, and the totals after it, so that a page can show them without asking.
 */
export const userEvents = {
  'message.created': z.object({
    message: ChatMessage,
    /** The conversation's other person, from the receiver of the event. */
    otherUserId: Id,
    /** Unread messages in all conversations, and in this one. */
    unreadTotal: z.number().int().min(0),
    unreadCount: z.number().int().min(0),
  }),
  /** Somebody read a thread: `readerId` is either the receiver of the event (another page) or the other person. */
  'conversation.read': z.object({
    otherUserId: Id,
    readerId: Id,
    lastReadSeq: z.number().int().min(0),
    /** Of the receiver of the event. */
    unreadTotal: z.number().int().min(0),
  }),
  /** A message was edited or deleted: as it is now. Its `version` tells which of two states is the later. */
  'message.changed': z.object({ message: ChatMessage, otherUserId: Id }),
  /** A message was reacted to, or a reaction taken back: as it is now. */
  'reaction.changed': z.object({ message: ChatMessage, otherUserId: Id }),
  'notification.created': z.object({
    notificationId: Id,
    kind: NotificationKind,
    unreadTotal: z.number().int().min(0),
  }),
  /** Notifications were read or withdrawn. `notificationId` is null where it was more than one. */
  'notification.read': z.object({ notificationId: Id.nullable(), unreadTotal: z.number().int().min(0) }),
  /** The receiver's relation to `userId` changed on another page, or by `userId`'s answer. */
  'follow.changed': z.object({ userId: Id, status: FollowStatus }),
  /** Something of the person's own record changed. */
  'profile.changed': z.object({ userId: Id }),
} as const

type UserEventName = keyof typeof userEvents
export type UserEvent<Name extends UserEventName> = z.infer<(typeof userEvents)[Name]>

/** Sent by the two people of a conversation on `conversation:<lower uid>:<higher uid>`. */
export const typingEvent = z.object({ userId: Id, typing: z.boolean() })
/** Sent by the database on a conversation's topic when who may write to whom, or say something there, has changed. */
export const accessChangedEvent = 'access.changed'
/** What it says: nothing, or whose first message was sent, who may show being here from now on. */
export const accessChanged = z.object({ firstWrittenBy: Id.optional() })

export const userTopic = (uid: string) => `user:${uid}`
/** Both ids compared as text, so that both people name the same topic. */
export const conversationTopic = (a: string, b: string) =>
  a < b ? `conversation:${a}:${b}` : `conversation:${b}:${a}`
