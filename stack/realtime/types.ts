/** The two ways a frame can be laid out, chosen by `vsn` in the socket's address. */
export type Version = '1.0.0' | '2.0.0'

/** What leaves on a socket: a text frame or a binary one. */
export type Frame = string | Uint8Array<ArrayBuffer>

/** What a policy on `realtime.messages` is asked about. */
export type Extension = 'broadcast' | 'presence'

/** A JSON object of unknown content. */
export type JsonObject = Record<string, unknown>

/** Narrows an unknown value to a JSON object; arrays and null are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
