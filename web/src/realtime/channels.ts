import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js'
import { reportReachability } from '@/lib/api'
import { channelRetryDelaysMs, retryDelay } from '@/lib/retry'
import { onSessionChange } from '@/session/session'
import { getSupabase } from '@/session/supabase-client'
import { onWakeUp } from './connection'

/**
 * The callbacks of one subscriber to a topic. They are called outside of React. `joinChannel` also calls `onStatus`
 * immediately with the current status.
 */
export interface ChannelListener {
  onEvent?: (event: string, payload: unknown) => void
  /** Called with `true` after each (re)join: refetch the data that may have changed in the meantime. */
  onStatus?: (joined: boolean) => void
  /** Called with the keys that are present on the topic. */
  onPresence?: (keys: string[]) => void
}

/** One subscription to a topic. The topic's channel stays open until the last subscription is released. */
export interface ChannelHandle {
  /** Broadcasts an event to the other clients on the topic. Drops the event if the channel is not joined. */
  send: (event: string, payload: Record<string, unknown>) => void
  release: () => void
}

/** The presence of this page on a topic. */
interface Presence {
  key: string
  /** Whether the other clients see the presence. */
  visible: boolean
}

interface Topic {
  name: string
  /** Undefined for topics without presence. */
  presence: Presence | undefined
  listeners: Set<ChannelListener>
  channel: RealtimeChannel | null
  joined: boolean
  /** Increases with each new channel, so that events of older channels are ignored. */
  generation: number
  failures: number
  rebuildTimer: ReturnType<typeof setTimeout> | undefined
  removeTimer: ReturnType<typeof setTimeout> | undefined
}

/** Milliseconds that a channel stays open after its last listener has left: enough for a remount, as in StrictMode. */
const removeDelayMs = 1000
/** Milliseconds that the Supabase client may take to rejoin by itself before the channel is replaced. */
const clientRejoinTimeoutMs = 40_000

const topics = new Map<string, Topic>()

/** Subscribes to a private topic. All subscriptions to the same topic share one channel. */
export function joinChannel(name: string, listener: ChannelListener, presence?: Presence): ChannelHandle {
  onWakeUp(scheduleWakeUp)
  const topic = topics.get(name) ?? addTopic(name, presence)
  if (presence && topic.presence?.visible !== presence.visible) {
    // The user has changed the setting for their online status, on the Settings screen or in another tab.
    topic.presence = presence
    if (topic.joined) updatePresence(topic)
  }
  clearTimeout(topic.removeTimer)
  topic.listeners.add(listener)
  listener.onStatus?.(topic.joined)
  if (topic.channel) listener.onPresence?.(presentKeys(topic.channel))

  return {
    send: (event, payload) => {
      if (topic.joined) void topic.channel?.send({ type: 'broadcast', event, payload })
    },
    release: () => {
      topic.listeners.delete(listener)
      if (topic.listeners.size > 0) return
      clearTimeout(topic.removeTimer)
      topic.removeTimer = setTimeout(() => void close(topic), removeDelayMs)
    },
  }
}

function addTopic(name: string, presence: Presence | undefined): Topic {
  const topic: Topic = {
    name,
    presence,
    listeners: new Set(),
    channel: null,
    joined: false,
    generation: 0,
    failures: 0,
    rebuildTimer: undefined,
    removeTimer: undefined,
  }
  topics.set(name, topic)
  void build(topic)
  return topic
}

/** Leaves all topics. Called when the user signs in or out. */
export async function leaveAllChannels(): Promise<void> {
  await Promise.all([...topics.values()].map(close))
}

onSessionChange(leaveAllChannels)

async function close(topic: Topic): Promise<void> {
  clearTimeout(topic.removeTimer)
  stopTimer(topic)
  if (topics.get(topic.name) === topic) topics.delete(topic.name)
  setStatus(topic, false)
  await discard(topic)
}

/** Removes the topic's channel from the client, so that a new one can be opened. */
async function discard(topic: Topic): Promise<void> {
  topic.generation += 1
  const channel = topic.channel
  topic.channel = null
  if (channel) await (await getSupabase()).removeChannel(channel)
}

async function build(topic: Topic): Promise<void> {
  stopTimer(topic)
  topic.generation += 1
  const generation = topic.generation
  const isCurrent = () => topic.generation === generation && topics.get(topic.name) === topic
  try {
    const supabase = await getSupabase()
    const { data } = await supabase.auth.getSession()
    if (!isCurrent()) return
    if (!data.session) {
      rebuildLater(topic)
      return
    }
    // Without this call, the join would have no token. The client would later overwrite a token passed as an argument.
    await supabase.realtime.setAuth()
    if (isCurrent()) join(supabase, topic, isCurrent)
  } catch {
    if (isCurrent()) rebuildLater(topic)
  }
}

function join(supabase: SupabaseClient, topic: Topic, isCurrent: () => boolean): void {
  const presence = { key: topic.presence?.key ?? '', enabled: topic.presence !== undefined }
  const channel = supabase.channel(topic.name, {
    config: { private: true, broadcast: { self: false, ack: false }, presence },
  })
  topic.channel = channel
  channel.on('broadcast', { event: '*' }, (message) => {
    if (!isCurrent()) return
    for (const listener of [...topic.listeners]) listener.onEvent?.(message.event, message.payload)
  })
  if (topic.presence) {
    channel.on('presence', { event: 'sync' }, () => {
      if (!isCurrent()) return
      for (const listener of [...topic.listeners]) listener.onPresence?.(presentKeys(channel))
    })
  }
  channel.subscribe((status) => {
    if (!isCurrent()) return
    if (status === 'SUBSCRIBED') {
      topic.failures = 0
      stopTimer(topic)
      reportReachability(true)
      if (topic.presence?.visible) updatePresence(topic)
      setStatus(topic, true)
      return
    }
    setStatus(topic, false)
    // After CLOSED (token expired, session ended), the client never rejoins. After CHANNEL_ERROR and TIMED_OUT, it
    // rejoins by itself, and a second attempt at the same time would conflict with that. However, a client that has
    // given up on its socket waits forever, so the channel is replaced after a timeout.
    if (status === 'CLOSED') rebuildLater(topic)
    else topic.rebuildTimer ??= setTimeout(() => void rebuild(topic), clientRejoinTimeoutMs)
  })
}

function updatePresence({ channel, presence }: Topic): void {
  if (presence?.visible) void channel?.track({ at: new Date().toISOString() })
  else void channel?.untrack()
}

function rebuildLater(topic: Topic): void {
  stopTimer(topic)
  const delayMs = retryDelay(channelRetryDelaysMs, topic.failures)
  topic.failures += 1
  topic.rebuildTimer = setTimeout(() => void rebuild(topic), delayMs)
}

async function rebuild(topic: Topic): Promise<void> {
  await discard(topic).catch(() => undefined)
  if (topics.get(topic.name) === topic) await build(topic)
}

function stopTimer(topic: Topic): void {
  clearTimeout(topic.rebuildTimer)
  topic.rebuildTimer = undefined
}

function setStatus(topic: Topic, joined: boolean): void {
  if (!joined && !topic.joined) return
  topic.joined = joined
  for (const listener of [...topic.listeners]) {
    if (!joined) listener.onPresence?.([])
    listener.onStatus?.(joined)
  }
}

function presentKeys(channel: RealtimeChannel): string[] {
  return Object.keys(channel.presenceState())
}

const wakeUpDelayMs = 50
let isWakeUpScheduled = false
let scheduledConnectionLost = false

/** Handles the events of one wake-up together: the browser often fires several. */
function scheduleWakeUp(connectionLost: boolean): void {
  scheduledConnectionLost ||= connectionLost
  if (isWakeUpScheduled) return
  isWakeUpScheduled = true
  setTimeout(() => {
    const wasConnectionLost = scheduledConnectionLost
    isWakeUpScheduled = false
    scheduledConnectionLost = false
    void wakeUp(wasConnectionLost)
  }, wakeUpDelayMs)
}

/**
 * Restores the channels after a wake-up, when the socket may be dead and the token expired. Renews the session, passes
 * its token to the socket, rejoins topics that are not joined, and lets listeners refetch what they missed.
 */
async function wakeUp(connectionLost: boolean): Promise<void> {
  if (topics.size === 0) return
  // The old socket would notice the lost connection only after a minute. The client may replace it without an event on
  // its channels. Each channel must then rejoin, because the server does not know it on the new socket.
  if (connectionLost) for (const topic of topics.values()) setStatus(topic, false)
  let socketLost = connectionLost
  try {
    const supabase = await getSupabase()
    // If the client is waiting to reconnect, disconnecting makes the next join connect immediately.
    socketLost ||= !supabase.realtime.isConnected()
    if (socketLost) await supabase.realtime.disconnect()
    await supabase.auth.getSession()
    await supabase.realtime.setAuth()
  } catch {
    // Still offline. The rebuilds below keep retrying.
  }
  for (const topic of [...topics.values()]) {
    if (topic.joined && !socketLost) setStatus(topic, true)
    else if (socketLost || topic.channel?.state !== 'joining') {
      topic.failures = 0
      void rebuild(topic)
    }
  }
}
