import { queryClient } from '@/lib/query-client'

/** Milliseconds between two checks of whether the page has loaded its data. */
const checkIntervalMs = 5000

let isStarted = false

/**
 * Registers the service worker, which serves the app from its cache when a page cannot be loaded. Waits until the
 * current page has loaded its data. Does nothing in development. See
 * docs/decisions/050-offline-and-service-worker.md.
 */
export function registerServiceWorker(): void {
  if (isStarted || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  isStarted = true
  const { serviceWorker } = navigator
  // A service worker that has just taken control has not seen this page's earlier requests, so it is sent their URLs.
  serviceWorker.addEventListener('controllerchange', () =>
    serviceWorker.controller?.postMessage(performance.getEntriesByType('resource').map(({ name }) => name)),
  )
  const timer = setInterval(() => {
    if (queryClient.isFetching() > 0) return
    clearInterval(timer)
    // Browsers reject the registration in private windows and without HTTPS. The app works without a service worker.
    serviceWorker.register('/sw.js').catch(() => undefined)
  }, checkIntervalMs)
}
