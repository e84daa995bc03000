/** Handles one client on one topic, from join to close. */
import type { Log } from '../shared/log.ts'
import type { RateLimiter } from '../shared/rate-limiter.ts'
import { type Authenticator, ExpiryTimer, type Identity } from './authenticator.ts'
import { ChannelMessages } from './channel-messages.ts'
import { ChannelPermissions } from './channel-permissions.ts'
import type { DatabaseListener } from './database-listener.ts'
import { FrameBuffer, type SharedFrame } from './frames.ts'
import type { JoinRequest } from './join.ts'
import type { Limits } from './limits.ts'
import type { PermissionChecker } from './permission-checker.ts'
import { encode, encodeReply, type Incoming } from './protocol.ts'
import type { Member, Registry, Topic } from './registry.ts'
import { TaskQueue } from './task-queue.ts'
import type { Frame, JsonObject, Version } from './types.ts'

/** The objects that all channels share. */
export type Services = {
  registry: Registry
  permissions: PermissionChecker
  listener: DatabaseListener
  authenticator: Authenticator
  limits: Limits
  /** Limits the joins of one account over all its sockets. */
  joinLimiter: RateLimiter
  log: Log
}

/** The parts of a socket that its channels use. */
export interface ChannelSocket {
  readonly version: Version
  /** Sends a frame. A `droppable` frame is not sent to a slow client. */
  send(frame: Frame, droppable?: boolean): void
  /** Counts an event from the client. Returns false if it exceeds the rate limit. */
  allowEvent(): boolean
  /** Counts a join, which queries the database. Returns false if `identity` exceeds the limit over all its sockets. */
  allowJoin(identity: Identity): boolean
  /** Called when a channel has closed, for any reason. */
  channelClosed(channel: Channel): void
  /** Closes the whole socket. */
  endSession(): void
}

const TOO_MANY_JOINS = 'ClientJoinRateLimitReached: Too many joins per second'
const DATABASE_UNAVAILABLE = 'Realtime was unable to connect to the project database'
/** Less than the ten seconds that a client waits for the reply to its join. */
const LISTENER_TIMEOUT_MS = 8_000

/** A client's channel. ChannelMessages handles its messages in order. */
export class Channel implements Member {
  private state: 'joining' | 'joined' | 'closed' = 'joining'
  readonly permissions: ChannelPermissions
  readonly topic: Topic
  private readonly tasks: TaskQueue
  private readonly messages: ChannelMessages
  private readonly expiry = new ExpiryTimer((message) => this.shutdown(message))
  /** Contains the frames that are held back while permissions are checked again; null otherwise. */
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
    // The channel is registered before its permissions are checked, so that it misses no change of access.
    this.topic = services.registry.join(name, this)
    services.registry.bind(this, identity)
  }

  get isClosed(): boolean {
    return this.state === 'closed'
  }

  /** Accepts or rejects the join and replies. Messages that arrive in the meantime are queued. */
  join(ref: string | null): void {
    this.tasks.push(async () => {
      const refusal = await this.checkJoin()
      if (this.isClosed) return
      if (refusal !== null) {
        this.detach()
        return this.reply(ref, 'error', { reason: refusal })
      }
      this.state = 'joined'
      this.expiry.watch(this.permissions.identity)
      this.reply(ref, 'ok', { postgres_changes: [] })
      this.messages.sendPresenceState()
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
    if (this.state === 'joined' && this.permissions.canRead('broadcast')) this.forward(frame)
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
    if (this.state !== 'joined') return
    this.push('phx_error', {}, this.joinRef)
    this.detach()
  }

  /** Sends the client the reason and closes the channel. The client does not rejoin automatically. */
  shutdown(message: string): void {
    if (this.isClosed) return
    this.push('system', { extension: 'system', status: 'error', message, channel: this.topic.name }, null)
    this.close()
  }

  /** Closes the channel and notifies the client. */
  close(): void {
    if (this.isClosed) return
    this.push('phx_close', {}, this.joinRef)
    this.detach()
  }

  /** Closes the channel without notifying the client, which already knows or whose socket is closed. */
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

  /** Returns null if the client may join, or else the reason for the rejection. */
  private async checkJoin(): Promise<string | null> {
    const { authenticator, listener, limits, log, registry } = this.services
    if (this.request.token !== null) {
      const result = await authenticator.check(this.request.token)
      if ('rejection' in result) return `${result.rejection.code}: ${result.rejection.message}`
      if (this.isClosed) return null
      this.setIdentity(result.identity)
    }
    if (!this.socket.allowJoin(this.permissions.identity)) return TOO_MANY_JOINS
    const { userId } = this.permissions.identity
    if (userId !== null && registry.countSockets(userId) > limits.socketsPerAccount) {
      return 'ConnectionRateLimitReached: Too many connections of this account'
    }
    try {
      do {
        // Without the listener, the client would miss messages without noticing.
        if (!(await listener.ready(LISTENER_TIMEOUT_MS))) {
          return 'InitializingProjectConnection: Connecting to the project database'
        }
        await this.permissions.evaluate()
      } while (!listener.isListening())
    } catch (error) {
      log.warn('realtime_join_check_failed', { error: String(error) })
      return DATABASE_UNAVAILABLE
    }
    if (this.permissions.canJoin()) return null
    return `Unauthorized: You do not have permissions to read from this Channel topic: ${this.topic.name}`
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
      // There is no `await` from here on, so a change that arrives now starts another check.
      const frames = this.buffer?.all() ?? []
      this.buffer = null
      if (!this.isClosed) for (const frame of frames) this.forward(frame)
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

  private forward(shared: SharedFrame): void {
    const frame = shared.for(this.socket.version)
    if (frame === null) return
    if (this.buffer === null) this.socket.send(frame, shared.droppable)
    else if (!this.buffer.add(shared)) this.forceRejoin()
  }

  private onTaskError(error: unknown): void {
    this.services.log.error('realtime_message_failed', { error: String(error) })
    if (this.state === 'joined') this.forceRejoin()
    else this.detach()
  }
}
