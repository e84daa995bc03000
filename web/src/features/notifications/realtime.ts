import type { UserEvent } from '@contract/events.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { invalidateQueries, setCachedCount } from '@/lib/query-cache'
import { useUserChannel } from '@/realtime'
import { throttleWithTrailingCall } from '@/realtime/throttle-with-trailing-call'
import { notificationKeys } from './keys'
import { applyNotificationEvent, type NotificationPages, nothingReceived, setRead } from './model'

/** Milliseconds between two readings of an open list, however much happens. */
const listPause = 1000

/**
 * Keeps the notification count, and the list while it is open, live. `onNews` is told of each that
 * is new.
 */
export function useNotificationsRealtime(
  userId: string | undefined,
  grouped: boolean | undefined,
  onNews: (news: UserEvent<'notification.created'>) => void,
): void {
  const client = useQueryClient()
  const heard = useRef(nothingReceived)
  const list = useRef<ReturnType<typeof throttleWithTrailingCall>>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what one person heard says nothing about another
  useEffect(() => {
    heard.current = nothingReceived
    const calm = throttleWithTrailingCall(
      () => invalidateQueries(client, { queryKey: notificationKeys.list }),
      listPause,
    )
    list.current = calm
    return calm.stop
  }, [client, userId])

  // With or without groups there are other rows and another total; the choice may have been made on another page.
  const before = useRef(grouped)
  useEffect(() => {
    if (before.current !== undefined && grouped !== undefined && before.current !== grouped) {
      invalidateQueries(client, { queryKey: notificationKeys.all })
    }
    before.current = grouped
  }, [client, grouped])

  useUserChannel(userId, {
    onEvent: (event, payload) => {
      const effect = applyNotificationEvent(heard.current, event, payload)
      heard.current = effect.heard
      const { total } = effect.heard
      if (effect.refetch === 'list' && total !== undefined) {
        setCachedCount(client, notificationKeys.unread, { count: total })
      }
      if (effect.read) {
        const read = effect.read
        client.setQueryData<NotificationPages>(notificationKeys.list, (data) => setRead(data, read))
      }
      if (effect.refetch === 'list') list.current?.ask()
      if (effect.refetch === 'all') invalidateQueries(client, { queryKey: notificationKeys.all })
      if (effect.news) onNews(effect.news)
    },
    onJoined: () => invalidateQueries(client, { queryKey: notificationKeys.all }),
  })
}
