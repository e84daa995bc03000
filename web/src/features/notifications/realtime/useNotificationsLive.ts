import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { readAgain, setCount } from '@/lib/readAgain'
import { useUserChannel } from '@/lib/realtime'
import { notificationKeys } from '../api/keys'
import { applyNotificationEvent, type Heard } from './notifications'

/** Keeps the notification count, and the list while it is open, live. */
export function useNotificationsLive(userId: string | undefined): void {
  const client = useQueryClient()
  const heard = useRef<Heard>({ total: undefined, ids: [] })

  // biome-ignore lint/correctness/useExhaustiveDependencies: what one person heard says nothing about another
  useEffect(() => {
    heard.current = { total: undefined, ids: [] }
  }, [userId])

  useUserChannel(userId, {
    onEvent: (event, payload) => {
      const before = heard.current
      const after = applyNotificationEvent(before, event, payload)
      heard.current = after.heard
      if (after.heard !== before && after.heard.total !== undefined) {
        setCount(client, notificationKeys.unread, { count: after.heard.total })
      }
      if (after.refetch === 'list') readAgain(client, { queryKey: notificationKeys.list })
      if (after.refetch === 'all') readAgain(client, { queryKey: notificationKeys.all })
    },
    onJoined: () => readAgain(client, { queryKey: notificationKeys.all }),
  })
}
