/** What a client's messages do on a joined channel: broadcast, presence and a new token. */
import type { Channel } from './channel.ts'
import { broadcastBytes } from './limits.ts'
import { type Broadcast, type Incoming, isLarger, isLonger } from './protocol.ts'
import { isObject, type JsonObject } from './types.ts'

/** Handles the messages of one channel; only called while it is joined, one message at a time. */
export class ChannelMessages {
  /** Whether this client wants to know who is present; tracking itself means wanting to. */
  presenceEnabled: boolean
  /** What the client said of itself, and the key it is present under; null when it is not. */
  private tracked: { key: string; said: string } | null = null
  private presenceCalls = 0
  private presenceWindowEnds = 0

  constructor(private readonly channel: Channel) {
    this.presenceEnabled = channel.request.presenceEnabled
  }

  /** Does what the message says. A promise only when the database has to be asked. */
  handle(message: Incoming): void | Promise<void> {
    if (message.event === 'access_token') return this.refresh(message)
    if (!this.channel.link.takeEvent()) return this.channel.shutdown('Too many messages per second')
    if (message.event === 'broadcast') return this.broadcast(message)
    if (message.event === 'presence') return this.presence(message)
    // Anything else gets no answer, as upstream.
  }

  /** Sends who is present to a client that wants and may know. */
  sendPresenceState(): void {
    const { rights, topic } = this.channel
    if (this.presenceEnabled && rights.mayRead('presence')) {
      this.channel.push('presence_state', topic.presence.state())
    }
  }

  /** Takes the client's presence back when it may no longer write it, or is somebody else now. */
  async recheckPresence(): Promise<void> {
    if (this.tracked === null) return
    if (this.tracked.key === this.presenceKey && (await this.channel.rights.mayWrite('presence'))) return
    this.untrack()
  }

  /** Takes the client's presence back; nothing happens when it is not present. */
  untrack(): void {
    if (this.tracked === null) return
    this.channel.topic.presence.untrack(this.channel, this.tracked.key)
    this.tracked = null
  }

  /**
   * People are present under their own id, whatever key they asked for: nobody is shown as somebody else, or
   * fills a topic with keys. Only the operator's own programs choose.
   */
  private get presenceKey(): string {
    return this.channel.rights.identity.userId ?? this.channel.request.presenceKey
  }

  /** A refused broadcast gets no answer, so that nobody learns about a topic by trying. */
  private broadcast(message: Incoming): void | Promise<void> {
    const broadcast = toBroadcast(message)
    if (!broadcast) {
      return this.channel.answer(message.ref, 'error', { reason: 'Broadcast payload must be a map' })
    }
    const { rights, services } = this.channel
    if (isLarger(broadcast, broadcastBytes(rights.identity, services.limits))) {
      if (this.channel.request.ack) {
        this.channel.answer(message.ref, 'error', { reason: 'payload_size_exceeded' })
      }
      return
    }
    const allowed = this.channel.rights.mayWrite('broadcast')
    if (allowed === true) return this.relay(message, broadcast)
    if (allowed === false) return
    return allowed.then((yes) => {
      if (yes && !this.channel.isClosed) this.relay(message, broadcast)
    })
  }

  private relay(message: Incoming, broadcast: Broadcast): void {
    const { self, ack } = this.channel.request
    this.channel.topic.relay(broadcast, self ? undefined : this.channel)
    if (ack) this.channel.answer(message.ref, 'ok', {})
  }

  private presence({ ref, payload }: Incoming): void | Promise<void> {
    if (!this.takePresenceCall()) return this.channel.shutdown('Client presence rate limit exceeded')
    const event = isObject(payload) && typeof payload.event === 'string' ? payload.event.toLowerCase() : null
    if (event === 'untrack') {
      this.untrack()
      return this.channel.answer(ref, 'ok', {})
    }
    if (event !== 'track' || !isObject(payload)) {
      return this.channel.answer(ref, 'error', { reason: 'Unknown presence event' })
    }
    const meta = payload.payload ?? {}
    if (!isObject(meta)) {
      return this.channel.answer(ref, 'error', { reason: 'Presence track payload must be a map' })
    }
    const allowed = this.channel.rights.mayWrite('presence')
    if (allowed === true && this.channel.rights.knowsPresence()) return this.track(ref, meta)
    return this.trackWhenAllowed(ref, meta)
  }

  /** Tracking by a client that had not asked for presence: reading it is decided only now. */
  private async trackWhenAllowed(ref: string | null, meta: JsonObject): Promise<void> {
    const { rights } = this.channel
    const allowed = await rights.mayWrite('presence')
    if (!rights.knowsPresence()) {
      rights.includePresence()
      await rights.evaluate()
    }
    if (this.channel.isClosed) return
    if (allowed) this.track(ref, meta)
    else this.channel.answer(ref, 'error', {})
  }

  private track(ref: string | null, meta: JsonObject): void {
    const { services, topic } = this.channel
    const key = this.presenceKey
    const said = JSON.stringify(meta)
    const { payloadBytes, presenceBytes, presencesPerKey } = services.limits
    if (said.length > payloadBytes) {
      this.channel.shutdown('Track message size exceeded')
      return
    }
    // Everybody who joins is sent all that is said in presence, so there is not to be much of it.
    if (isLonger(said, presenceBytes)) {
      const reason = `payload_size_exceeded: a presence has at most ${presenceBytes} bytes`
      this.channel.answer(ref, 'error', { reason })
      return
    }
    this.presenceEnabled = true
    if (said !== this.tracked?.said) topic.presence.track(this.channel, key, meta, presencesPerKey)
    this.tracked = { key, said }
    this.channel.answer(ref, 'ok', {})
  }

  private takePresenceCall(): boolean {
    const { presenceCalls, presenceWindowMs } = this.channel.services.limits
    const now = performance.now()
    if (now > this.presenceWindowEnds) {
      this.presenceCalls = 0
      this.presenceWindowEnds = now + presenceWindowMs
    }
    this.presenceCalls += 1
    return this.presenceCalls <= presenceCalls
  }

  /**
   * A new token: no answer when it is good, else the channel is closed with the reason. An API key is
   * passed over, as upstream: the client sends it of its own accord after `setAuth(token)`, and it must
   * neither widen nor end what the token before it allows until that expires.
   */
  private async refresh({ payload }: Incoming): Promise<void> {
    const token = isObject(payload) ? payload.access_token : null
    if (typeof token !== 'string' || token.startsWith('sb_')) return
    const result = await this.channel.services.authenticator.check(token)
    if (this.channel.isClosed) return
    if ('refusal' in result) return this.channel.shutdown(result.refusal.message)
    if (result.identity === this.channel.rights.identity) return
    if (!this.channel.link.takeJoin(result.identity))
      return this.channel.shutdown('Too many messages per second')
    await this.channel.become(result.identity)
  }
}

function toBroadcast({ payload, binary }: Incoming): Broadcast | null {
  if (binary) return { kind: 'binary', ...binary }
  return isObject(payload) ? { kind: 'json', body: JSON.stringify(payload) } : null
}
