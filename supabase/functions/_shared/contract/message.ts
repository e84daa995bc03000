import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { isBlank } from './text.ts'
import { UserCard } from './user.ts'

/** The available reactions, in the order in which they are offered. */
export const reactionEmojis = ['👍', '❤️', '😂', '😮', '😢', '😡', '👏', '🔥'] as const
export const ReactionEmoji = z.enum(reactionEmojis, 'Please choose one of the offered reactions.')
export type ReactionEmoji = z.infer<typeof ReactionEmoji>

/** One user's reaction to a message. A user can add each emoji once. */
export const Reaction = z.object({ emoji: ReactionEmoji, userId: Id })
export type Reaction = z.infer<typeof Reaction>

/** The current state of a message that another one replies to. */
export const QuotedMessage = z.object({
  id: Id,
  seq: z.number().int().min(1),
  senderId: Id,
  /** The first `limits.quoteLength` characters. */
  content: z.string(),
  hasImage: z.boolean(),
  deleted: z.boolean(),
})
export type QuotedMessage = z.infer<typeof QuotedMessage>

/**
 * `seq` numbers a conversation's messages from 1 without gaps. A missing number is a message that was not received
 * yet.
 */
export const ChatMessage = z.object({
  id: Id,
  seq: z.number().int().min(1),
  senderId: Id,
  receiverId: Id,
  /** Empty if deleted. May be empty if there is an image. */
  content: z.string(),
  createdAt: Timestamp,
  /** Read by the receiver. */
  isRead: z.boolean(),
  /**
   * The number of its last change (edit, deletion, reaction) among all changes in the conversation; 0 without one. Of
   * two states of a message, the one with the higher number is newer.
   */
  version: z.number().int().min(0),
  editedAt: Timestamp.nullable(),
  /** Deleted by its sender, for both members. */
  deleted: z.boolean(),
  /** The URL of the image, which only the two members can read. Null without an image. */
  imageUrl: z.string().nullable(),
  /** Size in pixels, set for every message with an image. If `imageUrl` is null, the image was deleted. */
  imageWidth: z.number().int().min(1).nullable(),
  imageHeight: z.number().int().min(1).nullable(),
  /** A tiny blurred image as a `data:` URL. */
  placeholder: z.string().nullable(),
  replyTo: QuotedMessage.nullable(),
  /** Oldest first. */
  reactions: z.array(Reaction),
})
export type ChatMessage = z.infer<typeof ChatMessage>

const emptyMessage = 'Please write a message.'
const content = z
  .string(emptyMessage)
  .max(limits.messageContent.max, `A message can have at most ${limits.messageContent.max} characters.`)

/** `id` is a UUIDv7 made by the client: a request that is sent twice creates one message. */
export const SendMessageRequest = z
  .object({
    id: Id.optional(),
    receiverId: z.uuid('Recipient not found'),
    content: content.default(''),
    /** From `POST /api/upload`. */
    imageUrl: z.string().trim().max(500).nullish(),
    /** The message of this conversation that it replies to. */
    replyToId: Id.nullish(),
  })
  .refine(({ content, imageUrl }) => !isBlank(content) || imageUrl, {
    path: ['content'],
    message: emptyMessage,
  })
export type SendMessageRequest = z.input<typeof SendMessageRequest>
export type NewMessage = z.output<typeof SendMessageRequest>

/** The sender can edit a message for `limits.messageEditWindowMs` after sending it. */
export const EditMessageRequest = z.object({ content })
export type EditMessageRequest = z.infer<typeof EditMessageRequest>

export const ReactRequest = z.object({ emoji: ReactionEmoji })
/** A reaction with its user. */
export const MessageReaction = Reaction.extend({ user: UserCard })
export type MessageReaction = z.infer<typeof MessageReaction>
export const ReactionsResponse = z.object({ reactions: z.array(Reaction) })

/** A user's presence, as far as their settings and blocks allow the caller to see it. */
export const Presence = z.object({
  online: z.boolean(),
  /** Null if hidden, or while the user is online. */
  lastSeenAt: Timestamp.nullable(),
})
export type Presence = z.infer<typeof Presence>

export const Conversation = z.object({
  otherUserId: Id,
  otherUser: UserCard,
  lastMessage: z
    .object({
      id: Id,
      senderId: Id,
      /** Empty if deleted. May be empty if there is an image. */
      content: z.string(),
      hasImage: z.boolean(),
      deleted: z.boolean(),
      createdAt: Timestamp,
    })
    .nullable(),
  isRead: z.boolean(),
  unreadCount: z.number().int().min(0),
  /** The caller may message this user now. */
  canMessage: z.boolean(),
  /** The caller has sent a message in it. A member who has only received messages shows no presence. */
  hasWritten: z.boolean(),
  presence: Presence,
})
export type Conversation = z.infer<typeof Conversation>

/** A message found by searching the caller's conversations. Newest first. */
export const MessageSearchResult = z.object({ message: ChatMessage, otherUserId: Id, otherUser: UserCard })
export type MessageSearchResult = z.infer<typeof MessageSearchResult>
