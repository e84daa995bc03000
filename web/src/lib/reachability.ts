import { createStore } from 'zustand/vanilla'

/**
 * Whether the server answers. `navigator.onLine` is not asked: it is false on a machine without a network that
 * serves itself, and true on one whose server is down.
 */
export const reachability = createStore<{ reachable: boolean }>(() => ({ reachable: true }))

/** Milliseconds that a failure waits to be believed: calls also fail while the page is being left. */
const doubt = 800
let doubting: ReturnType<typeof setTimeout> | undefined

/** Told by every call, and by the realtime socket, how it went. */
export function reportReachability(reachable: boolean): void {
  if (!reachable) {
    doubting ??= setTimeout(() => {
      doubting = undefined
      reachability.setState({ reachable: false })
    }, doubt)
    return
  }
  clearTimeout(doubting)
  doubting = undefined
  if (!reachability.getState().reachable) reachability.setState({ reachable: true })
}
