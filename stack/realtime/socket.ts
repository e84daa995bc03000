/** One client's connection: reads frames, keeps its channels, and closes what misbehaves. */
import type { Identity } from './auth.ts'
import { Channel, type Link, type Services } from './channel.ts'
import { PRIVATE_ONLY, parseJoin, topicName } from './join.ts'
import { RateLimit } from './limits.ts'
import { decode, encodeReply, type Incoming, ProtocolError } from './protocol.ts'
import type { Frame, JsonObject, Version } from './types.ts'

/** Why a socket was closed; clients come back after any of them. */
const CLOSE = {
  malformed: 4400,
  sessionEnded: 4401,
  idle: 4408,
  tooLarge: 4413,
  tooMany: 4429,
  slow: 4430,
  broken: 4500,
  stopping: 4503,
} as const

/** A connected client. */
export class ClientSocket implements Link {
  private readonly channels = new Map<string, Channel>()
  private readonly frames: RateLimit
  private readonly joins: RateLimit
  private readonly events: RateLimit
  private lastSeen = performance.now()
  private gone = false

  /**
   * @param network where it comes from, as limits count it
   * @param ended told once, when the connection is over
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly services: Services,
    readonly version: Version,
    private readonly identity: Identity,
    private readonly network: string,
    private readonly ended: (socket: ClientSocket) => void,
  ) {
    const { limits } = services
    this.frames = new RateLimit(limits.framesPerSecond)
    this.joins = new RateLimit(limits.joinsPerSecond)
    this.events = new RateLimit(limits.eventsPerSecond)
    socket.binaryType = 'arraybuffer'
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => this.receive(data)
    socket.onclose = () => this.over()
    socket.onerror = () => this.over()
  }

  takeEvent(): boolean {
    return this.events.take()
  }

  takeJoin(identity: Identity): boolean {
    if (identity.role === 'service_role') return true
    return this.services.joins.take(identity.userId ?? this.network)
  }

  send(frame: Frame, droppable = false): void {
    if (this.gone || this.socket.readyState !== WebSocket.OPEN) return
    const { bufferedBytes, droppingFromBytes } = this.services.limits
    const waiting = this.socket.bufferedAmount
    // Who floods a topic must not cost its reader the socket, and with it what the database tells them.
    if (droppable && waiting > droppingFromBytes) return
    if (waiting > bufferedBytes) {
      this.close(CLOSE.slow, 'Too slow to read')
      return
    }
    try {
      this.socket.send(frame)
    } catch {
      this.over()
    }
  }

  closed(channel: Channel): void {
    const { wireName } = channel.topic
    if (this.channels.get(wireName) === channel) this.channels.delete(wireName)
  }

  endSession(): void {
    this.close(CLOSE.sessionEnded, 'The session has ended')
  }

  /** Closes when nothing came for too long. */
  closeIfIdle(now: number): void {
    if (now - this.lastSeen > this.services.limits.idleMs) this.close(CLOSE.idle, 'No heartbeat')
  }

  /** Closes because the server ends. */
  stop(): void {
    this.close(CLOSE.stopping, 'The server is stopping')
  }

  private receive(data: string | ArrayBuffer): void {
    if (this.gone) return
    this.lastSeen = performance.now()
    const size = typeof data === 'string' ? data.length : data.byteLength
    try {
      if (!this.frames.take()) this.close(CLOSE.tooMany, 'Too many messages per second')
      // Up to twice the limit is read, so that its sender can be answered.
      else if (size > 2 * this.services.limits.payloadBytes) this.close(CLOSE.tooLarge, 'Message too large')
      else this.route(decode(this.version, data))
    } catch (error) {
      if (error instanceof ProtocolError) {
        this.close(CLOSE.malformed, error.message)
      } else {
        this.services.log.error('realtime: a frame could not be handled', { error: String(error) })
        this.close(CLOSE.broken, 'Internal error')
      }
    }
  }

  private route(message: Incoming): void {
    const { topic, event, joinRef } = message
    const channel = this.channels.get(topic)
    // What was sent to the channel before this one must not act on this one.
    const current = channel && (joinRef === null || joinRef === channel.joinRef) ? channel : null
    if (topic === 'phoenix') {
      if (event === 'heartbeat') this.answer(message, 'ok', {})
    } else if (event === 'phx_join') {
      const reason = this.join(message)
      if (reason !== null) this.answer(message, 'error', { reason })
    } else if (current) {
      if (event === 'phx_leave') current.leave(message.ref)
      else current.receive(message)
    } else if (event === 'phx_leave') {
      this.answer(message, 'ok', {})
    } else if (!channel) {
      this.answer(message, 'error', { reason: 'unmatched topic' })
    }
  }

  /** Opens a channel, which answers by itself; or the reason why not. */
  private join(message: Incoming): string | null {
    const { limits } = this.services
    if (!this.joins.take()) {
      const reason = 'ClientJoinRateLimitReached: Too many joins per second'
      this.answer(message, 'error', { reason })
      this.close(CLOSE.tooMany, reason)
      return null
    }
    const topic = topicName(message.topic)
    if ('reason' in topic) return topic.reason
    const request = parseJoin(message.payload)
    if (!request) return 'InvalidJoinPayload: expected a map'
    if (!request.isPrivate) return `PrivateOnly: ${PRIVATE_ONLY}`
    // A second join of a topic takes the place of the first, as in Phoenix.
    this.channels.get(message.topic)?.close()
    if (this.channels.size >= limits.channelsPerSocket) return 'ChannelRateLimitReached: Too many channels'
    const joinRef = message.joinRef ?? message.ref
    const channel = new Channel(this.services, this, joinRef, topic.name, request, this.identity)
    this.channels.set(message.topic, channel)
    channel.join(message.ref)
    return null
  }

  private answer(to: Incoming, status: 'ok' | 'error', response: JsonObject): void {
    if (to.ref !== null) this.send(encodeReply(this.version, to, status, response))
  }

  private close(code: number, reason: string): void {
    if (this.gone) return
    this.over()
    try {
      this.socket.close(code, reason)
    } catch {
      // It was closed from the other side at the same moment.
    }
  }

  private over(): void {
    if (this.gone) return
    this.gone = true
    for (const channel of [...this.channels.values()]) channel.detach()
    this.ended(this)
  }
}
