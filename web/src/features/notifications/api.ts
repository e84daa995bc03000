import { Count } from '@contract/common.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { Notification } from '@contract/notification.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, withQuery } from '@/lib/api'
import { notificationKeys } from './keys'

/** Unread notifications; polled, and set at once by events. */
export const unreadNotificationsQuery = queryOptions({
  queryKey: notificationKeys.unread,
  queryFn: ({ signal }) => api.get('/api/notifications/unread-count', Count, { signal }),
  refetchInterval: intervals.pollMs,
})

/** Notifications by pages, the newest first; read anew each time the dropdown opens. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: notificationKeys.list,
  queryFn: ({ pageParam, signal }) =>
    api.page(
      withQuery('/api/notifications', { limit: limits.page.notifications, cursor: pageParam ?? undefined }),
      Notification,
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.nextCursor,
})
