import type { ImageType } from './file-types.ts'

/** Maximum length of either side in pixels. */
export const maxSourceSide = 20_000

export type ImageSize = { width: number; height: number }

/** Reads the size of an image from its header, without decoding it. Returns null for an invalid header. */
export function readImageSize(bytes: Uint8Array, type: ImageType): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = readers[type](view)
  return size && size.width > 0 && size.height > 0 ? size : null
}

const readers: Record<ImageType, (view: DataView) => ImageSize | null> = {
  // The first chunk must be an IHDR chunk of 13 bytes.
  'image/png': (view) =>
    view.byteLength < 33 || view.getUint32(8) !== 13 || view.getUint32(12) !== 0x49484452
      ? null
      : { width: view.getUint32(16), height: view.getUint32(20) },
  'image/gif': (view) =>
    view.byteLength < 13 ? null : { width: view.getUint16(6, true), height: view.getUint16(8, true) },
  'image/jpeg': readJpegSize,
}

/** Start-of-frame markers. C4, C8 and CC in the same range have other meanings. */
const isStartOfFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Markers followed by a length: frames, tables, start of scan, application data and comments. */
const hasLength = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) ||
  (marker >= 0xda && marker <= 0xdd) ||
  (marker >= 0xe0 && marker <= 0xef) ||
  marker === 0xfe

/** Maximum number of scans. A progressive JPEG has about ten, and each costs a pass over the whole image. */
const maxJpegScans = 32

/**
 * Reads the size of a JPEG by walking through its segments. The decoder skips bytes between segments and accepts
 * markers without a length, so it could find a different size than this function. Returns null for files where that is
 * possible, and for files with too many scans.
 */
function readJpegSize(view: DataView): ImageSize | null {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  let size: ImageSize | null = null
  let scans = 0
  let at = 2
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xd9) break
    if (marker === 0xff) {
      // Padding.
      at += 1
      continue
    }
    const length = view.getUint16(at + 2)
    if (!hasLength(marker) || length < 2) return null
    if (isStartOfFrame(marker)) {
      if (size || at + 9 > view.byteLength) return null
      size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    }
    at += 2 + length
    if (marker !== 0xda) continue
    scans += 1
    if (!size || scans > maxJpegScans) return null
    at = findEndOfScan(bytes, at)
  }
  return size
}

/** Returns the position of the next marker. Within a scan, 0xff is followed by 0 or a restart marker (D0 to D7). */
export function findEndOfScan(bytes: Uint8Array, start: number): number {
  const { length } = bytes
  for (let at = start; at + 1 < length; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] as number
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return length
}
