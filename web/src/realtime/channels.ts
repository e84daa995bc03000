import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js'
import { reportReachability } from '@/lib/reachability'
import { onSessionChange } from '@/session/session'
import { getSupabase } from '@/session/supabase-client'
import { onWakeUp } from './wake-ups'

/**
 * Who listens on a topic. Every function is called outside React; `onStatus` also right after joining the topic's
 * listeners, with the state as it is.
 */
export interface ChannelListener {
  onEvent?: (event: string, payload: unknown) => void
  /** `true` each time the channel has (re)joined: what was missed meanwhile must be fetched. */
  onStatus?: (joined: boolean) => void
  /** The keys present on the topic. */
  onPresence?: (keys: string[]) => void
}

/** A hold on a topic; the channel lives until the last one is released. */
export interface ChannelHandle {
  /** Broadcasts to the others on the topic; dropped while the channel is not joined. */
  send: (event: string, payload: Record<string, unknown>) => void
  release: () => void
}

/** Under which key a page is present, and whether it lets the others know. */
interface Presence {
  key: string
  shown: boolean
}

interface Entry {
  topic: string
  /** Set where the page hears who is present on the topic; `shown` where it also says that it is. */
  presence: Presence | undefined
  listeners: Set<ChannelListener>
  channel: RealtimeChannel | null
  joined: boolean
  /** Grows with every (re)build: whatever an older channel still says is ignored. */
  generation: number
  failures: number
  rebuildTimer: ReturnType<typeof setTimeout> | undefined
  removeTimer: ReturnType<typeof setTimeout> | undefined
}

/** Milliseconds a channel outlives its last listener: long enough for a remount, as StrictMode does at once. */
const removeDelay = 1000
/** Milliseconds that the client's own attempts to join again have, before the channel is built anew. */
const ownAttempts = 40_000
const backoff = [1000, 2000, 5000, 10_000, 30_000]

const entries = new Map<string, Entry>()

/** Joins a private topic, or shares the channel that is already on it. */
export function joinChannel(topic: string, listener: ChannelListener, presence?: Presence): ChannelHandle {
  onWakeUp(wakeSoon)
  let entry = entries.get(topic)
  if (!entry) {
    entry = {
      topic,
      presence,
      listeners: new Set(),
      channel: null,
      joined: false,
      generation: 0,
      failures: 0,
      rebuildTimer: undefined,
      removeTimer: undefined,
    }
    entries.set(topic, entry)
    void build(entry)
  } else if (presence && entry.presence?.shown !== presence.shown) {
    // Its person changed their mind, on the Settings screen or another page.
    entry.presence = presence
    if (entry.joined) sayPresence(entry)
  }
  clearTimeout(entry.removeTimer)
  entry.listeners.add(listener)
  listener.onStatus?.(entry.joined)
  if (entry.channel) listener.onPresence?.(presentKeys(entry.channel))

  const held = entry
  return {
    send: (event, payload) => {
      if (held.joined) void held.channel?.send({ type: 'broadcast', event, payload })
    },
    release: () => {
      held.listeners.delete(listener)
      if (held.listeners.size > 0) return
      clearTimeout(held.removeTimer)
      held.removeTimer = setTimeout(() => void close(held), removeDelay)
    },
  }
}

/** Leaves every topic at once; part of signing in and out. */
export async function leaveAllChannels(): Promise<void> {
  await Promise.all([...entries.values()].map(close))
}

onSessionChange(leaveAllChannels)

async function close(entry: Entry): Promise<void> {
  clearTimeout(entry.removeTimer)
  stopTimer(entry)
  if (entries.get(entry.topic) === entry) entries.delete(entry.topic)
  setStatus(entry, false)
  await discard(entry)
}

/** Takes the entry's channel out of the client, so that the topic can be opened afresh. */
async function discard(entry: Entry): Promise<void> {
  entry.generation += 1
  const channel = entry.channel
  entry.channel = null
  if (channel) await (await getSupabase()).removeChannel(channel)
}

async function build(entry: Entry): Promise<void> {
  stopTimer(entry)
  entry.generation += 1
  const generation = entry.generation
  const current = () => entry.generation === generation && entries.get(entry.topic) === entry
  try {
    const supabase = await getSupabase()
    const { data } = await supabase.auth.getSession()
    if (!current()) return
    if (!data.session) {
      rebuildLater(entry)
      return
    }
    // Without this the join would carry no token; with an argument it would later be overwritten.
    await supabase.realtime.setAuth()
    if (current()) join(supabase, entry, current)
  } catch {
    if (current()) rebuildLater(entry)
  }
}

function join(supabase: SupabaseClient, entry: Entry, current: () => boolean): void {
  const presence = { key: entry.presence?.key ?? '', enabled: entry.presence !== undefined }
  const channel = supabase.channel(entry.topic, {
    config: { private: true, broadcast: { self: false, ack: false }, presence },
  })
  entry.channel = channel
  channel.on('broadcast', { event: '*' }, (message) => {
    if (!current()) return
    for (const listener of [...entry.listeners]) listener.onEvent?.(message.event, message.payload)
  })
  if (entry.presence) {
    channel.on('presence', { event: 'sync' }, () => {
      if (!current()) return
      for (const listener of [...entry.listeners]) listener.onPresence?.(presentKeys(channel))
    })
  }
  channel.subscribe((status) => {
    if (!current()) return
    if (status === 'SUBSCRIBED') {
      entry.failures = 0
      stopTimer(entry)
      reportReachability(true)
      if (entry.presence?.shown) sayPresence(entry)
      setStatus(entry, true)
      return
    }
    setStatus(entry, false)
    // After CLOSED (a token that ran out, a session that was ended) the client never joins again. After CHANNEL_ERROR
    // and TIMED_OUT it does by itself, and a second attempt at once would fight it; but where it has given its socket
    // up, it waits for ever.
    if (status === 'CLOSED') rebuildLater(entry)
    else entry.rebuildTimer ??= setTimeout(() => void rebuild(entry), ownAttempts)
  })
}

function sayPresence({ channel, presence }: Entry): void {
  if (presence?.shown) void channel?.track({ at: new Date().toISOString() })
  else void channel?.untrack()
}

function rebuildLater(entry: Entry): void {
  stopTimer(entry)
  const wait = backoff[Math.min(entry.failures, backoff.length - 1)] ?? 30_000
  entry.failures += 1
  entry.rebuildTimer = setTimeout(() => void rebuild(entry), wait)
}

async function rebuild(entry: Entry): Promise<void> {
  await discard(entry).catch(() => undefined)
  if (entries.get(entry.topic) === entry) await build(entry)
}

function stopTimer(entry: Entry): void {
  clearTimeout(entry.rebuildTimer)
  entry.rebuildTimer = undefined
}

function setStatus(entry: Entry, joined: boolean): void {
  if (!joined && !entry.joined) return
  entry.joined = joined
  for (const listener of [...entry.listeners]) {
    if (!joined) listener.onPresence?.([])
    listener.onStatus?.(joined)
  }
}

function presentKeys(channel: RealtimeChannel): string[] {
  return Object.keys(channel.presenceState())
}

let waking = false
let wakeWithoutSocket = false

/** What wakes a page comes in several events at once: they are one. */
function wakeSoon(connectionLost: boolean): void {
  wakeWithoutSocket ||= connectionLost
  if (waking) return
  waking = true
  setTimeout(() => {
    const lost = wakeWithoutSocket
    waking = false
    wakeWithoutSocket = false
    void wake(lost)
  }, 50)
}

/**
 * A page that slept may hold a dead socket and an old token: take the session (which renews it), hand it to the
 * socket, rebuild what is not joined, and let listeners fetch what they missed.
 */
async function wake(connectionLost: boolean): Promise<void> {
  if (entries.size === 0) return
  // The old socket would only notice after a minute. The client may drop it without a word to its channels, and the
  // next socket's server knows none of them: each has to join anew.
  if (connectionLost) for (const entry of entries.values()) setStatus(entry, false)
  let lost = connectionLost
  try {
    const supabase = await getSupabase()
    // One that waits for its next attempt to connect makes it now.
    lost ||= !supabase.realtime.isConnected()
    if (lost) await supabase.realtime.disconnect()
    await supabase.auth.getSession()
    await supabase.realtime.setAuth()
  } catch {
    // Offline still: the rebuilds below keep trying.
  }
  for (const entry of [...entries.values()]) {
    if (entry.joined && !lost) setStatus(entry, true)
    else if (lost || entry.channel?.state !== 'joining') {
      entry.failures = 0
      void rebuild(entry)
    }
  }
}
