import { useEffect, useState } from 'react'
import {
  type BrowserNotificationState,
  browserNotificationState,
  requestBrowserNotifications,
} from '@/lib/browser'

/** Whether this browser may show notifications, as it changes there too, and how to have it ask the person. */
export function useBrowserNotifications(): { state: BrowserNotificationState; ask: () => void } {
  const [state, setState] = useState(browserNotificationState)
  useEffect(() => {
    const look = () => setState(browserNotificationState())
    let status: PermissionStatus | undefined
    let left = false
    // Not every browser tells of a change; those are looked at when somebody comes back from its settings.
    navigator.permissions?.query({ name: 'notifications' }).then(
      (found) => {
        if (left) return
        status = found
        found.addEventListener('change', look)
      },
      () => undefined,
    )
    window.addEventListener('focus', look)
    return () => {
      left = true
      status?.removeEventListener('change', look)
      window.removeEventListener('focus', look)
    }
  }, [])
  return { state, ask: () => void requestBrowserNotifications().then(setState) }
}
