import { intervals } from '@contract/intervals.ts'
import { create } from 'zustand'
import { reachability } from '@/lib/api'
import { isPageExiting } from '@/lib/leave-guard'
import { hasStoredSession, refetchCurrentUser } from '@/session/session'

/** How the page receives updates: `live` by broadcast, `polling` every 30 seconds, `offline` not at all. */
type ConnectionState = 'connecting' | 'live' | 'polling' | 'offline'

interface Connection {
  state: ConnectionState
  /** Whether the user's own channel is joined, so that polling is not necessary. */
  joined: boolean
}

/** The page's connection. Only this file changes it. */
export const useConnection = create<Connection>(() => ({ state: 'connecting', joined: false }))

/** Returns the state for the shell's banner, which shows nothing while the state is `connecting` or `live`. */
export function useConnectionState(): ConnectionState {
  return useConnection((connection) => connection.state)
}

/**
 * Returns whether the page may fetch counts that events update. The page first waits until the user's channel is joined
 * or the join has timed out, because counts that were fetched before the join would have to be fetched again.
 */
export function useIsConnectionSettled(): boolean {
  return useConnection(({ state }) => state !== 'connecting')
}

/** Returns the interval at which an open page polls, or false if the user's own channel is joined. */
export function useContentPollInterval(): number | false {
  return useConnection(({ joined }) => (joined ? false : intervals.pollMs))
}

/** Milliseconds that a channel may take to join before the state changes from `connecting` to `polling`. */
const joinTimeoutMs = 4000

let joinTimer: ReturnType<typeof setTimeout> | undefined
let joinTimedOut = false

function update(joined: boolean): void {
  const { reachable } = reachability.getState()
  const state = !reachable ? 'offline' : joined ? 'live' : joinTimedOut ? 'polling' : 'connecting'
  const before = useConnection.getState()
  if (before.state !== state || before.joined !== joined) useConnection.setState({ state, joined })
}

/** Records whether the user's own channel is joined. */
export function setChannelJoined(joined: boolean): void {
  if (joined) resetJoinTimer()
  else startConnecting()
  update(joined)
}

/** Starts the timeout for joining the user's own channel. */
export function startConnecting(): void {
  joinTimer ??= setTimeout(() => {
    joinTimedOut = true
    update(useConnection.getState().joined)
  }, joinTimeoutMs)
}

/** Resets the connection after the last component has left the user's own channel. */
export function resetConnection(): void {
  resetJoinTimer()
  update(false)
}

function resetJoinTimer(): void {
  clearTimeout(joinTimer)
  joinTimer = undefined
  joinTimedOut = false
}

// The server closes the channel of a session that was ended elsewhere. Refetching the user distinguishes that from a
// lost connection.
useConnection.subscribe((now, before) => {
  if (before.joined && !now.joined && !isPageExiting() && hasStoredSession()) void refetchCurrentUser()
})

reachability.subscribe(() => update(useConnection.getState().joined))

const clockCheckIntervalMs = 5000
/**
 * If more time than this has passed since the previous check, the machine was asleep. The value is higher for hidden
 * pages, because the browser throttles their timers.
 */
const sleepThresholdMs = { visible: 30_000, hidden: 90_000 }

let isWatching = false

/**
 * Calls `onWake` whenever the page's data may be outdated. `connectionLost` is true if the machine was asleep, the page
 * was frozen or the network has changed, because the socket may then be dead although no event has reported it. Only
 * the first call of `onWakeUp` has an effect.
 */
export function onWakeUp(onWake: (connectionLost: boolean) => void): void {
  if (isWatching) return
  isWatching = true

  let checkedAt = Date.now()
  let wasHidden = document.visibilityState === 'hidden'
  const wasAsleep = () => {
    const now = Date.now()
    const elapsedMs = now - checkedAt
    checkedAt = now
    const thresholdMs = wasHidden ? sleepThresholdMs.hidden : sleepThresholdMs.visible
    wasHidden = document.visibilityState === 'hidden'
    return elapsedMs > thresholdMs
  }
  setInterval(() => {
    if (wasAsleep()) onWake(true)
  }, clockCheckIntervalMs)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') onWake(wasAsleep())
  })
  // The page was frozen, or was restored from the back/forward cache.
  document.addEventListener('resume', () => onWake(true))
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) onWake(true)
  })
  window.addEventListener('online', () => onWake(true))
  // A successful request shows that the server is back. The socket's own attempts to reconnect have backed off by then.
  reachability.subscribe((now, before) => {
    if (now.reachable && !before.reachable) onWake(false)
  })
}
