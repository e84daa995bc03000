/** A message of the database. `payload` is JSON text and holds `id`; `bytes` stands in its place for a binary one. */
export type StoredMessage = {
  id: string
  topic: string
  event: string
  payload: string
  bytes: Uint8Array<ArrayBuffer> | null
}

/** What a notification tells of a row: `message` is null where the row did not fit and must be read. */
export type Announcement = { id: string; topic: string; message: StoredMessage | null }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads what `realtime.notify_message()` wrote; null when it is something else. */
export function readAnnouncement(text: string): Announcement | null {
  const first = text.indexOf('\n')
  const second = first < 0 ? -1 : text.indexOf('\n', first + 1)
  const head = first < 0 ? text : text.slice(0, first)
  const space = head.indexOf(' ')
  const id = head.slice(0, space)
  const topic = head.slice(space + 1)
  if (!UUID.test(id)) return null
  if (second < 0) return { id, topic, message: null }
  const [event, payload] = [text.slice(first + 1, second), text.slice(second + 1)]
  return { id, topic, message: { id, topic, event, payload, bytes: null } }
}
