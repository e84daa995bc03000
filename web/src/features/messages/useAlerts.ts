import { userEvents } from '@contract/events.ts'
import type { OwnUser } from '@contract/user.ts'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router-dom'
import { queryKeys } from '@/lib/query-keys'
import { useUserChannel } from '@/realtime'
import { showUnreadInTitle } from '@/ui/useDocumentTitle'
import { announceMessage, announceNotification } from './alerts'
import { announceTabVisibility } from './tab-visibility'

/** Draws a person's attention to what is new: in the tab, and by sound and the browser's notifications as they want. */
export function useAlerts(user: OwnUser | null): void {
  const navigate = useNavigate()
  const unread = useCount(queryKeys.unreadMessages) + useCount(queryKeys.unreadNotifications)
  useEffect(() => showUnreadInTitle(unread), [unread])
  useEffect(() => () => showUnreadInTitle(0), [])
  useEffect(announceTabVisibility, [])

  useUserChannel(user?.id, {
    onEvent: (event, payload) => {
      if (!user) return
      const listener = {
        userId: user.id,
        settings: user.notificationSettings,
        navigate: (href: string) => void navigate(href),
      }
      if (event === 'message.created') {
        const heard = userEvents['message.created'].safeParse(payload).data
        if (!heard || heard.message.senderId === user.id) return
        announceMessage(listener, heard.message, heard.otherUserId).catch(quietly)
      }
      if (event === 'notification.created') {
        const heard = userEvents['notification.created'].safeParse(payload).data
        // The message itself is announced.
        if (!heard || heard.kind === 'message') return
        announceNotification(listener, heard.notificationId).catch(quietly)
      }
    },
    onJoined: () => undefined,
  })
}

/** What was not announced is in its list, and counted. */
const quietly = () => undefined

/** A count that something else keeps in the cache; 0 until it is there. */
function useCount(queryKey: QueryKey): number {
  const client = useQueryClient()
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  )
  return useSyncExternalStore(subscribe, () => client.getQueryData<{ count: number }>(queryKey)?.count ?? 0)
}
