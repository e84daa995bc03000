import { Count } from '@contract/common.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { queryClient } from '@/lib/queryClient'
import { applyReadToList, type ConversationList, markAllRead } from '../realtime/conversations'
import { applyRead, type Thread } from '../realtime/thread'
import { messageKeys } from './keys'

/** Marks the thread with one person read; `lastSeq` is the newest message that was on screen. */
export async function markConversationRead(me: string, otherUserId: string, lastSeq: number): Promise<void> {
  const unread = await api.patch(`/api/messages/${encodeURIComponent(otherUserId)}/read`, undefined, Count)
  queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) =>
    applyRead(thread, me, lastSeq),
  )
  queryClient.setQueryData<ConversationList>(messageKeys.conversations, (list) =>
    applyReadToList(list, { otherUserId, readerId: me }),
  )
  queryClient.setQueryData(messageKeys.unread, unread)
}

/** Marks every conversation read. */
export function useMarkAllRead() {
  return useMutation({
    mutationFn: () => api.post('/api/messages/mark-all-read', undefined, Count),
    onSuccess: (unread) => {
      queryClient.setQueryData<ConversationList>(messageKeys.conversations, markAllRead)
      queryClient.setQueryData(messageKeys.unread, unread)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: messageKeys.conversations }),
  })
}
