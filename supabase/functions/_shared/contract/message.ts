import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { isBlank } from './text.ts'
import { UserCard } from './user.ts'

/** What a message can be answered with, in the order in which it is offered. */
export const reactionEmojis = ['👍', '❤️', '😂', '😮', '😢', '😡', '👏', '🔥'] as const
export const ReactionEmoji = z.enum(reactionEmojis, 'Please choose one of the offered reactions.')
export type ReactionEmoji = z.infer<typeof ReactionEmoji>

/** One person's reaction, as a message carries it: one of each emoji a person at most. */
export const Reaction = z.object({ emoji: ReactionEmoji, userId: Id })
export type Reaction = z.infer<typeof Reaction>

/** The message that another one answers, as it is now. */
export const QuotedMessage = z.object({
  id: Id,
  seq: z.number().int().min(1),
  senderId: Id,
  /** The first `limits.quote` characters. */
  content: z.string(),
  hasImage: z.boolean(),
  deleted: z.boolean(),
})
export type QuotedMessage = z.infer<typeof QuotedMessage>

/** `seq` counts a conversation's messages from 1 without a gap: a missing number is a message not yet here. */
export const ChatMessage = z.object({
  id: Id,
  seq: z.number().int().min(1),
  senderId: Id,
  receiverId: Id,
  /** Empty when deleted, and may be when there is a picture. */
  content: z.string(),
  createdAt: Timestamp,
  /** The receiver has seen it. */
  isRead: z.boolean(),
  /**
   * The number of its last change (edited, deleted, reacted to) among all changes in the conversation; 0 while there
   * was none. Of two states of a message the one with the higher number is the later.
   */
  version: z.number().int().min(0),
  editedAt: Timestamp.nullable(),
  /** Taken back by its sender, for both. */
  deleted: z.boolean(),
  /** The address of its picture, for the two people alone; null without one. */
  imageUrl: z.string().nullable(),
  /** Pixels, known wherever there is a picture; with `imageUrl` null the picture is gone. */
  imageWidth: z.number().int().min(1).nullable(),
  imageHeight: z.number().int().min(1).nullable(),
  /** A few hundred bytes of a blurred picture, as a `data:` address. */
  placeholder: z.string().nullable(),
  replyTo: QuotedMessage.nullable(),
  /** The oldest first. */
  reactions: z.array(Reaction),
})
export type ChatMessage = z.infer<typeof ChatMessage>

const nothingToSend = 'Please write a message.'
const content = z
  .string(nothingToSend)
  .max(limits.messageContent.max, 'A message can have at most 5000 characters.')

/** `id` is made by the client (a UUIDv7), so that sending twice stores once. */
export const SendMessageRequest = z
  .object({
    id: Id.optional(),
    receiverId: z.uuid('Recipient not found'),
    content: content.default(''),
    /** What `POST /api/upload` answered. */
    imageUrl: z.string().trim().max(500).nullish(),
    /** The message of this conversation that it answers. */
    replyToId: Id.nullish(),
  })
  .refine(({ content, imageUrl }) => !isBlank(content) || imageUrl, {
    path: ['content'],
    message: nothingToSend,
  })
export type SendMessageRequest = z.input<typeof SendMessageRequest>
export type NewMessage = z.output<typeof SendMessageRequest>

/** Its sender may change what a message says for `limits.messageEditWindow` after sending it. */
export const EditMessageRequest = z.object({ content })
export type EditMessageRequest = z.infer<typeof EditMessageRequest>

export const ReactRequest = z.object({ emoji: ReactionEmoji })
/** A reaction with whose it is. */
export const MessageReaction = Reaction.extend({ user: UserCard })
export type MessageReaction = z.infer<typeof MessageReaction>
export const ReactionsAnswer = z.object({ reactions: z.array(Reaction) })

/** When somebody was last here, as far as they let it be known and no block stands between. */
export const Presence = z.object({
  online: z.boolean(),
  /** Null where it is not shown, or while they are online. */
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
      /** Empty when deleted, and may be when there is a picture. */
      content: z.string(),
      hasImage: z.boolean(),
      deleted: z.boolean(),
      createdAt: Timestamp,
    })
    .nullable(),
  isRead: z.boolean(),
  unreadCount: z.number().int().min(0),
  /** The caller may write to this person now. */
  canMessage: z.boolean(),
  /** The caller has written in it themselves: who only received shows nothing of being here. */
  hasWritten: z.boolean(),
  presence: Presence,
})
export type Conversation = z.infer<typeof Conversation>

/** A message found by a search in one's conversations, the latest first. */
export const FoundMessage = z.object({ message: ChatMessage, otherUserId: Id, otherUser: UserCard })
export type FoundMessage = z.infer<typeof FoundMessage>
