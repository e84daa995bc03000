/** The positions of the first and the last byte in a range, both inclusive. */
export type ByteRange = { first: number; last: number }

/**
 * Parses a `Range` header.
 *
 * @param size size of the file in bytes
 * @returns null if the whole file should be sent, because the header is missing, is invalid or has several ranges;
 *   'unsatisfiable' if the range is outside the file
 */
export function parseRangeHeader(
  header: string | null | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i.exec(header?.replace(/\s+/g, '') ?? '')
  if (!match) return null
  const [, from, to, suffix] = match
  const first = from === undefined ? Math.max(0, size - Number(suffix)) : Number(from)
  const last = from === undefined || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== undefined && to !== '' && Number(to) < first) return null
  return first >= size || suffix === '0' ? 'unsatisfiable' : { first, last }
}
