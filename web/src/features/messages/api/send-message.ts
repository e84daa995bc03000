import { ImageUpload } from '@contract/media.ts'
import { ChatMessage } from '@contract/message.ts'
import { ApiError, api } from '@/lib/api'
import { uploadFile } from '@/uploads/upload-request'
import type { OutboxItem } from '../outbox/outbox-item'

/** Milliseconds after which an unanswered call counts as failed; the id makes trying again safe. */
const patience = 20_000

/** Sends one message under the id it already has; sent again, the server answers the stored one. */
export async function sendMessage(item: OutboxItem, signal: AbortSignal): Promise<ChatMessage> {
  const { id, receiverId, content, imageUrl, replyTo } = item
  const call = new AbortController()
  const give = (reason: unknown) => call.abort(reason)
  const timer = setTimeout(() => give(new DOMException('No answer in time.', 'TimeoutError')), patience)
  const stop = () => give(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    const body = { id, receiverId, content, imageUrl, replyToId: replyTo?.id ?? null }
    return await api.post('/api/messages', body, ChatMessage, { signal: call.signal })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** Uploads the picture of a message that has one, and answers its address; until it is sent, its writer's alone. */
export async function uploadMessageImage(
  { image }: OutboxItem,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<string> {
  if (!image) throw new Error('There is no picture to upload.')
  onProgress(0)
  const file = new File([image.blob], 'picture', { type: image.blob.type })
  const answer = await uploadFile('/api/upload', 'image', file, ImageUpload, { signal, onProgress })
  return answer.imageUrl
}

/** Why a message was not sent, for its writer. */
export function sendErrorText(error: unknown): string {
  const said = error instanceof ApiError ? error.serverMessage : ''
  if (said.includes('This user has disabled direct messages')) {
    return 'This user has disabled direct messages in their privacy settings.'
  }
  if (said.includes('Recipient not found')) return 'User not found.'
  return 'Failed to send message. Please try again.'
}
