import type { ChatMessage, Conversation } from '@contract/message.ts'
import { userCardFixture } from '@/profile/user-card-fixture'

export const me = '00000000-0000-4000-8000-000000000001'
export const ada = '00000000-0000-4000-8000-00000000000a'
export const bea = '00000000-0000-4000-8000-00000000000b'

/** Builds message number `seq` of the thread with `other`. It is a received message unless `senderId` is `me`. */
export function message(seq: number, changes: Partial<ChatMessage> & { other?: string } = {}): ChatMessage {
  const { other = ada, ...rest } = changes
  const senderId = rest.senderId ?? other
  return {
    id: `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`,
    seq,
    receiverId: senderId === me ? other : me,
    content: `message ${seq}`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 12, 0, seq)).toISOString(),
    isRead: false,
    toSubscribers: false,
    version: 0,
    editedAt: null,
    deleted: false,
    imageUrl: null,
    imageWidth: null,
    imageHeight: null,
    placeholder: null,
    voice: null,
    paidPhoto: null,
    replyTo: null,
    reactions: [],
    ...rest,
    senderId,
  }
}

/** Builds the messages numbered `first` to `last`. */
export function messages(first: number, last: number): ChatMessage[] {
  return Array.from({ length: last - first + 1 }, (_, index) => message(first + index))
}

/** Builds a conversation whose last message is number `seq`. */
export function conversation(other: string, seq: number, changes: Partial<Conversation> = {}): Conversation {
  const { id, senderId, content, createdAt } = message(seq, { other })
  return {
    otherUserId: other,
    otherUser: userCardFixture(other),
    lastMessage: {
      id,
      senderId,
      content,
      createdAt,
      hasImage: false,
      isLocked: false,
      voiceSeconds: null,
      deleted: false,
    },
    isRead: true,
    unreadCount: 0,
    canMessage: true,
    hasWritten: true,
    isSubscriber: false,
    presence: { online: false, lastSeenAt: null },
    ...changes,
  }
}
