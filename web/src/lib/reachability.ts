import { createStore } from 'zustand/vanilla'

/**
 * Whether the server answers. `navigator.onLine` is not asked: it is false on a machine without a network that
 * serves itself, and true on one whose server is down.
 */
export const reachability = createStore<{ reachable: boolean }>(() => ({ reachable: true }))

/** Told by every call, and by the realtime socket, how it went. */
export function reportReachable(reachable: boolean): void {
  if (reachability.getState().reachable !== reachable) reachability.setState({ reachable })
}
