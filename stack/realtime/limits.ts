import type { Identity } from '../shared/authenticator.ts'

/** The limits on clients. The first six are Supabase's; the others protect this process. */
export type Limits = {
  channelsPerSocket: number
  joinsPerSecond: number
  eventsPerSecond: number
  /** Largest broadcast from a caller with the secret key, in bytes. Messages from the database have no limit. */
  payloadBytes: number
  /** Presence calls (track, untrack) per channel in `presenceWindowMs`. */
  presenceCallsPerWindow: number
  presenceWindowMs: number
  /**
   * Largest broadcast from a caller without the secret key, in bytes of the JSON body or the binary payload. Enough for
   * a hint such as "typing".
   */
  clientBroadcastBytes: number
  /** Largest presence payload, in bytes of JSON. Small, because the payload is sent to everyone who joins. */
  presenceBytes: number
  /** Sockets present on a topic under one key; further sockets wait until one of these leaves. */
  presencesPerKey: number
  /** Time after which a socket that sends nothing, not even a heartbeat, is closed. */
  idleTimeoutMs: number
  /** Frames of any kind, including heartbeats; a socket that sends more is closed. */
  framesPerSecond: number
  /**
   * Largest frame from a client without the secret key. It must have room for a join, which contains a token. A socket
   * that sends a larger frame is closed, because decoding large frames blocks the process.
   */
  clientFrameBytes: number
  /**
   * Bytes that one network may send in a burst; a socket that exceeds this is closed. Does not apply to sockets with
   * the secret key.
   */
  byteBurstPerNetwork: number
  /** Bytes per second after the burst. */
  bytesPerSecondPerNetwork: number
  /** Unsent bytes above which the socket of a slow client is closed. */
  maxBufferedBytes: number
  /** Unsent bytes above which broadcasts from other clients are not sent to a slow client. */
  dropBroadcastsAboveBytes: number
  /**
   * Frames that one channel queues: incoming ones that wait their turn, or outgoing ones that are held back while
   * permissions are checked again or messages are replayed.
   */
  queuedFrames: number
  /** Open sockets in total. */
  sockets: number
  /** Open sockets of one account; the joins of further sockets are rejected. */
  socketsPerAccount: number
  /** Channels of one account, across all its sockets. All are rechecked when the account's access may have changed. */
  channelsPerAccount: number
  /** Open sockets from one network: an IPv4 address, which many users may share, or a range of IPv6 addresses. */
  socketsPerNetwork: number
  /** Joins in a burst per account, across all its sockets, or per network for callers without an account. */
  joinBurstPerAccount: number
  /** Joins per second after the burst. */
  joinsPerSecondPerAccount: number
}

export const defaultLimits: Limits = {
  channelsPerSocket: 100,
  joinsPerSecond: 100,
  eventsPerSecond: 100,
  payloadBytes: 3_000_000,
  presenceCallsPerWindow: 5,
  presenceWindowMs: 30_000,
  clientBroadcastBytes: 4_000,
  presenceBytes: 1_000,
  presencesPerKey: 10,
  idleTimeoutMs: 60_000,
  framesPerSecond: 500,
  clientFrameBytes: 64_000,
  byteBurstPerNetwork: 10_000_000,
  bytesPerSecondPerNetwork: 1_000_000,
  maxBufferedBytes: 8_000_000,
  dropBroadcastsAboveBytes: 1_000_000,
  queuedFrames: 1_000,
  sockets: 10_000,
  socketsPerAccount: 50,
  channelsPerAccount: 500,
  socketsPerNetwork: 500,
  joinBurstPerAccount: 200,
  joinsPerSecondPerAccount: 10,
}

/** Returns the largest broadcast that a caller may send, in bytes. With the secret key, Supabase's limit applies. */
export function maxBroadcastBytes(identity: Identity, limits: Limits): number {
  return identity.role === 'service_role' ? limits.payloadBytes : limits.clientBroadcastBytes
}
