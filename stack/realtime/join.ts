import { isObject, type JsonObject } from './types.ts'

const PREFIX = 'realtime:'
const MAX_TOPIC_BYTES = 255

/** Supabase's message when public topics are disabled, as they always are here. */
export const PRIVATE_ONLY = 'This project only allows private channels'

/** The reply to a join with `postgres_changes`. */
export const NO_POSTGRES_CHANGES =
  'PostgresChangesNotSupported: postgres_changes is not available here. Broadcast the changes from the database with realtime.broadcast_changes() instead'

/** At most this many messages are replayed, as on Supabase. */
const MAX_REPLAYED = 25
/** The end of the year 9999, the latest time that Supabase accepts, in milliseconds. */
const MAX_TIME_MS = 253_402_300_799_999

/** Which messages are replayed: the newest `limit` ones since `sinceMs`, a Unix time in milliseconds. */
export type ReplayRequest = { sinceMs: number; limit: number }

/** The options of a channel, from the payload of its join. */
export type JoinRequest = {
  isPrivate: boolean
  /** Whether the client receives its own broadcasts. */
  self: boolean
  /** Whether each broadcast is acknowledged. */
  ack: boolean
  /** Whether the client is notified once messages from the database can reach it. */
  replicationReady: boolean
  replay: ReplayRequest | 'invalid' | null
  /** Whether the client asks for `postgres_changes`. */
  postgresChanges: boolean
  presenceEnabled: boolean
  presenceKey: string
  /** The token for this channel, or null to use the token or key with which the socket was opened. */
  token: string | null
}

/** Returns the topic name after the prefix `realtime:`, or the reason why it is invalid. */
export function parseTopicName(topic: string): { name: string } | { reason: string } {
  if (!topic.startsWith(PREFIX)) return { reason: 'unmatched topic' }
  const name = topic.slice(PREFIX.length)
  if (name === '') return { reason: 'TopicNameRequired: You must provide a topic name' }
  if (new TextEncoder().encode(topic).length > MAX_TOPIC_BYTES) {
    return { reason: 'TopicNameTooLong: A topic name has at most 246 bytes' }
  }
  return { name }
}

/**
 * Parses the payload of a join, or returns null if it is not an object. Flags with a value other than true or 'true'
 * are off.
 */
export function parseJoin(payload: unknown): JoinRequest | null {
  if (!isObject(payload)) return null
  const config = objectAt(payload, 'config')
  const broadcast = objectAt(config, 'broadcast')
  const presence = objectAt(config, 'presence')
  const token = payload.user_token ?? payload.access_token
  const key = presence.key
  return {
    isPrivate: isTrue(config.private),
    self: isTrue(broadcast.self),
    ack: isTrue(broadcast.ack),
    replicationReady: isTrue(broadcast.replication_ready),
    replay: parseReplay(broadcast.replay),
    postgresChanges:
      Array.isArray(config.postgres_changes) && config.postgres_changes.some((each) => each !== null),
    presenceEnabled: isTrue(presence.enabled),
    presenceKey: typeof key === 'string' && key !== '' ? key : crypto.randomUUID(),
    token: typeof token === 'string' ? token : null,
  }
}

function parseReplay(replay: unknown): ReplayRequest | 'invalid' | null {
  if (replay === undefined || replay === null) return null
  if (!isObject(replay)) return 'invalid'
  const { since, limit = MAX_REPLAYED } = replay
  if (!isInteger(since) || since > MAX_TIME_MS || !isInteger(limit)) return 'invalid'
  return { sinceMs: Math.max(0, since), limit: Math.min(Math.max(limit, 1), MAX_REPLAYED) }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function objectAt(parent: JsonObject, name: string): JsonObject {
  const value = parent[name]
  return isObject(value) ? value : {}
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}
