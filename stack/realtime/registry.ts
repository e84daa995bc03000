/** Which channels are open on which topic, and whose they are. */
import type { Identity } from './auth.ts'
import { Presence, type PresenceDiff } from './presence.ts'
import { type Broadcast, encode, encodeBroadcast } from './protocol.ts'
import type { Frame, Version } from './types.ts'

/** A message to many, framed at most once for each protocol version. */
export class SharedFrame {
  private readonly framed = new Map<Version, Frame | null>()

  /** @param droppable whether a slow reader may miss it: a broadcast of a client is a hint, gone when not heard */
  constructor(
    readonly droppable: boolean,
    private readonly make: (version: Version) => Frame | null,
  ) {}

  /** The frame for `version`; null where it cannot be expressed. */
  for(version: Version): Frame | null {
    let frame = this.framed.get(version)
    if (frame === undefined) {
      frame = this.make(version)
      this.framed.set(version, frame)
    }
    return frame
  }
}

/** A channel as its topic sees it. */
export interface Member {
  /** The socket it came by. */
  readonly link: object
  deliverBroadcast(frame: SharedFrame): void
  deliverPresence(frame: SharedFrame): void
  /** Asks the policies again at once; nothing more is delivered until they have answered. */
  recheck(): void
  /** Closes the channel and its socket: the session or account behind it is gone. */
  endSession(): void
  /** Sends the client into a rejoin: something may have been missed. */
  resync(): void
}

/** A topic with members. */
export class Topic {
  readonly members = new Set<Member>()
  readonly presence = new Presence((diff) => this.presenceChanged(diff))

  constructor(readonly name: string) {}

  /** The topic's name on the wire. */
  get wireName(): string {
    return `realtime:${this.name}`
  }

  /** Sends a broadcast of the database to every member who may read it. */
  broadcast(broadcast: Broadcast): void {
    this.deliver(broadcast, false)
  }

  /** Sends a broadcast of a client, which slow readers may miss, to every member who may read it, but `except`. */
  relay(broadcast: Broadcast, except?: Member): void {
    this.deliver(broadcast, true, except)
  }

  private deliver(broadcast: Broadcast, droppable: boolean, except?: Member): void {
    const frame = new SharedFrame(droppable, (version) => encodeBroadcast(version, this.wireName, broadcast))
    for (const member of this.members) if (member !== except) member.deliverBroadcast(frame)
  }

  private presenceChanged(diff: PresenceDiff): void {
    const message = { joinRef: null, ref: null, topic: this.wireName, event: 'presence_diff', payload: diff }
    // Never dropped: a page that missed one would show a wrong presence. They are small, and few.
    const frame = new SharedFrame(false, (version) => encode(version, message))
    for (const member of this.members) member.deliverPresence(frame)
  }
}

/** Every topic that has members, and every member by the session and account it acts for. */
export class Registry {
  private readonly topics = new Map<string, Topic>()
  private readonly bySession = new Map<string, Set<Member>>()
  private readonly byUser = new Map<string, Set<Member>>()

  /** Adds a member, making the topic when it is the first. */
  join(name: string, member: Member): Topic {
    let topic = this.topics.get(name)
    if (!topic) {
      topic = new Topic(name)
      this.topics.set(name, topic)
    }
    topic.members.add(member)
    return topic
  }

  /** Takes a member away, and the topic with the last one. */
  leave(topic: Topic, member: Member): void {
    topic.members.delete(member)
    if (topic.members.size > 0) return
    topic.presence.stop()
    this.topics.delete(topic.name)
  }

  /** The topic, if anybody is on it. */
  find(name: string): Topic | undefined {
    return this.topics.get(name)
  }

  /** Notes whom a member acts for. */
  bind(member: Member, identity: Identity): void {
    add(this.bySession, identity.sessionId, member)
    add(this.byUser, identity.userId, member)
  }

  unbind(member: Member, identity: Identity): void {
    remove(this.bySession, identity.sessionId, member)
    remove(this.byUser, identity.userId, member)
  }

  /** The members that act for a session or an account. */
  boundTo(kind: 'session' | 'user', id: string): Member[] {
    return [...((kind === 'session' ? this.bySession : this.byUser).get(id) ?? [])]
  }

  /** From how many sockets an account has joined something. */
  socketsOf(userId: string): number {
    return new Set(this.boundTo('user', userId).map((member) => member.link)).size
  }

  /** All members of all topics. */
  everyone(): Member[] {
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
