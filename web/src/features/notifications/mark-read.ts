import { Count } from '@contract/common.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, isUnauthorized } from '@/lib/api'
import { captureCount, invalidateQueries } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import { unreadNotificationsQuery } from './api'
import { notificationKeys } from './keys'
import { type NotificationPages, setRead, unreadIds } from './model'

/** Shows notifications as read before the server has answered. What it gives takes the answer in, or that back. */
function showRead(client: QueryClient, ids: readonly string[] | 'all') {
  // A list that is on its way would show them unread again.
  void client.cancelQueries({ queryKey: notificationKeys.list })
  const shown = unreadIds(client.getQueryData<NotificationPages>(notificationKeys.list), ids)
  const put = (isRead: boolean) =>
    client.setQueryData<NotificationPages>(notificationKeys.list, (data) => setRead(data, shown, isRead))
  const { queryKey } = unreadNotificationsQuery
  const before = client.getQueryData(queryKey)
  const updates = () => client.getQueryState(queryKey)?.dataUpdateCount
  put(true)
  if (before) {
    void client.cancelQueries({ queryKey, exact: true })
    client.setQueryData(queryKey, { count: ids === 'all' ? 0 : Math.max(0, before.count - shown.length) })
  }
  const then = updates()
  return {
    takeCount: captureCount(client, queryKey),
    takeBack: () => {
      put(false)
      if (before && updates() === then) client.setQueryData(queryKey, before)
      // It may have been read after all, by an answer that was lost.
      invalidateQueries(client, { queryKey: notificationKeys.all })
    },
  }
}

/** Marks one notification read, and with it those it stands for. One that fails is unread again. */
export function useReadNotification() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post(`/api/notifications/${id}/read`, undefined, Count),
    onMutate: (id) => showRead(client, [id]),
    onSuccess: (count, _, shown) => {
      shown.takeCount(count)
      invalidateQueries(client, { queryKey: notificationKeys.list })
    },
    onError: (_error, _id, shown) => shown?.takeBack(),
  })
}

/** Marks every notification read, those on pages not loaded too. */
export function useReadAllNotifications() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/api/notifications/read-all', undefined, Count),
    onMutate: () => showRead(client, 'all'),
    onSuccess: (count, _, shown) => {
      shown.takeCount(count)
      invalidateQueries(client, { queryKey: notificationKeys.list })
    },
    onError: (error, _, shown) => {
      shown?.takeBack()
      if (isUnauthorized(error)) return
      const description = 'Your notifications could not be marked read. Please try again.'
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}

/** Lets somebody follow who asked to, or declines. The notification goes with the request. */
export function useAnswerFollowRequest() {
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
