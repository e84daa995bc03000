import { create } from 'zustand'
import { isPageExiting } from '@/lib/page-exit'
import { reachability } from '@/lib/reachability'
import { hasStoredSession, refetchCurrentUser } from '@/session/session'

/** How news reaches the page: pushed, not yet known, asked for every 30 seconds, or not at all. */
export type ConnectionState = 'connecting' | 'live' | 'polling' | 'offline'

/** Milliseconds a joining channel may take before the page says that it polls. */
const patience = 4000

interface Connection {
  state: ConnectionState
  /** The person's own channel is joined: nothing need be polled. */
  joined: boolean
}

/** The connection of this page. Change it only through `setJoined`. */
export const useConnection = create<Connection>(() => ({ state: 'connecting', joined: false }))

let timer: ReturnType<typeof setTimeout> | undefined
let patient = true

function update(joined: boolean): void {
  const { reachable } = reachability.getState()
  const state = !reachable ? 'offline' : joined ? 'live' : patient ? 'connecting' : 'polling'
  const before = useConnection.getState()
  if (before.state !== state || before.joined !== joined) useConnection.setState({ state, joined })
}

/** Told by the channel manager: `true` when the person's own channel has joined, `false` when it is down. */
export function setChannelJoined(joined: boolean): void {
  if (joined) {
    clearTimeout(timer)
    timer = undefined
    patient = true
  } else {
    startConnecting()
  }
  update(joined)
}

/** The page begins, or begins again, to want live news. */
export function startConnecting(): void {
  timer ??= setTimeout(() => {
    patient = false
    update(useConnection.getState().joined)
  }, patience)
}

/** Nobody wants live news any more. */
export function resetConnection(): void {
  clearTimeout(timer)
  timer = undefined
  patient = true
  update(false)
}

// The server closes the channel of a session that was ended elsewhere. Refetching the user tells that from a lost
// connection.
useConnection.subscribe((now, before) => {
  if (before.joined && !now.joined && !isPageExiting() && hasStoredSession()) void refetchCurrentUser()
})

reachability.subscribe(() => update(useConnection.getState().joined))

/** For the shell's notice; `connecting` and `live` need none. */
export function useConnectionState(): ConnectionState {
  return useConnection((connection) => connection.state)
}
