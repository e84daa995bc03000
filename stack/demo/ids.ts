import { createHash } from 'node:crypto'

/**
 * Returns the fixed id of a demo object: a UUID that is derived from its kind and name. Ids are also used as seeds for
 * random draws, so changing a kind or name changes the drawn data.
 */
export function idOf(kind: string, name: string): string {
  const bytes = createHash('sha1').update(`ovation demo ${kind} ${name}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const userIdOf = (username: string): string => idOf('person', username)

/** The admin who approves accounts, settles payouts and decides cases. */
export const adminUsername = 'samira'

/** The user of the creator account, who has the most followers. */
export const creatorUsername = 'noormakes'

/** The user of the fan account. */
export const fanUsername = 'marisolq'
