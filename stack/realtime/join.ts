import { isObject, type JsonObject } from './types.ts'

const PREFIX = 'realtime:'
const MAX_TOPIC_BYTES = 255

/** Upstream's words for a project whose public topics are switched off, as they always are here. */
export const PRIVATE_ONLY = 'This project only allows private channels'

/** What a client wants of a channel, as read from the payload of its join. */
export type JoinRequest = {
  isPrivate: boolean
  /** Whether the client gets its own broadcasts back. */
  self: boolean
  /** Whether each broadcast is answered. */
  ack: boolean
  presenceEnabled: boolean
  presenceKey: string
  /** The token to join with; null means the one the socket was opened with. */
  token: string | null
}

/** The name behind `realtime:`, or why it is none. */
export function topicName(topic: string): { name: string } | { reason: string } {
  if (!topic.startsWith(PREFIX)) return { reason: 'unmatched topic' }
  const name = topic.slice(PREFIX.length)
  if (name === '') return { reason: 'TopicNameRequired: You must provide a topic name' }
  if (new TextEncoder().encode(topic).length > MAX_TOPIC_BYTES) {
    return { reason: 'TopicNameTooLong: A topic name has at most 246 bytes' }
  }
  return { name }
}

/** Reads a join's payload; what is missing or of another type counts as not asked for. Null for no object. */
export function parseJoin(payload: unknown): JoinRequest | null {
  if (!isObject(payload)) return null
  const config = part(payload, 'config')
  const broadcast = part(config, 'broadcast')
  const presence = part(config, 'presence')
  const token = payload.user_token ?? payload.access_token
  const key = presence.key
  return {
    isPrivate: flag(config.private),
    self: flag(broadcast.self),
    ack: flag(broadcast.ack),
    presenceEnabled: flag(presence.enabled),
    presenceKey: typeof key === 'string' && key !== '' ? key : crypto.randomUUID(),
    token: typeof token === 'string' ? token : null,
  }
}

function part(value: JsonObject, name: string): JsonObject {
  const inner = value[name]
  return isObject(inner) ? inner : {}
}

function flag(value: unknown): boolean {
  return value === true || value === 'true'
}
