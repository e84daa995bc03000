/** Handles one client's connection: decodes its frames, routes them to its channels, and enforces the limits. */

import { Buffer } from 'node:buffer'
import type { Identity } from '../shared/authenticator.ts'
import { TokenBucket } from '../shared/rate-limiter.ts'
import { Channel, type ChannelSocket, type Services } from './channel.ts'
import { NO_POSTGRES_CHANGES, PRIVATE_ONLY, parseJoin, parseTopicName } from './join.ts'
import { decode, encodeReply, type Incoming, ProtocolError } from './protocol.ts'
import type { Frame, JsonObject, Version } from './types.ts'

/** The codes with which sockets are closed. Clients reconnect after any of them. */
const CLOSE_CODES = {
  malformed: 4400,
  sessionEnded: 4401,
  idle: 4408,
  tooLarge: 4413,
  rateLimited: 4429,
  slow: 4430,
  internalError: 4500,
  stopping: 4503,
} as const

/** A connected client. */
export class ClientSocket implements ChannelSocket {
  private readonly channels = new Map<string, Channel>()
  private readonly frames: TokenBucket
  private readonly joins: TokenBucket
  private readonly events: TokenBucket
  private lastSeen = performance.now()
  private receivedBytes = 0
  private isClosed = false

  /**
   * @param network the network prefix of the client's address, to which the limits per network apply
   * @param onClose called once, when the connection is closed
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly services: Services,
    readonly version: Version,
    private readonly identity: Identity,
    private readonly network: string,
    private readonly onClose: (socket: ClientSocket) => void,
  ) {
    const { limits } = services
    this.frames = new TokenBucket(limits.framesPerSecond)
    this.joins = new TokenBucket(limits.joinsPerSecond)
    this.events = new TokenBucket(limits.eventsPerSecond)
    socket.binaryType = 'arraybuffer'
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => this.receive(data)
    socket.onclose = () => this.handleClose()
    socket.onerror = () => this.handleClose()
  }

  /** The total size of the complete messages that have arrived, in bytes. */
  get messageBytes(): number {
    return this.receivedBytes
  }

  /** How many bytes of an incomplete message may arrive. Callers with the secret key are trusted. */
  get maxIncompleteBytes(): number {
    return this.hasSecretKey ? Number.POSITIVE_INFINITY : this.maxFrameBytes
  }

  /**
   * The maximum size of a frame. With the secret key, it is twice the payload limit, so that an oversized broadcast can
   * get an error reply.
   */
  private get maxFrameBytes(): number {
    const { payloadBytes, clientFrameBytes } = this.services.limits
    return this.hasSecretKey ? 2 * payloadBytes : clientFrameBytes
  }

  /** Whether the socket was opened, or one of its channels joined, with the secret key. */
  private get hasSecretKey(): boolean {
    const isSecret = ({ role }: Identity) => role === 'service_role'
    return (
      isSecret(this.identity) ||
      [...this.channels.values()].some(({ permissions }) => isSecret(permissions.identity))
    )
  }

  allowEvent(): boolean {
    return this.events.take()
  }

  allowJoin(identity: Identity): boolean {
    if (identity.role === 'service_role') return true
    return this.services.joinLimiter.take(identity.userId ?? this.network)
  }

  send(frame: Frame, droppable = false): void {
    if (this.isClosed || this.socket.readyState !== WebSocket.OPEN) return
    const { maxBufferedBytes, dropBroadcastsAboveBytes } = this.services.limits
    const unsentBytes = this.socket.bufferedAmount
    // A client that floods a topic must not cause the sockets of slow readers to be closed, because these readers would
    // then miss messages from the database.
    if (droppable && unsentBytes > dropBroadcastsAboveBytes) return
    if (unsentBytes > maxBufferedBytes) {
      this.close(CLOSE_CODES.slow, 'Reading too slowly')
      return
    }
    try {
      this.socket.send(frame)
    } catch {
      this.handleClose()
    }
  }

  channelClosed(channel: Channel): void {
    const { wireName } = channel.topic
    if (this.channels.get(wireName) === channel) this.channels.delete(wireName)
  }

  endSession(): void {
    this.close(CLOSE_CODES.sessionEnded, 'The session has ended')
  }

  /** Closes the socket if the client has sent nothing for too long. */
  closeIfIdle(now: number): void {
    if (now - this.lastSeen > this.services.limits.idleTimeoutMs) this.close(CLOSE_CODES.idle, 'No heartbeat')
  }

  /** Closes the socket because the server is stopping. */
  stop(): void {
    this.close(CLOSE_CODES.stopping, 'The server is stopping')
  }

  private receive(data: string | ArrayBuffer): void {
    if (this.isClosed) return
    this.lastSeen = performance.now()
    const size = typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
    this.receivedBytes += size
    try {
      const refusal = this.checkFrame(size)
      if (refusal) this.close(CLOSE_CODES[refusal.code], refusal.reason)
      else this.route(decode(this.version, data))
    } catch (error) {
      if (error instanceof ProtocolError) {
        this.close(CLOSE_CODES.malformed, error.message)
      } else {
        this.services.log.error('realtime_frame_failed', { error: String(error) })
        this.close(CLOSE_CODES.internalError, 'Internal error')
      }
    }
  }

  /**
   * Counts a frame. Returns null if the frame is within the limits. Otherwise, returns the code and reason with which
   * the socket must be closed, without decoding the frame.
   */
  private checkFrame(size: number): { code: keyof typeof CLOSE_CODES; reason: string } | null {
    if (!this.frames.take()) return { code: 'rateLimited', reason: 'Too many messages per second' }
    if (size > this.maxFrameBytes) return { code: 'tooLarge', reason: 'Message too large' }
    if (this.hasSecretKey || this.services.byteLimiter.take(this.network, size)) return null
    return { code: 'rateLimited', reason: 'Too many bytes per second' }
  }

  private route(message: Incoming): void {
    const { topic, event, joinRef } = message
    const channel = this.channels.get(topic)
    // A message sent to an earlier channel on the same topic must not affect this one.
    const current = channel && (joinRef === null || joinRef === channel.joinRef) ? channel : null
    if (topic === 'phoenix') {
      if (event === 'heartbeat') this.reply(message, 'ok', {})
    } else if (event === 'phx_join') {
      const reason = this.join(message)
      if (reason !== null) this.reply(message, 'error', { reason })
    } else if (current) {
      if (event === 'phx_leave') current.leave(message.ref)
      else current.receive(message)
    } else if (event === 'phx_leave') {
      this.reply(message, 'ok', {})
    } else if (!channel) {
      this.reply(message, 'error', { reason: 'unmatched topic' })
    }
  }

  /** Opens a channel, which then replies to the join. Returns a reason if the caller must reply with an error. */
  private join(message: Incoming): string | null {
    const { limits } = this.services
    if (!this.joins.take()) {
      const reason = 'ClientJoinRateLimitReached: Too many joins per second'
      this.reply(message, 'error', { reason })
      this.close(CLOSE_CODES.rateLimited, reason)
      return null
    }
    const topic = parseTopicName(message.topic)
    if ('reason' in topic) return topic.reason
    const request = parseJoin(message.payload)
    if (!request) return 'InvalidJoinPayload: expected a map'
    if (request.postgresChanges) return NO_POSTGRES_CHANGES
    if (!request.isPrivate) return `PrivateOnly: ${PRIVATE_ONLY}`
    // A second join of a topic replaces the first, as in Phoenix.
    this.channels.get(message.topic)?.close()
    if (this.channels.size >= limits.channelsPerSocket) return 'ChannelRateLimitReached: Too many channels'
    const joinRef = message.joinRef ?? message.ref
    const channel = new Channel(this.services, this, joinRef, topic.name, request, this.identity)
    this.channels.set(message.topic, channel)
    channel.join(message.ref)
    return null
  }

  private reply(to: Incoming, status: 'ok' | 'error', response: JsonObject): void {
    if (to.ref !== null) this.send(encodeReply(this.version, to, status, response))
  }

  private close(code: number, reason: string): void {
    if (this.isClosed) return
    this.handleClose()
    try {
      this.socket.close(code, reason)
    } catch {
      // The client closed the socket at the same moment.
    }
  }

  private handleClose(): void {
    if (this.isClosed) return
    this.isClosed = true
    for (const channel of [...this.channels.values()]) channel.detach()
    this.onClose(this)
  }
}
