/** One client on one topic, from join to close. */

import type { Log } from '../shared/log.ts'
import type { Authenticator, Identity } from './auth.ts'
import { ChannelMessages } from './channel-messages.ts'
import { ChannelRights } from './channel-rights.ts'
import { Expiry } from './expiry.ts'
import type { Feed } from './feed.ts'
import { HeldFrames } from './held.ts'
import type { JoinRequest } from './join.ts'
import type { Limits, RateTable } from './limits.ts'
import { Mailbox } from './mailbox.ts'
import { encode, encodeReply, type Incoming } from './protocol.ts'
import type { Member, Registry, SharedFrame, Topic } from './registry.ts'
import type { Rights } from './rights.ts'
import type { Frame, JsonObject, Version } from './types.ts'

/** What channels share. */
export type Services = {
  registry: Registry
  rights: Rights
  feed: Feed
  authenticator: Authenticator
  limits: Limits
  /** How often who may join, however many their sockets. */
  joins: RateTable
  log: Log
}

/** The socket as its channels see it. */
export interface Link {
  readonly version: Version
  /** Sends a frame; one that is `droppable` not to a slow reader. */
  send(frame: Frame, droppable?: boolean): void
  /** Takes one from the events a client may send in a second; false when there is none left. */
  takeEvent(): boolean
  /** Takes one from the joins that `identity` may make on all its sockets, each of which asks the database. */
  takeJoin(identity: Identity): boolean
  /** Told when a channel is closed, whoever closed it. */
  closed(channel: Channel): void
  /** Closes the whole socket. */
  endSession(): void
}

const TOO_MANY_JOINS = 'ClientJoinRateLimitReached: Too many joins per second'
const DATABASE_GONE = 'Realtime was unable to connect to the project database'
/** A client waits ten seconds for the answer to its join. */
const FEED_WAIT_MS = 8_000

/** A joined topic. Its messages are handled in order; see ChannelMessages for what they do. */
export class Channel implements Member {
  private state: 'joining' | 'joined' | 'closed' = 'joining'
  readonly rights: ChannelRights
  readonly topic: Topic
  private readonly mailbox: Mailbox
  private readonly messages: ChannelMessages
  private readonly expiry = new Expiry((message) => this.shutdown(message))
  /** What waits for the policies' answer while rights are asked again; null when nothing does. */
  private held: HeldFrames | null = null
  private asking: Promise<void> | null = null

  constructor(
    readonly services: Services,
    readonly link: Link,
    readonly joinRef: string | null,
    name: string,
    readonly request: JoinRequest,
    identity: Identity,
  ) {
    this.rights = new ChannelRights(services.rights, name, identity)
    if (request.presenceEnabled) this.rights.includePresence()
    this.messages = new ChannelMessages(this)
    this.mailbox = new Mailbox(services.limits.waitingFrames, (error) => this.broken(error))
    // Registered before anything is asked, so that a change meanwhile is not missed.
    this.topic = services.registry.join(name, this)
    services.registry.bind(this, identity)
  }

  /** Whether it is over. */
  get isClosed(): boolean {
    return this.state === 'closed'
  }

  /** Decides the join and answers it. Messages that come meanwhile wait. */
  join(ref: string | null): void {
    this.mailbox.push(async () => {
      const refusal = await this.admit()
      if (this.isClosed) return
      if (refusal !== null) {
        this.detach()
        return this.answer(ref, 'error', { reason: refusal })
      }
      this.state = 'joined'
      this.expiry.watch(this.rights.identity)
      this.answer(ref, 'ok', { postgres_changes: [] })
      this.messages.sendPresenceState()
    })
  }

  /** Handles a message of the client in its turn. */
  receive(message: Incoming): void {
    const kept = this.mailbox.push(() =>
      this.state === 'joined' ? this.messages.handle(message) : undefined,
    )
    if (!kept) this.shutdown('Too many messages per second')
  }

  /** The client leaves: answered at once, whatever still waits. */
  leave(ref: string | null): void {
    this.answer(ref, 'ok', {})
    this.close()
  }

  deliverBroadcast(frame: SharedFrame): void {
    if (this.state === 'joined' && this.rights.mayRead('broadcast')) this.forward(frame)
  }

  deliverPresence(frame: SharedFrame): void {
    if (this.state !== 'joined' || !this.messages.presenceEnabled) return
    if (this.rights.knowsPresence() && this.rights.mayRead('presence')) this.forward(frame)
  }

  recheck(): void {
    this.rights.invalidate()
    // A channel that is joining asks again by itself.
    if (this.state === 'joined') void this.reevaluate()
  }

  /** Goes on under another identity, as far as that may still read. */
  become(identity: Identity): Promise<void> {
    this.adopt(identity)
    this.expiry.watch(this.rights.identity)
    return this.reevaluate()
  }

  endSession(): void {
    if (this.isClosed) return
    if (this.state === 'joined') this.shutdown('The session has ended')
    else this.detach()
    this.link.endSession()
  }

  resync(): void {
    if (this.state !== 'joined') return
    this.push('phx_error', {}, this.joinRef)
    this.detach()
  }

  /** Tells the client why, then closes; it does not come back by itself. */
  shutdown(message: string): void {
    if (this.isClosed) return
    this.push('system', { extension: 'system', status: 'error', message, channel: this.topic.name }, null)
    this.close()
  }

  /** Closes and says so. */
  close(): void {
    if (this.isClosed) return
    this.push('phx_close', {}, this.joinRef)
    this.detach()
  }

  /** Closes without a word: the socket is gone, or the word was said. */
  detach(): void {
    if (this.isClosed) return
    this.state = 'closed'
    this.expiry.stop()
    this.held = null
    this.messages.untrack()
    this.services.registry.unbind(this, this.rights.identity)
    this.services.registry.leave(this.topic, this)
    this.link.closed(this)
  }

  /** Answers a message of the client. */
  answer(ref: string | null, status: 'ok' | 'error', response: JsonObject): void {
    const to = { joinRef: this.joinRef, ref, topic: this.topic.wireName }
    this.link.send(encodeReply(this.link.version, to, status, response))
  }

  /** Sends a message of the server to this client alone. */
  push(event: string, payload: JsonObject, ref: string | null = null): void {
    const message = { joinRef: this.joinRef, ref, topic: this.topic.wireName, event, payload }
    this.link.send(encode(this.link.version, message))
  }

  /** Null when the client may join, else the reason to answer. */
  private async admit(): Promise<string | null> {
    const { authenticator, feed, limits, log, registry } = this.services
    if (this.request.token !== null) {
      const result = await authenticator.check(this.request.token)
      if ('refusal' in result) return `${result.refusal.code}: ${result.refusal.message}`
      if (this.isClosed) return null
      this.adopt(result.identity)
    }
    if (!this.link.takeJoin(this.rights.identity)) return TOO_MANY_JOINS
    const { userId } = this.rights.identity
    if (userId !== null && registry.socketsOf(userId) > limits.socketsPerAccount) {
      return 'ConnectionRateLimitReached: Too many connections of this account'
    }
    try {
      do {
        // While the feed does not listen, a client must not believe that it hears everything.
        if (!(await feed.ready(FEED_WAIT_MS))) {
          return 'InitializingProjectConnection: Connecting to the project database'
        }
        await this.rights.evaluate()
      } while (!feed.isListening())
    } catch (error) {
      log.warn('realtime: rights could not be asked at join', { error: String(error) })
      return DATABASE_GONE
    }
    if (this.rights.mayJoin()) return null
    return `Unauthorized: You do not have permissions to read from this Channel topic: ${this.topic.name}`
  }

  /** Asks again what may be read, one asking at a time, and closes the channel when something was lost. */
  private reevaluate(): Promise<void> {
    this.held ??= new HeldFrames(this.services.limits.waitingFrames)
    this.asking ??= this.askAgain()
    return this.asking
  }

  private async askAgain(): Promise<void> {
    try {
      let epoch: number
      do {
        epoch = this.rights.epoch
        const lost = await this.rights.evaluate()
        if (this.isClosed) return
        if (lost) {
          const { name } = this.topic
          return this.shutdown(`You no longer have permission to read from this Channel topic: ${name}`)
        }
        await this.messages.recheckPresence()
      } while (epoch !== this.rights.epoch)
      // From here to the end without a pause: a change from now on is asked about anew.
      const held = this.held?.all() ?? []
      this.held = null
      if (!this.isClosed) for (const frame of held) this.forward(frame)
    } catch (error) {
      // No word from the database is no permission; the client comes back by itself and is asked then.
      this.services.log.warn('realtime: rights could not be asked again', { error: String(error) })
      this.resync()
    } finally {
      this.asking = null
    }
  }

  private adopt(identity: Identity): void {
    const { registry } = this.services
    registry.unbind(this, this.rights.identity)
    registry.bind(this, identity)
    this.rights.become(identity)
  }

  private forward(shared: SharedFrame): void {
    const frame = shared.for(this.link.version)
    if (frame === null) return
    if (this.held === null) this.link.send(frame, shared.droppable)
    else if (!this.held.keep(shared)) this.resync()
  }

  private broken(error: unknown): void {
    this.services.log.error('realtime: a message could not be handled', { error: String(error) })
    if (this.state === 'joined') this.resync()
    else this.detach()
  }
}
