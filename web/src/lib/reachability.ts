import { createStore } from 'zustand/vanilla'

/**
 * Whether the server responds. Does not use `navigator.onLine`, which is false on an offline machine that runs the
 * server itself, and true while the server is down.
 */
export const reachability = createStore<{ reachable: boolean }>(() => ({ reachable: true }))

/** Milliseconds before a failure counts. Requests also fail while the browser leaves the page. */
const failureDelayMs = 800
let failureTimer: ReturnType<typeof setTimeout> | undefined

/** Records whether a request or the realtime socket reached the server. */
export function reportReachability(reachable: boolean): void {
  if (!reachable) {
    failureTimer ??= setTimeout(() => {
      failureTimer = undefined
      reachability.setState({ reachable: false })
    }, failureDelayMs)
    return
  }
  clearTimeout(failureTimer)
  failureTimer = undefined
  if (!reachability.getState().reachable) reachability.setState({ reachable: true })
}
