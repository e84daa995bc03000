import { Count } from '@contract/common.ts'
import type { Notification } from '@contract/notification.ts'
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Page } from '@/lib/api'
import { queryKeys } from '@/lib/queryKeys'
import { awaitCount } from '@/lib/readAgain'
import { markRead } from '../realtime/notifications'
import { notificationKeys } from './keys'

export type NotificationPages = InfiniteData<Page<Notification>, string | null>

/** Marks one notification read: at once on the screen, the count as the server answers. */
export function useReadNotification() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post(`/api/notifications/${id}/read`, undefined, Count),
    onMutate: (id) => {
      // A list that is on its way would show it unread again.
      void client.cancelQueries({ queryKey: notificationKeys.list })
      client.setQueryData<NotificationPages>(notificationKeys.list, (data) => markRead(data, id))
      return { takeCount: awaitCount(client, notificationKeys.unread) }
    },
    onSuccess: (count, _, { takeCount }) => takeCount(count),
    onSettled: () => client.invalidateQueries({ queryKey: notificationKeys.list }),
  })
}

/** Lets somebody follow who asked to, or declines. The notification goes with the request. */
export function useAnswerRequest() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ userId, accept }: { userId: string; accept: boolean }) =>
      api.command('POST', `/api/user/follow-requests/${userId}/${accept ? 'accept' : 'decline'}`),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: notificationKeys.all }),
        client.invalidateQueries({ queryKey: queryKeys.userStats }),
      ]),
  })
}
