/** The protocol version, chosen by the `vsn` parameter of the socket's URL. */
export type Version = '1.0.0' | '2.0.0'

/** A text or binary WebSocket frame. */
export type Frame = string | Uint8Array<ArrayBuffer>

/** The values of `realtime.messages.extension`, which policies use to distinguish broadcasts from presence. */
export type Extension = 'broadcast' | 'presence'

export type JsonObject = Record<string, unknown>

/** Returns whether a value is a JSON object; arrays and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
