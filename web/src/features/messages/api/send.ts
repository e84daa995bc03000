import { ChatMessage } from '@contract/message.ts'
import { ApiError, api } from '@/lib/api'
import type { OutboxItem } from '../outbox/outbox'

/** Milliseconds after which an unanswered call counts as failed; the id makes trying again safe. */
const patience = 20_000

/** Sends one message under the id it already has; sent again, the server answers the stored one. */
export function sendMessage({ id, receiverId, content }: OutboxItem): Promise<ChatMessage> {
  const options = { signal: AbortSignal.timeout(patience) }
  return api.post('/api/messages', { id, receiverId, content }, ChatMessage, options)
}

/** Why a message was not sent, for its writer. */
export function sendFailureText(error: unknown): string {
  const said = error instanceof ApiError ? error.serverMessage : ''
  if (said.includes('This user has disabled direct messages')) {
    return 'This user has disabled direct messages in their privacy settings.'
  }
  if (said.includes('Recipient not found')) return 'User not found.'
  return 'Failed to send message. Please try again.'
}
