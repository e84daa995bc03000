import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { queryClient } from '@/lib/queryClient'
import { useConnection } from '@/lib/realtime'
import { applyReadToList, type ConversationList, markAllRead } from '../realtime/conversations'
import { applyRead, type Thread } from '../realtime/thread'
import { messageKeys } from './keys'

/** Marks the thread with one person read; `lastSeq` is the newest message that was on screen. */
export async function markConversationRead(me: string, otherUserId: string, lastSeq: number): Promise<void> {
  await api.command('PATCH', `/api/messages/${encodeURIComponent(otherUserId)}/read`)
  queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) =>
    applyRead(thread, me, lastSeq),
  )
  queryClient.setQueryData<ConversationList>(messageKeys.conversations, (list) =>
    applyReadToList(list, { otherUserId, readerId: me }),
  )
  // Joined, the event brings the new total.
  if (!useConnection.getState().joined) {
    await queryClient.invalidateQueries({ queryKey: messageKeys.unread })
  }
}

/** Marks every conversation read. */
export function useMarkAllRead() {
  return useMutation({
    mutationFn: () => api.command('POST', '/api/messages/mark-all-read'),
    onSuccess: () => {
      queryClient.setQueryData<ConversationList>(messageKeys.conversations, markAllRead)
      queryClient.setQueryData(messageKeys.unread, { count: 0 })
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: messageKeys.conversations }),
        queryClient.invalidateQueries({ queryKey: messageKeys.unread }),
      ]),
  })
}
