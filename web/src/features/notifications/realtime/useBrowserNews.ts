import type { UserEvent } from '@contract/events.ts'
import { useNavigate } from 'react-router-dom'
import { withoutBidiControls } from '@/lib/bidi'
import { browserNotificationState, showBrowserNotification } from '@/lib/browserNotifications'
import { latestNotification } from '../api/notifications'
import { useReadNotification } from '../api/read'

/**
 * Has the browser show what is new while nobody looks at the page, if the person wants that and the browser may.
 * Messages are shown by their own feature.
 */
export function useBrowserNews(wanted: boolean): (news: UserEvent<'notification.created'>) => void {
  const navigate = useNavigate()
  const read = useReadNotification()
  return ({ notificationId, kind }) => {
    if (!wanted || kind === 'message' || !document.hidden || browserNotificationState() !== 'granted') return
    // An event says that there is something, not what: whoever cannot ask shows nothing.
    latestNotification(notificationId).then(
      (found) => {
        if (!found || found.isRead) return
        showBrowserNotification({
          title: withoutBidiControls(found.title),
          body: withoutBidiControls(found.message),
          tag: found.id,
          onClick: () => {
            read.mutate(found.id)
            navigate(found.href)
          },
        })
      },
      () => undefined,
    )
  }
}
