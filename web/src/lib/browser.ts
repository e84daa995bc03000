import { useSyncExternalStore } from 'react'
import { withoutBidiControls } from './text'

/** Whether this site may show browser notifications. `ask` means that the user has not decided yet. */
export type BrowserNotificationState = 'granted' | 'denied' | 'ask' | 'unsupported'

/**
 * Returns whether this site may show notifications. Browsers support them only on pages loaded over HTTPS or from
 * localhost.
 */
export function browserNotificationState(): BrowserNotificationState {
  if (typeof Notification === 'undefined' || !window.isSecureContext) return 'unsupported'
  return Notification.permission === 'default' ? 'ask' : Notification.permission
}

/** Asks the user for permission and returns their decision. Browsers allow this only in a click handler. */
export async function requestBrowserNotifications(): Promise<BrowserNotificationState> {
  if (browserNotificationState() !== 'ask') return browserNotificationState()
  await Notification.requestPermission()
  return browserNotificationState()
}

/**
 * Shows a notification, which replaces an earlier one with the same `tag`. Does nothing without permission. A click
 * focuses the page and runs `onClick`.
 */
export function showBrowserNotification(options: {
  title: string
  body: string
  tag: string
  onClick: () => void
}): void {
  if (browserNotificationState() !== 'granted') return
  try {
    const notification = new Notification(withoutBidiControls(options.title), {
      body: withoutBidiControls(options.body),
      tag: options.tag,
      icon: '/icon-512.png',
    })
    notification.onclick = () => {
      window.focus()
      notification.close()
      options.onClick()
    }
  } catch {
    // Browsers on phones throw here: they allow notifications only from a service worker.
  }
}

/** Milliseconds after which the browser has certainly read a blob that it saves as a file. */
const blobUrlLifetimeMs = 60_000

/** Makes the browser download a blob as a file. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), blobUrlLifetimeMs)
}

/** Returns whether the page is visible, as the Page Visibility API defines it. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible')
}

/**
 * Returns whether the browser has a network connection. With one, the server may still be unreachable. Without one, a
 * server on the same machine is still reachable.
 */
export function useBrowserOnline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
}

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

const findPrerenderedPage = () => document.getElementById('prerendered')

/** Returns whether the prerendered landing page is shown, in which the visitor may already have scrolled. */
export const isPrerenderedPageShown = (): boolean => findPrerenderedPage() !== null

/** Removes the prerendered landing page, which `boot.js` shows until the app has rendered. */
export function removePrerenderedPage(): void {
  findPrerenderedPage()?.remove()
}
