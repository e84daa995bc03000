/** Handles a client's messages on a joined channel: broadcast, presence and a new token. */
import type { Channel } from './channel.ts'
import { maxBroadcastBytes } from './limits.ts'
import {
  type Broadcast,
  CANNOT_PERSIST,
  type Incoming,
  isBroadcastLargerThan,
  isTextLargerThan,
} from './protocol.ts'
import { isObject, type JsonObject } from './types.ts'

const CONVERSATION_TOPIC_PREFIX = 'conversation:'
const MAX_PRESENCE_KEY_BYTES = 255

/** Handles the messages of one channel, one at a time, while the channel is joined. */
export class ChannelMessages {
  /** Whether this client receives presence: true if it requested presence in its join, or has sent `track`. */
  presenceEnabled: boolean
  /** The client's presence key, and its payload as JSON; null while the client is not present. */
  private tracked: { key: string; json: string } | null = null
  private presenceCalls = 0
  private presenceWindowEnds = 0

  constructor(private readonly channel: Channel) {
    this.presenceEnabled = channel.request.presenceEnabled
  }

  /** Handles a message. Returns a promise if handling it involves waiting, for example for a database query. */
  handle(message: Incoming): void | Promise<void> {
    if (message.event === 'access_token') return this.refreshToken(message)
    if (!this.channel.socket.allowEvent()) return this.channel.shutdown('Too many messages per second')
    if (message.event === 'broadcast') return this.broadcast(message)
    if (message.event === 'presence') return this.presence(message)
    // Like Supabase, the server does not reply to other events.
  }

  /** Sends the presence state to the client, if it receives presence and may read it. */
  sendPresenceState(): void {
    const { permissions, topic } = this.channel
    if (this.presenceEnabled && permissions.canRead('presence')) {
      this.channel.push('presence_state', topic.presence.state())
    }
  }

  /** Ends the client's presence if the client has lost permission to write it, or if its presence key has changed. */
  async recheckPresence(): Promise<void> {
    if (this.tracked === null) return
    if (this.tracked.key === this.presenceKey && (await this.channel.permissions.canWrite('presence'))) return
    this.untrack()
  }

  /** Ends the client's presence, if the client is present. */
  untrack(): void {
    if (this.tracked === null) return
    this.channel.topic.presence.untrack(this.channel, this.tracked.key)
    this.tracked = null
  }

  /**
   * The key under which the client is present. In a conversation, users are present under their own id, regardless of
   * the key that they request, so that nobody can impersonate another user. On other topics, the app shows no presence;
   * clients choose the key there, as in Supabase.
   */
  private get presenceKey(): string {
    const { permissions, request, topic } = this.channel
    const userId = topic.name.startsWith(CONVERSATION_TOPIC_PREFIX) ? permissions.identity.userId : null
    return userId ?? request.presenceKey
  }

  /** Relays a broadcast. A forbidden broadcast gets no reply. */
  private broadcast(message: Incoming): void | Promise<void> {
    const broadcast = toBroadcast(message)
    if (!broadcast) {
      return this.channel.reply(message.ref, 'error', { reason: 'Broadcast payload must be a map' })
    }
    // Without a reply, the client would assume that the broadcast is stored and can be replayed.
    if (message.persist) return this.channel.reply(message.ref, 'error', { error: CANNOT_PERSIST })
    const { permissions, services } = this.channel
    if (isBroadcastLargerThan(broadcast, maxBroadcastBytes(permissions.identity, services.limits))) {
      if (this.channel.request.ack) {
        this.channel.reply(message.ref, 'error', { reason: 'payload_size_exceeded' })
      }
      return
    }
    const allowed = permissions.canWrite('broadcast')
    if (allowed === true) return this.relay(message, broadcast)
    if (allowed === false) return
    return allowed.then((isAllowed) => {
      if (isAllowed && !this.channel.isClosed) this.relay(message, broadcast)
    })
  }

  private relay(message: Incoming, broadcast: Broadcast): void {
    const { self, ack } = this.channel.request
    this.channel.topic.relay(broadcast, self ? undefined : this.channel)
    if (ack) this.channel.reply(message.ref, 'ok', {})
  }

  private presence({ ref, payload }: Incoming): void | Promise<void> {
    if (!this.allowPresenceCall()) return this.channel.shutdown('Client presence rate limit exceeded')
    const event = isObject(payload) && typeof payload.event === 'string' ? payload.event.toLowerCase() : null
    if (event === 'untrack') {
      this.untrack()
      return this.channel.reply(ref, 'ok', {})
    }
    if (event !== 'track' || !isObject(payload)) {
      return this.channel.reply(ref, 'error', { reason: 'Unknown presence event' })
    }
    const meta = payload.payload ?? {}
    if (!isObject(meta)) {
      return this.channel.reply(ref, 'error', { reason: 'Presence track payload must be a map' })
    }
    const allowed = this.channel.permissions.canWrite('presence')
    if (allowed === true && this.channel.permissions.includesPresence()) return this.track(ref, meta)
    return this.trackWhenAllowed(ref, meta)
  }

  /** Checks the client's permissions for presence, then tracks the client or replies with an error. */
  private async trackWhenAllowed(ref: string | null, meta: JsonObject): Promise<void> {
    const { permissions } = this.channel
    const allowed = await permissions.canWrite('presence')
    if (!permissions.includesPresence()) {
      permissions.includePresence()
      await permissions.evaluate()
    }
    if (this.channel.isClosed) return
    if (allowed) this.track(ref, meta)
    else this.channel.reply(ref, 'error', {})
  }

  private track(ref: string | null, meta: JsonObject): void {
    const { services, topic } = this.channel
    const key = this.presenceKey
    const json = JSON.stringify(meta)
    const { payloadBytes, presenceBytes, presencesPerKey } = services.limits
    if (json.length > payloadBytes) {
      this.channel.shutdown('Track message size exceeded')
      return
    }
    // Everyone who joins receives all presence payloads, so they must be small.
    if (isTextLargerThan(json, presenceBytes)) {
      const reason = `payload_size_exceeded: a presence can have at most ${presenceBytes} bytes`
      this.channel.reply(ref, 'error', { reason })
      return
    }
    if (isTextLargerThan(key, MAX_PRESENCE_KEY_BYTES)) {
      const reason = `payload_size_exceeded: a presence key can have at most ${MAX_PRESENCE_KEY_BYTES} bytes`
      this.channel.reply(ref, 'error', { reason })
      return
    }
    this.presenceEnabled = true
    if (json !== this.tracked?.json) topic.presence.track(this.channel, key, meta, presencesPerKey)
    this.tracked = { key, json }
    this.channel.reply(ref, 'ok', {})
  }

  private allowPresenceCall(): boolean {
    const { presenceCallsPerWindow, presenceWindowMs } = this.channel.services.limits
    const now = performance.now()
    if (now > this.presenceWindowEnds) {
      this.presenceCalls = 0
      this.presenceWindowEnds = now + presenceWindowMs
    }
    this.presenceCalls += 1
    return this.presenceCalls <= presenceCallsPerWindow
  }

  /**
   * Replaces the token. A valid token gets no reply. After an invalid one, the client gets the reason, and the channel
   * is closed. An API key is ignored, as in Supabase: the client library sends the key automatically after
   * `setAuth(token)`, and the key must not replace the current token.
   */
  private async refreshToken({ payload }: Incoming): Promise<void> {
    const token = isObject(payload) ? payload.access_token : null
    if (typeof token !== 'string' || token.startsWith('sb_')) return
    const result = await this.channel.services.authenticator.check(token)
    if (this.channel.isClosed) return
    if ('rejection' in result) return this.channel.shutdown(result.rejection.message)
    if (result.identity === this.channel.permissions.identity) return
    if (!this.channel.socket.allowJoin(result.identity))
      return this.channel.shutdown('Too many messages per second')
    await this.channel.changeIdentity(result.identity)
  }
}

function toBroadcast({ payload, binary }: Incoming): Broadcast | null {
  if (binary) return { kind: 'binary', ...binary }
  return isObject(payload) ? { kind: 'json', body: JSON.stringify(payload) } : null
}
