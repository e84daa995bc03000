/**
 * The Realtime wire format, both versions. Version 1.0.0 is one JSON object a frame; 2.0.0 is a JSON
 * array, plus two binary kinds: a broadcast pushed by a client (3) and one sent by the server (4).
 */
import { type Frame, isObject, type JsonObject, type Version } from './types.ts'

const KIND_PUSH = 3
const KIND_BROADCAST = 4
const ENCODING_BINARY = 0
const MAX_FIELD_BYTES = 255

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** A frame that breaks the protocol; the message says how and holds nothing of the frame. */
export class ProtocolError extends Error {}

/** A message from a client. `payload` is unchecked; `binary` stands in its place for a binary broadcast. */
export type Incoming = {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
  binary?: { event: string; bytes: Uint8Array<ArrayBuffer> }
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
 * A broadcast before it is framed: `body` is the JSON text of `{type, event, payload, meta?}`; a binary
 * one keeps its bytes, and has no form in version 1.0.0.
 */
export type Broadcast =
  | { kind: 'json'; body: string }
  | { kind: 'binary'; event: string; bytes: Uint8Array<ArrayBuffer>; meta?: JsonObject }

/** The version a socket's `vsn` parameter names, or null for one not spoken. None means 1.0.0, as in Phoenix. */
export function parseVersion(vsn: string | null): Version | null {
  if (vsn === null || vsn === '1.0.0') return '1.0.0'
  return vsn === '2.0.0' ? vsn : null
}

/** Reads one frame. Throws ProtocolError when it is none. */
export function decode(version: Version, data: string | ArrayBuffer): Incoming {
  if (typeof data !== 'string') {
    if (version === '1.0.0') throw new ProtocolError('binary frames need version 2.0.0')
    return decodePush(new Uint8Array(data))
  }
  const value = parseJson(data)
  if (version === '1.0.0') {
    if (!isObject(value)) throw new ProtocolError('expected an object')
    return checked(value.join_ref, value.ref, value.topic, value.event, value.payload)
  }
  if (!Array.isArray(value) || value.length < 5) throw new ProtocolError('expected an array of five')
  return checked(value[0], value[1], value[2], value[3], value[4])
}

/** Frames a message for one client. */
export function encode(version: Version, message: Outgoing): string {
  const { joinRef, ref, topic, event, payload } = message
  return version === '1.0.0'
    ? JSON.stringify({ topic, event, payload, ref })
    : JSON.stringify([joinRef, ref, topic, event, payload])
}

/** Frames the answer to a message that asked for one. */
export function encodeReply(
  version: Version,
  to: { joinRef: string | null; ref: string | null; topic: string },
  status: 'ok' | 'error',
  response: JsonObject,
): string {
  return encode(version, { ...to, event: 'phx_reply', payload: { status, response } })
}

/** Frames a broadcast for every member that speaks `version`; null where the version cannot carry it. */
export function encodeBroadcast(version: Version, topic: string, broadcast: Broadcast): Frame | null {
  if (broadcast.kind === 'json') {
    const name = JSON.stringify(topic)
    return version === '1.0.0'
      ? `{"topic":${name},"event":"broadcast","payload":${broadcast.body},"ref":null}`
      : `[null,null,${name},"broadcast",${broadcast.body}]`
  }
  if (version === '1.0.0') return null
  const topicBytes = field('topic', topic)
  const event = field('event', broadcast.event)
  const meta = field('meta', broadcast.meta ? JSON.stringify(broadcast.meta) : '')
  return concat([
    Uint8Array.of(KIND_BROADCAST, topicBytes.length, event.length, meta.length, ENCODING_BINARY),
    topicBytes,
    event,
    meta,
    broadcast.bytes,
  ])
}

/** The JSON text of a broadcast's body around a payload that is JSON text already. */
export function broadcastBody(event: string, payloadText: string, meta?: JsonObject): string {
  const tail = meta ? `,"meta":${JSON.stringify(meta)}` : ''
  return `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payloadText}${tail}}`
}

/** Whether a broadcast has more than `most` bytes: the JSON with its envelope, or the binary payload alone. */
export function isLarger(broadcast: Broadcast, most: number): boolean {
  return broadcast.kind === 'binary' ? broadcast.bytes.length > most : isLonger(broadcast.body, most)
}

/** Whether a text has more than `most` bytes as UTF-8. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most || encoder.encode(text).length > most
}

function decodePush(bytes: Uint8Array<ArrayBuffer>): Incoming {
  const [kind, joinRefSize = 0, refSize = 0, topicSize = 0, eventSize = 0, metaSize = 0, encoding] = bytes
  if (kind !== KIND_PUSH || encoding === undefined) throw new ProtocolError('unknown binary frame')
  let offset = 7
  const take = (size: number): Uint8Array<ArrayBuffer> => {
    if (offset + size > bytes.length) throw new ProtocolError('binary frame is cut short')
    const part = bytes.subarray(offset, offset + size)
    offset += size
    return part
  }
  const joinRef = text(take(joinRefSize))
  const ref = text(take(refSize))
  const topic = text(take(topicSize))
  const event = text(take(eventSize))
  take(metaSize) // asks for storing a broadcast, which only the database does here
  const rest = bytes.subarray(offset)
  const head = { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast' }
  if (encoding === ENCODING_BINARY) return { ...head, payload: null, binary: { event, bytes: rest } }
  // Parsed, not passed on unread: a broken text would throw in every other member's client.
  const payload = parseJson(text(rest))
  return { ...head, payload: { type: 'broadcast', event, payload } }
}

function checked(joinRef: unknown, ref: unknown, topic: unknown, event: unknown, payload: unknown): Incoming {
  if (typeof topic !== 'string' || typeof event !== 'string') {
    throw new ProtocolError('topic and event must be text')
  }
  return { joinRef: reference(joinRef), ref: reference(ref), topic, event, payload }
}

function reference(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new ProtocolError('a ref must be text')
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw new ProtocolError('not JSON')
  }
}

function text(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ProtocolError('not UTF-8')
  }
}

/** A header field, whose length must fit into one byte. */
function field(name: string, value: string): Uint8Array {
  const bytes = encoder.encode(value)
  if (bytes.length > MAX_FIELD_BYTES) throw new ProtocolError(`${name} is longer than 255 bytes`)
  return bytes
}

function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
