/** The messages in the `realtime.messages` table, where the database stores what it sends. */
import { type Broadcast, broadcastBody } from './protocol.ts'

/**
 * A message from the database. `payload` is JSON text; if it is an object, it contains `id`. A binary message has its
 * content in `bytes`, and `{}` as its payload.
 */
export type StoredMessage = {
  id: string
  topic: string
  event: string
  payload: string
  bytes: Uint8Array<ArrayBuffer> | null
}

/** A row of a query that selects `MESSAGE_COLUMNS`. */
export type MessageRow = Omit<StoredMessage, 'bytes'> & { bytes: Uint8Array | null }

/** An SQL expression for the payload of a message, as JSON text. */
export const PAYLOAD_COLUMN = `(case
    when jsonb_typeof(payload) = 'object' and not payload ? 'id' then payload || jsonb_build_object('id', id)
    else coalesce(payload, '{}')
  end)::text`

/** The SQL select list for a message in `realtime.messages`. */
export const MESSAGE_COLUMNS = `id, topic, event, binary_payload as bytes, ${PAYLOAD_COLUMN} as payload`

export function toStoredMessage(row: MessageRow): StoredMessage {
  return { ...row, bytes: row.bytes && new Uint8Array(row.bytes) }
}

/**
 * Converts a stored message to a broadcast.
 *
 * @param replayed whether the message is sent again, to a client that has just joined
 */
export function toBroadcast({ id, event, payload, bytes }: StoredMessage, replayed = false): Broadcast {
  const meta = replayed ? { id, replayed } : { id }
  return bytes
    ? { kind: 'binary', event, bytes, meta }
    : { kind: 'json', body: broadcastBody(event, payload, meta) }
}
