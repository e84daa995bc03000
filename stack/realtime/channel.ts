/** Handles one client on one topic, from join to close. */

import type { Authenticator, Identity } from '../shared/authenticator.ts'
import type { Log } from '../shared/log.ts'
import type { RateLimiter } from '../shared/rate-limiter.ts'
import { ChannelMessages } from './channel-messages.ts'
import { ChannelPermissions } from './channel-permissions.ts'
import type { DatabaseListener } from './database-listener.ts'
import { ExpiryTimer } from './expiry-timer.ts'
import { FrameBuffer, type SharedFrame } from './frames.ts'
import type { JoinRequest, ReplayRequest } from './join.ts'
import type { Limits } from './limits.ts'
import type { PermissionChecker } from './permission-checker.ts'
import { encode, encodeBroadcast, encodeReply, type Incoming } from './protocol.ts'
import type { Member, Registry, Topic } from './registry.ts'
import { type StoredMessage, toBroadcast } from './stored-message.ts'
import { TaskQueue } from './task-queue.ts'
import type { Frame, JsonObject, Version } from './types.ts'

/** The objects that all channels share. */
export type Services = {
  registry: Registry
  permissions: PermissionChecker
  listener: DatabaseListener
  authenticator: Authenticator
  limits: Limits
  /** Limits the joins and token changes of each account, or of each network for callers without an account. */
  joinLimiter: RateLimiter
  /** Limits the bytes that the sockets of each network send. */
  byteLimiter: RateLimiter
  log: Log
}

/** The parts of a socket that its channels use. */
export interface ChannelSocket {
  readonly version: Version
  /** Sends a frame. A `droppable` frame is not sent to a slow client. */
  send(frame: Frame, droppable?: boolean): void
  /** Counts an event from the client. Returns false if it exceeds the rate limit. */
  allowEvent(): boolean
  /**
   * Counts a join or a token change, both of which query the database. Returns false if the account, or the network of
   * a caller without an account, exceeds its limit over all its sockets.
   */
  allowJoin(identity: Identity): boolean
  /** Called when a channel has closed, for any reason. */
  channelClosed(channel: Channel): void
  /** Closes the whole socket. */
  endSession(): void
}

/** The messages to replay, or the reason why the client may not join. */
type JoinResult = { messages: StoredMessage[] } | { refusal: string }

const TOO_MANY_JOINS = 'ClientJoinRateLimitReached: Too many joins per second'
const DATABASE_UNAVAILABLE = 'Realtime was unable to connect to the project database'
/** How long a join waits for the database listener. Less than the ten seconds that a client waits for the reply. */
const LISTENER_TIMEOUT_MS = 8_000

/** A client's channel. ChannelMessages handles its messages in order. */
export class Channel implements Member {
  private state: 'joining' | 'joined' | 'closed' = 'joining'
  readonly permissions: ChannelPermissions
  readonly topic: Topic
  private readonly tasks: TaskQueue
  private readonly messages: ChannelMessages
  private readonly expiry = new ExpiryTimer((message) => this.shutdown(message))
  /**
   * Holds back frames while permissions are checked again, or until the messages of a replay are sent; null at all
   * other times.
   */
  private buffer: FrameBuffer | null = null
  private recheck: Promise<void> | null = null

  constructor(
    readonly services: Services,
    readonly socket: ChannelSocket,
    readonly joinRef: string | null,
    name: string,
    readonly request: JoinRequest,
    identity: Identity,
  ) {
    this.permissions = new ChannelPermissions(services.permissions, name, identity)
    if (request.presenceEnabled) this.permissions.includePresence()
    this.messages = new ChannelMessages(this)
    this.tasks = new TaskQueue(services.limits.queuedFrames, (error) => this.onTaskError(error))
    // The channel is registered before its permissions are checked, so that it misses no change in access.
    this.topic = services.registry.join(name, this)
    services.registry.bind(this, identity)
  }

  get isClosed(): boolean {
    return this.state === 'closed'
  }

  /** Accepts or rejects the join and replies. Messages that arrive in the meantime are queued. */
  join(ref: string | null): void {
    this.tasks.push(async () => {
      const result = await this.checkJoin()
      if (this.isClosed) return
      if ('refusal' in result) {
        this.detach()
        return this.reply(ref, 'error', { reason: result.refusal })
      }
      this.state = 'joined'
      this.expiry.watch(this.permissions.identity)
      this.reply(ref, 'ok', { postgres_changes: [] })
      this.replay(result.messages)
      if (this.request.replicationReady) this.pushSystemMessage('ok', 'Replication connection established')
      this.messages.sendPresenceState()
      this.sendBuffered()
    })
  }

  /** Queues a message from the client. */
  receive(message: Incoming): void {
    const queued = this.tasks.push(() =>
      this.state === 'joined' ? this.messages.handle(message) : undefined,
    )
    if (!queued) this.shutdown('Too many messages per second')
  }

  /** Closes the channel at the client's request, without waiting for queued messages. */
  leave(ref: string | null): void {
    this.reply(ref, 'ok', {})
    this.close()
  }

  deliverBroadcast(frame: SharedFrame): void {
    // If the client asked for a replay, broadcasts are buffered until the join is accepted, so the client misses none.
    const isReceiving = this.state === 'joined' || this.buffer !== null
    if (isReceiving && this.permissions.canRead('broadcast')) this.forward(frame)
  }

  deliverPresence(frame: SharedFrame): void {
    if (this.state !== 'joined' || !this.messages.presenceEnabled) return
    if (this.permissions.includesPresence() && this.permissions.canRead('presence')) this.forward(frame)
  }

  recheckPermissions(): void {
    this.permissions.invalidate()
    // A channel that is joining repeats its check anyway.
    if (this.state === 'joined') void this.startRecheck()
  }

  /** Replaces the identity, and closes the channel if the new one lacks permission. */
  changeIdentity(identity: Identity): Promise<void> {
    this.setIdentity(identity)
    this.expiry.watch(this.permissions.identity)
    return this.startRecheck()
  }

  endSession(): void {
    if (this.isClosed) return
    if (this.state === 'joined') this.shutdown('The session has ended')
    else this.detach()
    this.socket.endSession()
  }

  forceRejoin(): void {
    // A channel that is joining repeats its check instead, and reads the messages of a replay again.
    if (this.state === 'joining') this.permissions.invalidate()
    else this.closeForRejoin()
  }

  /** Sends the client the reason and closes the channel. The client does not rejoin automatically. */
  shutdown(message: string): void {
    if (this.isClosed) return
    this.pushSystemMessage('error', message)
    this.close()
  }

  /** Closes the channel and notifies the client. */
  close(): void {
    if (this.isClosed) return
    this.push('phx_close', {}, this.joinRef)
    this.detach()
  }

  /** Closes the channel without notifying the client, for example because its socket is closed. */
  detach(): void {
    if (this.isClosed) return
    this.state = 'closed'
    this.expiry.stop()
    this.buffer = null
    this.messages.untrack()
    this.services.registry.unbind(this, this.permissions.identity)
    this.services.registry.leave(this.topic, this)
    this.socket.channelClosed(this)
  }

  /** Replies to a message from the client. */
  reply(ref: string | null, status: 'ok' | 'error', response: JsonObject): void {
    const to = { joinRef: this.joinRef, ref, topic: this.topic.wireName }
    this.socket.send(encodeReply(this.socket.version, to, status, response))
  }

  /** Sends a message to this client only. */
  push(event: string, payload: JsonObject, ref: string | null = null): void {
    const message = { joinRef: this.joinRef, ref, topic: this.topic.wireName, event, payload }
    this.socket.send(encode(this.socket.version, message))
  }

  private pushSystemMessage(status: 'ok' | 'error', message: string): void {
    this.push('system', { extension: 'system', status, message, channel: this.topic.name })
  }

  /** Checks the join. If the channel is closed in the meantime, the caller ignores the result. */
  private async checkJoin(): Promise<JoinResult> {
    const { authenticator, limits, registry } = this.services
    const { replay, token } = this.request
    if (replay === 'invalid') return { refusal: 'UnableToReplayMessages: Replay params are not valid' }
    if (token !== null) {
      const result = await authenticator.check(token)
      if ('rejection' in result) return { refusal: `${result.rejection.code}: ${result.rejection.message}` }
      if (this.isClosed) return { messages: [] }
      this.setIdentity(result.identity)
    }
    if (!this.socket.allowJoin(this.permissions.identity)) return { refusal: TOO_MANY_JOINS }
    const { userId } = this.permissions.identity
    if (userId !== null && registry.countSockets(userId) > limits.socketsPerAccount) {
      return { refusal: 'ConnectionRateLimitReached: Too many connections for this account' }
    }
    if (userId !== null && registry.countChannels(userId) > limits.channelsPerAccount) {
      return { refusal: 'ChannelRateLimitReached: Too many channels for this account' }
    }
    return await this.checkPermissions(replay)
  }

  /**
   * Checks the policies and reads the messages to replay. Repeats both if access changes or messages are lost in the
   * meantime.
   */
  private async checkPermissions(replay: ReplayRequest | null): Promise<JoinResult> {
    const { limits, listener, log } = this.services
    const { permissions } = this
    if (replay) this.buffer = new FrameBuffer(limits.queuedFrames)
    let messages: StoredMessage[] = []
    let epoch: number
    do {
      try {
        // Without the listener, the client would miss messages without noticing.
        if (!(await listener.ready(LISTENER_TIMEOUT_MS))) {
          return { refusal: 'InitializingProjectConnection: Connecting to the project database' }
        }
        // Delivers pending messages first, so that the client gets no messages that were sent before its permissions
        // were checked.
        await listener.flush()
        await permissions.evaluate()
      } catch (error) {
        log.warn('realtime_join_check_failed', { error: String(error) })
        return { refusal: DATABASE_UNAVAILABLE }
      }
      if (this.isClosed) return { messages: [] }
      if (!permissions.canJoin() || (replay && !permissions.canRead('broadcast'))) {
        const { name } = this.topic
        return {
          refusal: `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`,
        }
      }
      epoch = permissions.epoch
      try {
        if (replay) messages = await permissions.replay(replay)
        // After this, the buffer also contains the broadcasts of these messages, which `replay` drops.
        if (messages.length > 0) await listener.flush()
      } catch (error) {
        log.warn('realtime_replay_failed', { error: String(error) })
        return { refusal: 'UnableToReplayMessages: Realtime was unable to replay messages' }
      }
    } while (!this.isClosed && (!listener.isListening() || epoch !== permissions.epoch))
    return { messages }
  }

  /** Sends stored messages to the client, and drops their broadcasts from the buffer. */
  private replay(messages: StoredMessage[]): void {
    if (messages.length === 0) return
    const { version } = this.socket
    for (const message of messages) {
      const frame = encodeBroadcast(version, this.topic.wireName, toBroadcast(message, true))
      if (frame !== null) this.socket.send(frame)
    }
    const ids = new Set(messages.map(({ id }) => id))
    // Also drops earlier messages that were left out of the replay, because they would arrive in the wrong order.
    this.buffer?.dropThroughLast(({ messageId }) => messageId !== null && ids.has(messageId))
  }

  /** Checks permissions again, and closes the channel if one was lost. Concurrent calls share one check. */
  private startRecheck(): Promise<void> {
    this.buffer ??= new FrameBuffer(this.services.limits.queuedFrames)
    this.recheck ??= this.runRecheck()
    return this.recheck
  }

  private async runRecheck(): Promise<void> {
    try {
      let epoch: number
      do {
        epoch = this.permissions.epoch
        const lost = await this.permissions.evaluate()
        if (this.isClosed) return
        if (lost) {
          const { name } = this.topic
          return this.shutdown(`You no longer have permission to read from this Channel topic: ${name}`)
        }
        await this.messages.recheckPresence()
      } while (epoch !== this.permissions.epoch)
      // There is no `await` from here on, so a later change starts another check.
      this.sendBuffered()
    } catch (error) {
      // After a failed check, the client must not keep its permissions. It rejoins automatically and is checked again.
      this.services.log.warn('realtime_recheck_failed', { error: String(error) })
      this.forceRejoin()
    } finally {
      this.recheck = null
    }
  }

  private setIdentity(identity: Identity): void {
    const { registry } = this.services
    registry.unbind(this, this.permissions.identity)
    registry.bind(this, identity)
    this.permissions.changeIdentity(identity)
  }

  private sendBuffered(): void {
    const frames = this.buffer?.all() ?? []
    this.buffer = null
    if (!this.isClosed) for (const frame of frames) this.forward(frame)
  }

  private forward(shared: SharedFrame): void {
    const frame = shared.for(this.socket.version)
    if (frame === null) return
    if (this.buffer === null) this.socket.send(frame, shared.droppable)
    else if (!this.buffer.add(shared)) this.closeForRejoin()
  }

  /** Closes the channel so that the client rejoins. */
  private closeForRejoin(): void {
    if (this.isClosed) return
    this.push('phx_error', {}, this.joinRef)
    this.detach()
  }

  private onTaskError(error: unknown): void {
    this.services.log.error('realtime_message_failed', { error: String(error) })
    if (this.state === 'joined') this.forceRejoin()
    else this.detach()
  }
}
