import type { UserEvent } from '@contract/events.ts'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { withoutBidiControls } from '@/lib/bidi'
import { browserNotificationState, showBrowserNotification } from '@/lib/browserNotifications'
import { isAnyTabInSight, tellSight } from '@/lib/sight'
import { latestNotification } from '../api/notifications'
import { useReadNotification } from '../api/read'

/**
 * Has the browser show what is new while nobody looks at any page of this site, if the person wants that and the
 * browser may. Messages are shown by their own feature.
 */
export function useBrowserNews(wanted: boolean): (news: UserEvent<'notification.created'>) => void {
  const navigate = useNavigate()
  const read = useReadNotification()
  useEffect(tellSight, [])

  const show = async (id: string) => {
    if (await isAnyTabInSight()) return
    // An event says that there is something, not what.
    const found = await latestNotification(id)
    if (!found || found.isRead) return
    showBrowserNotification({
      title: withoutBidiControls(found.title),
      body: withoutBidiControls(found.message),
      // Of several pages that nobody looks at, each shows it in the other's place.
      tag: found.id,
      onClick: () => {
        read.mutate(found.id)
        navigate(found.href)
      },
    })
  }
  return ({ notificationId, kind }) => {
    if (!wanted || kind === 'message' || browserNotificationState() !== 'granted') return
    // Whoever cannot ask shows nothing: it waits in the list.
    show(notificationId).catch(() => undefined)
  }
}
