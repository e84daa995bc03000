import type { UserEvent } from '@contract/events.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { readAgain, setCount } from '@/lib/readAgain'
import { useUserChannel } from '@/lib/realtime'
import { notificationKeys } from '../api/keys'
import { calmly } from './calmly'
import { applyNotificationEvent, type NotificationPages, nothingHeard, setRead } from './notifications'

/** Milliseconds between two readings of an open list, however much happens. */
const listPause = 1000

/**
 * Keeps the notification count, and the list while it is open, live. `onNews` is told of each that
 * is new.
 */
export function useNotificationsLive(
  userId: string | undefined,
  grouped: boolean | undefined,
  onNews: (news: UserEvent<'notification.created'>) => void,
): void {
  const client = useQueryClient()
  const heard = useRef(nothingHeard)
  const list = useRef<ReturnType<typeof calmly>>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what one person heard says nothing about another
  useEffect(() => {
    heard.current = nothingHeard
    const calm = calmly(() => readAgain(client, { queryKey: notificationKeys.list }), listPause)
    list.current = calm
    return calm.stop
  }, [client, userId])

  // With or without groups there are other rows and another total; the choice may have been made on another page.
  const before = useRef(grouped)
  useEffect(() => {
    if (before.current !== undefined && grouped !== undefined && before.current !== grouped) {
      readAgain(client, { queryKey: notificationKeys.all })
    }
    before.current = grouped
  }, [client, grouped])

  useUserChannel(userId, {
    onEvent: (event, payload) => {
      const effect = applyNotificationEvent(heard.current, event, payload)
      heard.current = effect.heard
      const { total } = effect.heard
      if (effect.refetch === 'list' && total !== undefined) {
        setCount(client, notificationKeys.unread, { count: total })
      }
      if (effect.read) {
        const read = effect.read
        client.setQueryData<NotificationPages>(notificationKeys.list, (data) => setRead(data, read))
      }
      if (effect.refetch === 'list') list.current?.ask()
      if (effect.refetch === 'all') readAgain(client, { queryKey: notificationKeys.all })
      if (effect.news) onNews(effect.news)
    },
    onJoined: () => readAgain(client, { queryKey: notificationKeys.all }),
  })
}
