import { ImageUpload, VoiceUpload } from '@contract/media.ts'
import { ChatMessage, type ReactionEmoji, ReactionsResponse } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { ApiError, errorMessage } from '@/lib/errors'
import { queryClient } from '@/lib/query-client'
import { uploadFile } from '@/uploads/upload-request'
import { applyChangedMessages, applyChangeEvent } from '../cache-updates'
import { abandonEdit, finishEdit, type MessageEdit } from '../composer-state'
import {
  addOptimisticEdit,
  asDeleted,
  getOptimisticReaction,
  hasReacted,
  setOptimisticReaction,
} from '../model/optimistic-edits'
import type { OutboxItem } from '../outbox/outbox'
import { findCachedMessage, patchCachedMessage } from './thread'

/** A call without a response after this time counts as failed. Retrying is safe: the client sets the message's id. */
const sendTimeoutMs = 20_000

/** Sends a message with the id that it already has. If that message is already stored, the server returns it. */
export async function sendMessage(item: OutboxItem, signal: AbortSignal): Promise<ChatMessage> {
  const { id, receiverId, content, voice, price, mediaUrl, replyTo } = item
  const controller = new AbortController()
  const onTimeout = () => controller.abort(new DOMException('The request timed out.', 'TimeoutError'))
  const timer = setTimeout(onTimeout, sendTimeoutMs)
  const onAbort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    const url = voice ? { voiceUrl: mediaUrl } : { imageUrl: mediaUrl }
    const body = { id, receiverId, content, ...url, price, replyToId: replyTo?.id ?? null }
    return await api.post('/api/messages', body, ChatMessage, { signal: controller.signal })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/**
 * Uploads the image or the recording of a message and returns its URL. Only the sender can use the URL until the
 * message is sent.
 *
 * @param onProgress receives how much has been uploaded, as a whole percentage
 */
export async function uploadMessageMedia(
  { image, voice }: OutboxItem,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<string> {
  onProgress(0)
  if (voice) {
    const file = new File([voice.blob], 'voice', { type: voice.blob.type })
    const fields = { seconds: String(voice.seconds), ...(voice.levels && { levels: voice.levels }) }
    const options = { signal, onProgress, fields }
    return (await uploadFile('/api/upload-voice', 'voice', file, VoiceUpload, options)).voiceUrl
  }
  if (!image) throw new Error('The message has no file to upload.')
  const file = new File([image.blob], 'picture', { type: image.blob.type })
  const response = await uploadFile('/api/upload', 'image', file, ImageUpload, { signal, onProgress })
  return response.imageUrl
}

interface EditVariables extends Pick<MessageEdit, 'message' | 'editId'> {
  content: string
}

/**
 * Edits one of the user's messages, with an optimistic update. The composer leaves edit mode when the server has
 * accepted the edit or permanently rejected it, even if the user has opened another conversation meanwhile.
 */
export function useEditMessage(me: string, otherUserId: string) {
  return useMutation({
    mutationFn: ({ message, content }: EditVariables) =>
      api.patch(`/api/messages/${encodeURIComponent(message.id)}`, { content }, ChatMessage),
    onMutate: ({ message, content }) => ({ removeEdit: addOptimisticEdit(message.id, { content }) }),
    onSettled: (_message, _error, _variables, context) => context?.removeEdit(),
    onSuccess: (message, { content, editId }) => {
      applyChangeEvent(queryClient, otherUserId, message)
      finishEdit(otherUserId, message, content, editId)
    },
    onError: (error, { message }) => {
      if (isPermanentEditError(error)) abandonEdit(me, otherUserId, message.id, editErrorText(error))
    },
    meta: {
      errorTitle: t`Message not edited`,
      // For a permanent error, `abandonEdit` shows the toast.
      errorMessage: (error) => (isPermanentEditError(error) ? null : editErrorText(error)),
    },
  })
}

/** Returns true if the message can no longer be edited, whatever the new text is. */
function isPermanentEditError(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 409].includes(error.status)
}

function editErrorText(error: unknown): string {
  const isClientError = error instanceof ApiError && error.status < 500
  const fallback = t`Couldn't edit the message. Try again.`
  return isClientError ? errorMessage(error, fallback) : fallback
}

/** Deletes one of the user's messages for both users, with an optimistic update. */
export function useDeleteMessage(otherUserId: string) {
  return useMutation({
    mutationFn: (messageId: string) => api.delete(`/api/messages/${encodeURIComponent(messageId)}`),
    onMutate: (messageId) => ({ removeEdit: addOptimisticEdit(messageId, { deleted: true }) }),
    onSuccess: (_, messageId) => {
      const message = findCachedMessage(otherUserId, messageId)
      if (message) applyChangedMessages(queryClient, otherUserId, [asDeleted(message)])
    },
    onSettled: (_data, _error, _messageId, context) => context?.removeEdit(),
    meta: { errorMessage: t`Couldn't delete the message. Try again.` },
  })
}

/** Limits the requests: the API can only toggle a reaction, so two tabs could toggle it back and forth forever. */
const maxToggleAttempts = 3
const runningToggles = new Set<string>()

/** Adds or removes the user's reaction. */
export function useToggleReaction(me: string, otherUserId: string) {
  return useMutation({
    mutationFn: ({ message, emoji }: { message: ChatMessage; emoji: ReactionEmoji }) =>
      toggleReaction(me, otherUserId, message, emoji),
    meta: { errorMessage: t`Failed to add reaction. Please try again.` },
  })
}

/**
 * Adds or removes the user's reaction, with an optimistic update. Only one request runs at a time, however often the
 * user clicks. The request is repeated until the server has the state that the user chose last, but is sent at most
 * `maxToggleAttempts` times.
 */
async function toggleReaction(
  me: string,
  otherUserId: string,
  message: ChatMessage,
  emoji: ReactionEmoji,
): Promise<void> {
  const latestMessage = () => findCachedMessage(otherUserId, message.id) ?? message
  const isOn = getOptimisticReaction(message.id, emoji) ?? hasReacted(latestMessage(), me, emoji)
  setOptimisticReaction(message.id, emoji, !isOn)
  const key = `${message.id} ${emoji}`
  if (runningToggles.has(key)) return
  runningToggles.add(key)
  try {
    let reacted = hasReacted(latestMessage(), me, emoji)
    for (
      let attempt = 0;
      attempt < maxToggleAttempts && reacted !== getOptimisticReaction(message.id, emoji);
      attempt += 1
    ) {
      const { version } = latestMessage()
      const { reactions } = await api.post(
        `/api/messages/${encodeURIComponent(message.id)}/reactions`,
        { emoji },
        ReactionsResponse,
      )
      // An event that arrived during the request may be newer than this response.
      patchCachedMessage(otherUserId, message.id, (cached) =>
        cached.version === version ? { ...cached, reactions } : cached,
      )
      reacted = hasReacted({ reactions }, me, emoji)
    }
  } finally {
    runningToggles.delete(key)
    setOptimisticReaction(message.id, emoji, undefined)
  }
}
