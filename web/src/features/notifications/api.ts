import { Count } from '@contract/common.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { LenientNotification, type NotificationFilter, UnreadNotifications } from '@contract/notification.ts'
import { t } from '@lingui/core/macro'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, pagedList } from '@/lib/api'
import { ignoreNotFound } from '@/lib/errors'
import { captureCount, invalidateQueries } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { type NotificationPages, setRead, unreadIds } from './model'

export const notificationKeys = {
  all: queryKeys.notifications,
  /** All lists: the unfiltered one and one for each filter. */
  lists: queryKeys.notificationList,
  list: (filter?: NotificationFilter) => [...queryKeys.notificationList, filter ?? 'all'] as const,
  unread: queryKeys.unreadNotifications,
}

/** The number of unread notifications. It is polled; realtime events update it immediately. */
export const unreadNotificationsQuery = queryOptions({
  queryKey: notificationKeys.unread,
  queryFn: ({ signal }) => api.get('/api/notifications/unread-count', Count, { signal }),
  refetchInterval: intervals.pollMs,
})

/**
 * The numbers of unread notifications by filter at the time when the notifications page was opened. The key does not
 * begin with `notificationKeys.all`, so that events do not refetch the query.
 */
export const openedCountsQuery = queryOptions({
  queryKey: ['opened-notification-counts'],
  queryFn: ({ signal }) =>
    api.get('/api/notifications/unread-count?byFilter=true', UnreadNotifications, { signal }),
  gcTime: 0,
})

/** The notifications, newest first; with a filter, only those it selects. */
export const notificationsQuery = (filter?: NotificationFilter) =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list(filter),
    ...pagedList('/api/notifications', { limit: limits.page.notifications, filter }, LenientNotification),
  })

/** Marks notifications as read or unread in every loaded list. */
export function setReadInLists(
  queryClient: QueryClient,
  ids: readonly string[] | 'all',
  isRead = true,
): void {
  for (const [queryKey, data] of loadedLists(queryClient)) {
    const changed = setRead(data, ids, isRead)
    if (changed !== data) queryClient.setQueryData(queryKey, changed)
  }
}

const loadedLists = (queryClient: QueryClient) =>
  queryClient.getQueriesData<NotificationPages>({ queryKey: notificationKeys.lists })

/** Marks a notification and the notifications grouped in it as read. Updates the cache optimistically. */
export function useReadNotification() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post(`/api/notifications/${id}/read`, undefined, Count),
    onMutate: (id) => markReadInCache(queryClient, [id]),
    onSuccess: (count, _id, update) => {
      update.setCount(count)
      invalidateQueries(queryClient, { queryKey: notificationKeys.lists })
    },
    onError: (_error, _id, update) => update?.rollBack(),
  })
}

/**
 * Marks all notifications as read, including those on pages that are not loaded. Updates the cache optimistically.
 */
export function useReadAllNotifications() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/api/notifications/read-all', undefined, Count),
    onMutate: () => markReadInCache(queryClient, 'all'),
    onSuccess: (count, _variables, update) => {
      update.setCount(count)
      invalidateQueries(queryClient, { queryKey: notificationKeys.lists })
    },
    onError: (_error, _variables, update) => update?.rollBack(),
    meta: { errorMessage: t`Couldn't mark all notifications as read. Try again.` },
  })
}

/**
 * Marks notifications as read before the server has responded.
 *
 * @returns `setCount`: caches the unread count from the response; `rollBack`: reverts the update
 */
function markReadInCache(queryClient: QueryClient, ids: readonly string[] | 'all') {
  // A fetch in progress would show the notifications as unread again.
  void queryClient.cancelQueries({ queryKey: notificationKeys.lists })
  const changedIds = [...new Set(loadedLists(queryClient).flatMap(([, data]) => unreadIds(data, ids)))]
  const { queryKey } = unreadNotificationsQuery
  const previousCount = queryClient.getQueryData(queryKey)
  const countUpdates = () => queryClient.getQueryState(queryKey)?.dataUpdateCount
  setReadInLists(queryClient, changedIds)
  if (previousCount) {
    void queryClient.cancelQueries({ queryKey, exact: true })
    const count = ids === 'all' ? 0 : Math.max(0, previousCount.count - changedIds.length)
    queryClient.setQueryData(queryKey, { count })
  }
  const updatesAfterChange = countUpdates()
  return {
    setCount: captureCount(queryClient, queryKey),
    rollBack: () => {
      setReadInLists(queryClient, changedIds, false)
      if (previousCount && countUpdates() === updatesAfterChange) {
        queryClient.setQueryData(queryKey, previousCount)
      }
      // The request may have succeeded even though its response was lost.
      invalidateQueries(queryClient, { queryKey: notificationKeys.all })
    },
  }
}

/**
 * Accepts or declines a follow request. The server also removes the request's notification. A request that no longer
 * exists counts as answered.
 */
export function useAnswerFollowRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ userId, accept }: { userId: string; accept: boolean }) =>
      ignoreNotFound(
        api.command('POST', `/api/user/follow-requests/${userId}/${accept ? 'accept' : 'decline'}`),
      ),
    meta: { errorMessage: t`Couldn't answer the follow request. Try again.` },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: notificationKeys.all }),
        queryClient.invalidateQueries({ queryKey: queryKeys.userStats }),
      ]),
  })
}
