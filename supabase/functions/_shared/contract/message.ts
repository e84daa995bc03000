import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { UserCard } from './user.ts'

/** `seq` counts a conversation's messages from 1 without a gap: a missing number is a message not yet here. */
export const ChatMessage = z.object({
  id: Id,
  seq: z.number().int().min(1),
  senderId: Id,
  receiverId: Id,
  content: z.string(),
  createdAt: Timestamp,
  /** The receiver has seen it. */
  isRead: z.boolean(),
})
export type ChatMessage = z.infer<typeof ChatMessage>

export const SendMessageRequest = z.object({
  id: Id.optional(),
  receiverId: z.uuid('Recipient not found'),
  content: z
    .string('Please write a message.')
    .refine((text) => text.trim() !== '', 'Please write a message.')
    .max(limits.messageContent.max, 'A message can have at most 5000 characters.'),
})
export type SendMessageRequest = z.infer<typeof SendMessageRequest>

export const Conversation = z.object({
  otherUserId: Id,
  otherUser: UserCard,
  lastMessage: z.object({ id: Id, senderId: Id, content: z.string(), createdAt: Timestamp }).nullable(),
  isRead: z.boolean(),
  unreadCount: z.number().int().min(0),
  /** The caller may write to this person now. */
  canMessage: z.boolean(),
})
export type Conversation = z.infer<typeof Conversation>
