/** The bytes that state an unknown size of a WebM file's Segment element, followed by the id of the Info element. */
const infoInUnfinishedSegment = '\x01\xff\xff\xff\xff\xff\xff\xff\x15\x49\xa9\x66'

/**
 * Adds the duration to a WebM recording. Some browsers leave it out, because they do not know it when they write the
 * start of the file. Without it, a player can neither show the duration nor seek. Leaves any other file unchanged.
 *
 * @returns the file in consecutive parts
 */
export function addWebmDuration(
  bytes: Uint8Array<ArrayBuffer>,
  durationMs: number,
): Uint8Array<ArrayBuffer>[] {
  const at = String.fromCharCode(...bytes.subarray(0, 4096)).indexOf(infoInUnfinishedSegment)
  const sizeAt = at + infoInUnfinishedSegment.length
  const first = bytes[sizeAt] ?? 0
  const width = Math.clz32(first) - 23
  if (at < 0 || width > 8) return [bytes]
  // The first bits of a size state its width in bytes.
  let size = first & (0xff >> width)
  for (let index = 1; index < width; index++) size = size * 256 + (bytes[sizeAt + index] ?? 0)
  // The new size of the Info element in eight bytes, then the Duration element: its id, its size and the duration in
  // milliseconds, the unit that browsers use.
  const inserted = new DataView(new ArrayBuffer(19))
  inserted.setBigUint64(0, (1n << 56n) + BigInt(size + 11))
  inserted.setUint16(8, 0x4489)
  inserted.setUint8(10, 0x88)
  inserted.setFloat64(11, durationMs)
  return [bytes.subarray(0, sizeAt), new Uint8Array(inserted.buffer), bytes.subarray(sizeAt + width)]
}
