/** What a picture is made of, and what is taken over of it: its colour profile, its gamma, how it is turned. */
const kept = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'eXIf'])
/** Those of which there is one at most. The decoder would unpack each profile, though it uses one. */
const single = new Set(['IHDR', 'PLTE', 'iCCP', 'eXIf'])

/**
 * Copies a PNG chunk by chunk, and of its chunks only those that its picture needs. Of all others the decoder would
 * unpack the ones that are packed, a thousand times their length, and keep the rest in memory.
 *
 * @returns null when it is no PNG
 */
export function cleanPng(source: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  const copy = new Uint8Array(source.length)
  const seen = new Set<string>()
  copy.set(source.subarray(0, 8))
  let filled = 8
  let at = 8
  // A length, a name, as many bytes, a checksum.
  while (at + 12 <= source.length) {
    const end = at + 12 + view.getUint32(at)
    const name = String.fromCharCode(...source.subarray(at + 4, at + 8))
    if (end > source.length || (single.has(name) && seen.has(name))) return null
    seen.add(name)
    if (kept.has(name)) {
      copy.set(source.subarray(at, end), filled)
      filled += end - at
    }
    if (name === 'IEND') return copy.slice(0, filled)
    at = end
  }
  return null
}
