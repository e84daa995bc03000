import { withoutBidiControls } from './bidi'

/** May this site show notifications of the browser? `ask` until somebody has chosen. */
export type BrowserNotificationState = 'granted' | 'denied' | 'ask' | 'unsupported'

/** Only pages served over https or from this machine can show any. */
export function browserNotificationState(): BrowserNotificationState {
  if (typeof Notification === 'undefined' || !window.isSecureContext) return 'unsupported'
  return Notification.permission === 'default' ? 'ask' : Notification.permission
}

/** Lets the browser ask the person, and answers what they chose. Call it on their click: browsers refuse it else. */
export async function requestBrowserNotifications(): Promise<BrowserNotificationState> {
  if (browserNotificationState() !== 'ask') return browserNotificationState()
  await Notification.requestPermission()
  return browserNotificationState()
}

/**
 * Shows a notification; one with the same `tag` takes its place. Does nothing without permission. A click brings the
 * page to the front and runs `onClick`.
 */
export function showBrowserNotification(order: {
  title: string
  body: string
  tag: string
  onClick: () => void
}): void {
  if (browserNotificationState() !== 'granted') return
  try {
    const shown = new Notification(withoutBidiControls(order.title), {
      body: withoutBidiControls(order.body),
      tag: order.tag,
      icon: '/icon-512.png',
    })
    shown.onclick = () => {
      window.focus()
      shown.close()
      order.onClick()
    }
  } catch {
    // Browsers on phones show none that a page itself makes.
  }
}
