/** How much one client may ask for. The first seven are Supabase's own; the rest protect this process. */
export type Limits = {
  channelsPerSocket: number
  joinsPerSecond: number
  eventsPerSecond: number
  /** Largest payload of one message, in bytes. */
  payloadBytes: number
  /** Presence calls (track, untrack) one channel may make … */
  presenceCalls: number
  /** … within this time. */
  presenceWindowMs: number
  /** A socket that sent nothing, not even a heartbeat, for this long is closed. */
  idleMs: number
  /** Frames of any kind, heartbeats included; beyond it the socket is closed. */
  framesPerSecond: number
  /** Bytes waiting for one slow reader before its socket is closed. */
  bufferedBytes: number
  /** Frames of one channel waiting for the database's word on rights. */
  waitingFrames: number
  /** Open sockets altogether. */
  sockets: number
  /** … of one account: who has more joins nothing with them. */
  socketsPerAccount: number
  /** … from one address, which many people may share. */
  socketsPerAddress: number
}

export const defaultLimits: Limits = {
  channelsPerSocket: 100,
  joinsPerSecond: 100,
  eventsPerSecond: 100,
  payloadBytes: 3_000_000,
  presenceCalls: 5,
  presenceWindowMs: 30_000,
  idleMs: 60_000,
  framesPerSecond: 500,
  bufferedBytes: 8_000_000,
  waitingFrames: 1_000,
  sockets: 10_000,
  socketsPerAccount: 50,
  socketsPerAddress: 500,
}

/**
 * Lets `perSecond` things a second pass on average, and at most as many at once: a token bucket,
 * refilled when asked, so that an idle client costs nothing.
 */
export class RateLimit {
  private tokens: number
  private filledAt = performance.now()

  constructor(private readonly perSecond: number) {
    this.tokens = perSecond
  }

  /** Takes one token; false when there is none. */
  take(count = 1): boolean {
    const now = performance.now()
    this.tokens = Math.min(this.perSecond, this.tokens + ((now - this.filledAt) / 1000) * this.perSecond)
    this.filledAt = now
    if (this.tokens < count) return false
    this.tokens -= count
    return true
  }
}
