import type { UserEvent } from '@contract/events.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { invalidateQueries, setCachedCount } from '@/lib/query-cache'
import { affectedByNotification, queriesAffectedBy, refreshQueries } from '@/realtime/affected-queries'
import { useUserChannel } from '@/realtime/channel-hooks'
import { batch, type Throttled, throttle } from '@/realtime/throttle'
import { notificationKeys, setReadInLists } from './api'
import { applyNotificationEvent, nothingReceived } from './model'

const listRefetchIntervalMs = 1000

/**
 * Applies realtime events to the unread count and the list, and refetches the data that new notifications are about.
 *
 * @param isGrouped the user's setting to group notifications
 * @param onCreated called with the event of each new notification
 */
export function useNotificationsRealtime(
  userId: string | undefined,
  isGrouped: boolean | undefined,
  onCreated: (event: UserEvent<'notification.created'>) => void,
): void {
  const queryClient = useQueryClient()
  const received = useRef(nothingReceived)
  const refetchList = useRef<Throttled>(undefined)
  const addSubject = useRef<(kind: string) => void>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the events of another user must not affect this user
  useEffect(() => {
    received.current = nothingReceived
    const throttled = throttle(listRefetchIntervalMs, () =>
      invalidateQueries(queryClient, { queryKey: notificationKeys.lists }),
    )
    refetchList.current = throttled
    const subjects = batch<string>(
      listRefetchIntervalMs,
      () => false,
      (kinds) =>
        refreshQueries(queryClient, [
          ...new Set([...kinds].flatMap((kind) => queriesAffectedBy(affectedByNotification, kind))),
        ]),
    )
    addSubject.current = subjects.add
    return () => {
      throttled.stop()
      subjects.stop()
    }
  }, [queryClient, userId])

  // Grouping changes both the rows and the count. The setting can change while the component is mounted.
  const previousIsGrouped = useRef(isGrouped)
  useEffect(() => {
    const previous = previousIsGrouped.current
    if (previous !== undefined && isGrouped !== undefined && previous !== isGrouped) {
      invalidateQueries(queryClient, { queryKey: notificationKeys.all })
    }
    previousIsGrouped.current = isGrouped
  }, [queryClient, isGrouped])

  useUserChannel(userId, {
    onEvent: (event, payload) => {
      const effect = applyNotificationEvent(received.current, event, payload)
      received.current = effect.received
      const { unreadTotal } = effect.received
      if (effect.refetch === 'list' && unreadTotal !== undefined) {
        setCachedCount(queryClient, notificationKeys.unread, { count: unreadTotal })
      }
      const { read } = effect
      if (read) setReadInLists(queryClient, read)
      if (effect.refetch === 'list') refetchList.current?.call()
      if (effect.refetch === 'all') invalidateQueries(queryClient, { queryKey: notificationKeys.all })
      if (effect.created) {
        addSubject.current?.(effect.created.kind)
        onCreated(effect.created)
      }
    },
    onJoined: () => invalidateQueries(queryClient, { queryKey: notificationKeys.all }),
  })
}
