/** Registers open channels by topic, session and account. */
import type { Identity } from '../shared/authenticator.ts'
import { SharedFrame } from './frames.ts'
import { Presence, type PresenceDiff } from './presence.ts'
import { type Broadcast, encode, encodeBroadcast } from './protocol.ts'
import { type StoredMessage, toBroadcast } from './stored-message.ts'
import type { Version } from './types.ts'

/** The parts of a channel that its topic, the registry and the server use. */
export interface Member {
  /** The socket of the channel. */
  readonly socket: object
  deliverBroadcast(frame: SharedFrame): void
  deliverPresence(frame: SharedFrame): void
  /** Checks the policies again. Nothing is delivered until the check is done. */
  recheckPermissions(): void
  /** Closes the channel and its socket, because its session or account was deleted. */
  endSession(): void
  /** Makes the client join again, because it may have missed something. */
  forceRejoin(): void
}

/** A topic with members. */
export class Topic {
  readonly members = new Set<Member>()
  readonly presence = new Presence((diff) => this.presenceChanged(diff))

  constructor(readonly name: string) {}

  /** The topic's name in the protocol. */
  get wireName(): string {
    return `realtime:${this.name}`
  }

  /** Sends a message from the database to all members who may read it. */
  broadcast(message: StoredMessage): void {
    this.deliver(toBroadcast(message), message.id)
  }

  /** Sends a client's broadcast to all members who may read it, other than `except`. Slow clients may miss it. */
  relay(broadcast: Broadcast, except?: Member): void {
    this.deliver(broadcast, null, except)
  }

  /** @param messageId the id of a message from the database, or null for a client's broadcast, which may be dropped */
  private deliver(broadcast: Broadcast, messageId: string | null, except?: Member): void {
    const encode = (version: Version) => encodeBroadcast(version, this.wireName, broadcast)
    const frame = new SharedFrame(messageId === null, encode, messageId)
    for (const member of this.members) if (member !== except) member.deliverBroadcast(frame)
  }

  private presenceChanged(diff: PresenceDiff): void {
    const message = { joinRef: null, ref: null, topic: this.wireName, event: 'presence_diff', payload: diff }
    // Not droppable: a client that missed a change would show outdated presence. These frames are small and rare.
    const frame = new SharedFrame(false, (version) => encode(version, message))
    for (const member of this.members) member.deliverPresence(frame)
  }
}

/** All topics with members, and all members by session and account. */
export class Registry {
  private readonly topics = new Map<string, Topic>()
  private readonly bySession = new Map<string, Set<Member>>()
  private readonly byUser = new Map<string, Set<Member>>()

  /** Adds a member to a topic. */
  join(name: string, member: Member): Topic {
    let topic = this.topics.get(name)
    if (!topic) {
      topic = new Topic(name)
      this.topics.set(name, topic)
    }
    topic.members.add(member)
    return topic
  }

  /** Removes a member from a topic. */
  leave(topic: Topic, member: Member): void {
    topic.members.delete(member)
    if (topic.members.size > 0) return
    topic.presence.stop()
    this.topics.delete(topic.name)
  }

  /** Returns the topic, if it has members. */
  find(name: string): Topic | undefined {
    return this.topics.get(name)
  }

  /** Records the session and account of a member. */
  bind(member: Member, identity: Identity): void {
    add(this.bySession, identity.sessionId, member)
    add(this.byUser, identity.userId, member)
  }

  unbind(member: Member, identity: Identity): void {
    remove(this.bySession, identity.sessionId, member)
    remove(this.byUser, identity.userId, member)
  }

  /** Returns the members of a session or an account. */
  findMembers(kind: 'session' | 'user', id: string): Member[] {
    return [...((kind === 'session' ? this.bySession : this.byUser).get(id) ?? [])]
  }

  /** Returns how many sockets of an account have a channel. */
  countSockets(userId: string): number {
    return new Set(this.findMembers('user', userId).map((member) => member.socket)).size
  }

  /** Returns how many channels an account has. */
  countChannels(userId: string): number {
    return this.byUser.get(userId)?.size ?? 0
  }

  allMembers(): Member[] {
    return [...this.topics.values()].flatMap((topic) => [...topic.members])
  }
}

function add(index: Map<string, Set<Member>>, id: string | null, member: Member): void {
  if (id === null) return
  const members = index.get(id)
  if (members) members.add(member)
  else index.set(id, new Set([member]))
}

function remove(index: Map<string, Set<Member>>, id: string | null, member: Member): void {
  if (id === null) return
  const members = index.get(id)
  members?.delete(member)
  if (members?.size === 0) index.delete(id)
}
