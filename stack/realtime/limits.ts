import type { Identity } from './auth.ts'

/** How much one client may ask for. The first six are Supabase's own; the rest protect this process. */
export type Limits = {
  channelsPerSocket: number
  joinsPerSecond: number
  eventsPerSecond: number
  /** Largest payload of one message, in bytes; what the operator's own programs and the database may send. */
  payloadBytes: number
  /** Presence calls (track, untrack) one channel may make … */
  presenceCalls: number
  /** … within this time. */
  presenceWindowMs: number
  /**
   * Largest broadcast of a person, room for a hint such as 'typing': in bytes of what came in as JSON (by HTTP, of each
   * message's payload), a binary one's own.
   */
  clientBroadcastBytes: number
  /** Largest thing to say about oneself in presence, in bytes of JSON: everybody who joins gets it. */
  presenceBytes: number
  /** Sockets shown as present on a topic under one key; those beyond wait for one of them to go. */
  presencesPerKey: number
  /** A socket that sent nothing, not even a heartbeat, for this long is closed. */
  idleMs: number
  /** Frames of any kind, heartbeats included; beyond it the socket is closed. */
  framesPerSecond: number
  /** Bytes waiting for one slow reader before its socket is closed. */
  bufferedBytes: number
  /** Bytes waiting for one slow reader before it is sent no more broadcasts of other clients. */
  droppingFromBytes: number
  /** Frames of one channel waiting for the database's word on rights. */
  waitingFrames: number
  /** Open sockets altogether. */
  sockets: number
  /** … of one account: who has more joins nothing with them. */
  socketsPerAccount: number
  /** … from one address, which many people may share; an IPv6 one counts by its network. */
  socketsPerAddress: number
  /** Joins that one account may make at once, over all its sockets; of callers without one, their network … */
  joinsAtOnce: number
  /** … and then each second. */
  joinsSteadily: number
}

export const defaultLimits: Limits = {
  channelsPerSocket: 100,
  joinsPerSecond: 100,
  eventsPerSecond: 100,
  payloadBytes: 3_000_000,
  presenceCalls: 5,
  presenceWindowMs: 30_000,
  clientBroadcastBytes: 4_000,
  presenceBytes: 1_000,
  presencesPerKey: 10,
  idleMs: 60_000,
  framesPerSecond: 500,
  bufferedBytes: 8_000_000,
  droppingFromBytes: 1_000_000,
  waitingFrames: 1_000,
  sockets: 10_000,
  socketsPerAccount: 50,
  socketsPerAddress: 500,
  joinsAtOnce: 200,
  joinsSteadily: 10,
}

/** The largest broadcast that somebody may send, in bytes. The operator's own programs are held to upstream's. */
export function broadcastBytes(identity: Identity, limits: Limits): number {
  return identity.role === 'service_role' ? limits.payloadBytes : limits.clientBroadcastBytes
}

/**
 * Lets `perSecond` things a second pass on average, and `atOnce` together: a token bucket, refilled when
 * asked, so that an idle client costs nothing.
 */
export class RateLimit {
  private tokens: number
  private filledAt = performance.now()

  constructor(
    private readonly perSecond: number,
    private readonly atOnce = perSecond,
  ) {
    this.tokens = atOnce
  }

  /** Takes one token; false when there is none. */
  take(count = 1): boolean {
    const now = performance.now()
    this.tokens = Math.min(this.atOnce, this.tokens + ((now - this.filledAt) / 1000) * this.perSecond)
    this.filledAt = now
    if (this.tokens < count) return false
    this.tokens -= count
    return true
  }
}

const REMEMBERED = 10_000

/** A rate limit for each caller, by whatever names them; the one heard of longest ago is forgotten first. */
export class RateTable {
  private readonly callers = new Map<string, RateLimit>()

  constructor(
    private readonly perSecond: number,
    private readonly atOnce = perSecond,
  ) {}

  /** Takes `count` tokens of `caller`; false when there are not as many. */
  take(caller: string, count = 1): boolean {
    if (this.atOnce === Number.POSITIVE_INFINITY) return true
    const limit = this.callers.get(caller) ?? new RateLimit(this.perSecond, this.atOnce)
    this.callers.delete(caller)
    this.callers.set(caller, limit)
    if (this.callers.size > REMEMBERED) {
      const oldest = this.callers.keys().next()
      if (!oldest.done) this.callers.delete(oldest.value)
    }
    return limit.take(count)
  }
}
