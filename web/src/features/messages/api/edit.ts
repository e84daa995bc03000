import { ChatMessage } from '@contract/message.ts'
import { useMutation } from '@tanstack/react-query'
import { ApiError, api, messageOf } from '@/lib/api'
import { queryClient } from '@/lib/queryClient'
import { handleUnauthorized, isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { takeToldChange } from '../realtime/applyChange'
import { wish } from '../wishes'

/** Changes what one's own message says in the conversation with `otherUserId`: at once, and back if it is refused. */
export function useEditMessage(otherUserId: string) {
  return useMutation({
    mutationFn: ({ id, content }: { id: string; content: string }) =>
      api.patch(`/api/messages/${encodeURIComponent(id)}`, { content }, ChatMessage),
    onMutate: ({ id, content }) => ({ settle: wish(id, { content }) }),
    onSettled: (_message, _error, _written, context) => context?.settle(),
    onSuccess: (message) => takeToldChange(queryClient, otherUserId, message),
    onError: (error) => {
      if (isUnauthorized(error)) handleUnauthorized(error)
      else toast({ title: 'Message Not Edited', description: failureText(error), tone: 'destructive' })
    },
  })
}

function failureText(error: unknown): string {
  const isRefused = error instanceof ApiError && error.status < 500
  const fallback = 'Failed to edit message. Please try again.'
  return isRefused ? messageOf(error, fallback) : fallback
}
