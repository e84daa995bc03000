/**
 * Encodes and decodes frames of both versions of the Realtime protocol. A frame of version 1.0.0 is a JSON object. A
 * frame of version 2.0.0 is either a JSON array or a binary broadcast, from a client (kind 3) or from the server
 * (kind 4).
 */
import { type Frame, isObject, type JsonObject, type Version } from './types.ts'

const KIND_PUSH = 3
const KIND_BROADCAST = 4
const ENCODING_BINARY = 0
const MAX_FIELD_BYTES = 255

/** The reply to a broadcast that the client wants to be stored. */
export const CANNOT_PERSIST =
  'Broadcasts from clients are not stored; send the message from the database with realtime.send()'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** A malformed frame. The error message contains no data from the frame. */
export class ProtocolError extends Error {}

/** A message from a client. `payload` has not been validated. In a binary broadcast, it is null. */
export type Incoming = {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
  binary?: { event: string; bytes: Uint8Array<ArrayBuffer> }
  /** Whether the client asks to store its broadcast for replay, which it can only do in binary frames. */
  persist?: boolean
}

/** A message to one client. */
export type Outgoing = {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: JsonObject
}

/**
 * A broadcast before it is encoded. `body` is the JSON text of `{type, event, payload, meta?}`. A binary broadcast
 * cannot be expressed in version 1.0.0.
 */
export type Broadcast =
  | { kind: 'json'; body: string }
  | { kind: 'binary'; event: string; bytes: Uint8Array<ArrayBuffer>; meta?: JsonObject }

/**
 * Returns the protocol version that a `vsn` parameter names, or null if it is not supported. The default is 1.0.0, as
 * in Phoenix.
 */
export function parseVersion(vsn: string | null): Version | null {
  if (vsn === null || vsn === '1.0.0') return '1.0.0'
  return vsn === '2.0.0' ? vsn : null
}

/** Decodes one frame. @throws ProtocolError if the frame is malformed */
export function decode(version: Version, data: string | ArrayBuffer): Incoming {
  if (typeof data !== 'string') {
    if (version === '1.0.0') throw new ProtocolError('binary frames require version 2.0.0')
    return decodePush(new Uint8Array(data))
  }
  const value = parseJson(data)
  if (version === '1.0.0') {
    if (!isObject(value)) throw new ProtocolError('expected an object')
    return toIncoming(value.join_ref, value.ref, value.topic, value.event, value.payload)
  }
  if (!Array.isArray(value) || value.length < 5)
    throw new ProtocolError('expected an array of at least five elements')
  return toIncoming(value[0], value[1], value[2], value[3], value[4])
}

/** Encodes a message for one client. */
export function encode(version: Version, message: Outgoing): string {
  const { joinRef, ref, topic, event, payload } = message
  return version === '1.0.0'
    ? JSON.stringify({ topic, event, payload, ref })
    : JSON.stringify([joinRef, ref, topic, event, payload])
}

/** Encodes the reply to a message. */
export function encodeReply(
  version: Version,
  to: { joinRef: string | null; ref: string | null; topic: string },
  status: 'ok' | 'error',
  response: JsonObject,
): string {
  return encode(version, { ...to, event: 'phx_reply', payload: { status, response } })
}

/**
 * Encodes a broadcast for all members that use `version`. Returns null if that version cannot express it: 1.0.0 has no
 * binary payloads, and in binary frames, the topic, the event name and the metadata are limited to 255 bytes each.
 */
export function encodeBroadcast(version: Version, topic: string, broadcast: Broadcast): Frame | null {
  if (broadcast.kind === 'json') {
    const name = JSON.stringify(topic)
    return version === '1.0.0'
      ? `{"topic":${name},"event":"broadcast","payload":${broadcast.body},"ref":null}`
      : `[null,null,${name},"broadcast",${broadcast.body}]`
  }
  if (version === '1.0.0') return null
  const topicBytes = encoder.encode(topic)
  const event = encoder.encode(broadcast.event)
  const meta = encoder.encode(broadcast.meta ? JSON.stringify(broadcast.meta) : '')
  // The database can send topics and event names of any length.
  if (Math.max(topicBytes.length, event.length, meta.length) > MAX_FIELD_BYTES) return null
  return concat([
    Uint8Array.of(KIND_BROADCAST, topicBytes.length, event.length, meta.length, ENCODING_BINARY),
    topicBytes,
    event,
    meta,
    broadcast.bytes,
  ])
}

/** Returns the JSON text of a broadcast whose payload is already JSON text. */
export function broadcastBody(event: string, payloadText: string, meta?: JsonObject): string {
  const tail = meta ? `,"meta":${JSON.stringify(meta)}` : ''
  return `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payloadText}${tail}}`
}

/** Returns whether the JSON body of a broadcast, or its binary payload, is larger than `maxBytes`. */
export function isBroadcastLargerThan(broadcast: Broadcast, maxBytes: number): boolean {
  return broadcast.kind === 'binary'
    ? broadcast.bytes.length > maxBytes
    : isTextLargerThan(broadcast.body, maxBytes)
}

/** Returns whether a string is longer than `maxBytes` in UTF-8. */
export function isTextLargerThan(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || encoder.encode(text).length > maxBytes
}

function decodePush(bytes: Uint8Array<ArrayBuffer>): Incoming {
  const [kind, joinRefSize = 0, refSize = 0, topicSize = 0, eventSize = 0, metaSize = 0, encoding] = bytes
  if (kind !== KIND_PUSH || encoding === undefined)
    throw new ProtocolError('unknown or incomplete binary frame')
  let offset = 7
  const take = (size: number): Uint8Array<ArrayBuffer> => {
    if (offset + size > bytes.length) throw new ProtocolError('binary frame is truncated')
    const part = bytes.subarray(offset, offset + size)
    offset += size
    return part
  }
  const joinRef = decodeText(take(joinRefSize))
  const ref = decodeText(take(refSize))
  const topic = decodeText(take(topicSize))
  const event = decodeText(take(eventSize))
  const meta = take(metaSize)
  const rest = bytes.subarray(offset)
  const head = {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    ...(asksToPersist(meta) && { persist: true }),
  }
  if (encoding === ENCODING_BINARY) return { ...head, payload: null, binary: { event, bytes: rest } }
  // Invalid JSON is rejected here, because it would throw in the clients of all other members.
  const payload = parseJson(decodeText(rest))
  return { ...head, payload: { type: 'broadcast', event, payload } }
}

/** Returns whether the metadata of a push asks to store the broadcast. */
function asksToPersist(meta: Uint8Array): boolean {
  if (meta.length === 0) return false
  const value = parseJson(decodeText(meta))
  return isObject(value) && Boolean(value.persist)
}

function toIncoming(
  joinRef: unknown,
  ref: unknown,
  topic: unknown,
  event: unknown,
  payload: unknown,
): Incoming {
  if (typeof topic !== 'string' || typeof event !== 'string') {
    throw new ProtocolError('topic and event must be strings')
  }
  return { joinRef: parseRef(joinRef), ref: parseRef(ref), topic, event, payload }
}

function parseRef(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new ProtocolError('a ref must be a string or a number')
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw new ProtocolError('not JSON')
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ProtocolError('not UTF-8')
  }
}

export function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
