import { Count } from '@contract/common.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { captureCount, invalidateQueries } from '@/lib/query-cache'
import { queryClient } from '@/lib/query-client'
import { applyOwnRead } from '../cache-updates'
import { type ConversationList, markAllRead } from '../model/conversations'
import { applyRead, type Thread } from '../model/thread'
import { messageKeys } from './keys'

/** Marks the thread with one person read; `lastSeq` is the newest message that was on screen. */
export async function markConversationRead(me: string, otherUserId: string, lastSeq: number): Promise<void> {
  const takeCount = captureCount(queryClient, messageKeys.unread)
  const unread = await api.patch(`/api/messages/${encodeURIComponent(otherUserId)}/read`, undefined, Count)
  queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) =>
    applyRead(thread, me, lastSeq),
  )
  if (applyOwnRead(queryClient, me, otherUserId, lastSeq)) takeCount(unread)
}

/** Marks every conversation read. */
export function useMarkAllRead() {
  return useMutation({
    mutationFn: () => api.post('/api/messages/mark-all-read', undefined, Count),
    onMutate: () => ({ takeCount: captureCount(queryClient, messageKeys.unread) }),
    onSuccess: (unread, _, { takeCount }) => {
      queryClient.setQueryData<ConversationList>(messageKeys.conversations, markAllRead)
      takeCount(unread)
    },
    onSettled: () => invalidateQueries(queryClient, { queryKey: messageKeys.conversations }),
  })
}
