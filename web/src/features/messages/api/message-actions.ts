import { ChatMessage } from '@contract/message.ts'
import { useMutation } from '@tanstack/react-query'
import { ApiError, api, errorMessage, isUnauthorized } from '@/lib/api'
import { queryClient } from '@/lib/query-client'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { toast } from '@/ui/toaster'
import { abandonEdit } from '../abandon-edit'
import { applyChangeEvent } from '../apply-change'
import { finishEdit, type MessageEdit } from '../composer-state'
import { addOptimisticEdit } from '../model/optimistic-edits'

interface Change extends Pick<MessageEdit, 'message' | 'turn'> {
  content: string
}

/**
 * Changes what one's own message says in the conversation with `otherUserId`: at once, and back if it is refused. The
 * box is left when that is settled for good, whatever conversation is open by then.
 */
export function useEditMessage(me: string, otherUserId: string) {
  return useMutation({
    mutationFn: ({ message, content }: Change) =>
      api.patch(`/api/messages/${encodeURIComponent(message.id)}`, { content }, ChatMessage),
    onMutate: ({ message, content }) => ({ settle: addOptimisticEdit(message.id, { content }) }),
    onSettled: (_message, _error, _change, context) => context?.settle(),
    onSuccess: (message, { content, turn }) => {
      applyChangeEvent(queryClient, otherUserId, message)
      finishEdit(otherUserId, message, content, turn)
    },
    onError: (error, { message }) => {
      const description = failureText(error)
      if (isUnauthorized(error)) redirectIfUnauthorized(error)
      else if (!isFinal(error) || !abandonEdit(me, otherUserId, message.id, description)) {
        toast({ title: 'Message Not Edited', description, tone: 'destructive' })
      }
    },
  })
}

/** The message cannot be changed any more, whatever it is to say. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 409].includes(error.status)
}

function failureText(error: unknown): string {
  const isRefused = error instanceof ApiError && error.status < 500
  const fallback = 'Failed to edit message. Please try again.'
  return isRefused ? errorMessage(error, fallback) : fallback
}
