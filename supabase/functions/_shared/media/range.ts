/** The first and the last byte of a part of a file. */
export type Range = { first: number; last: number }

/**
 * What a `Range` header asks for of a file.
 *
 * @param size bytes of the file
 * @returns null for all of it: without the header, and with one that is not understood or names several parts;
 *   'beyond' when it asks for nothing that is there
 */
export function readRange(header: string | null | undefined, size: number): Range | 'beyond' | null {
  const match = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i.exec(header?.replace(/\s+/g, '') ?? '')
  if (!match) return null
  const [, from, to, suffix] = match
  const first = from === undefined ? Math.max(0, size - Number(suffix)) : Number(from)
  const last = from === undefined || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  // Backwards is no range at all.
  if (from !== undefined && to !== '' && Number(to) < first) return null
  return first >= size || suffix === '0' ? 'beyond' : { first, last }
}
