import { queryClient } from '@/lib/query-client'

/** Milliseconds between checks whether the page has its data. */
const checkIntervalMs = 5000

let isStarted = false

/**
 * Registers the service worker, which shows the app when a page cannot be loaded, once the current page has its data.
 * It is not part of development. See docs/decisions/050-offline-and-service-worker.md.
 */
export function registerServiceWorker(): void {
  if (isStarted || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  isStarted = true
  const { serviceWorker } = navigator
  // A service worker that has just been installed has not seen the requests of this page.
  serviceWorker.addEventListener('controllerchange', () =>
    serviceWorker.controller?.postMessage(performance.getEntriesByType('resource').map(({ name }) => name)),
  )
  const timer = setInterval(() => {
    if (queryClient.isFetching() > 0) return
    clearInterval(timer)
    // Browsers refuse it in private windows and without HTTPS. The app works without it.
    serviceWorker.register('/sw.js').catch(() => undefined)
  }, checkIntervalMs)
}
