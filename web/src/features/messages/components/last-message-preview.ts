import type { Conversation } from '@contract/message.ts'

/** What the list says of a conversation's last message. */
export function lastMessagePreview(last: Conversation['lastMessage']): string {
  if (last?.deleted) return 'Message deleted'
  return last?.content || (last?.hasImage ? 'Photo' : 'No message content')
}
