import { Count } from '@contract/common.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { queryClient } from '@/lib/queryClient'
import { awaitCount, readAgain } from '@/lib/readAgain'
import { takeOwnRead } from '../realtime/applyEvent'
import { type ConversationList, markAllRead } from '../realtime/conversations'
import { applyRead, type Thread } from '../realtime/thread'
import { messageKeys } from './keys'

/** Marks the thread with one person read; `lastSeq` is the newest message that was on screen. */
export async function markConversationRead(me: string, otherUserId: string, lastSeq: number): Promise<void> {
  const takeCount = awaitCount(queryClient, messageKeys.unread)
  const unread = await api.patch(`/api/messages/${encodeURIComponent(otherUserId)}/read`, undefined, Count)
  queryClient.setQueryData<Thread>(messageKeys.thread(otherUserId), (thread) =>
    applyRead(thread, me, lastSeq),
  )
  if (takeOwnRead(queryClient, me, otherUserId, lastSeq)) takeCount(unread)
}

/** Marks every conversation read. */
export function useMarkAllRead() {
  return useMutation({
    mutationFn: () => api.post('/api/messages/mark-all-read', undefined, Count),
    onMutate: () => ({ takeCount: awaitCount(queryClient, messageKeys.unread) }),
    onSuccess: (unread, _, { takeCount }) => {
      queryClient.setQueryData<ConversationList>(messageKeys.conversations, markAllRead)
      takeCount(unread)
    },
    onSettled: () => readAgain(queryClient, { queryKey: messageKeys.conversations }),
  })
}
