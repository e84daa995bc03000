import { limits } from '../contract/limits.ts'
import type { ImageType } from './kinds.ts'

/** Pixels of a side at most, whatever the other side is. */
export const longestSide = 20_000

export type Size = { width: number; height: number }

/** Whether a picture of this size, in pixels, would be too much to decode. */
export const isTooLarge = ({ width, height }: Size) =>
  width > longestSide || height > longestSide || width * height > limits.image.maxPixels

/** What a picture says of its size in its header, before anything of it is decoded; null when it says nothing. */
export function sizeOf(bytes: Uint8Array, type: ImageType): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = readers[type](view)
  return size && size.width > 0 && size.height > 0 ? size : null
}

const readers: Record<ImageType, (view: DataView) => Size | null> = {
  // The first chunk is the header and has 13 bytes, or it is no PNG.
  'image/png': (view) =>
    view.byteLength < 33 || view.getUint32(8) !== 13 || view.getUint32(12) !== 0x49484452
      ? null
      : { width: view.getUint32(16), height: view.getUint32(20) },
  'image/gif': (view) =>
    view.byteLength < 13 ? null : { width: view.getUint16(6, true), height: view.getUint16(8, true) },
  'image/jpeg': sizeOfJpeg,
}

/** Start-of-frame markers; the three left out (C4, C8, CC) are something else. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Markers that a length follows: frames, tables, the start of a scan, what programs noted, comments. */
const hasLength = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) ||
  (marker >= 0xda && marker <= 0xdd) ||
  (marker >= 0xe0 && marker <= 0xef) ||
  marker === 0xfe

/** Scans of a JPEG at most; a progressive one has about ten, and each costs a pass over the whole picture. */
const mostScans = 32

/**
 * Walks a JPEG from segment to segment. The decoder skips what stands between two of them, and knows markers without a
 * length: where it could read on at another place than this, there is no size. Null too for one that would be decoded
 * again and again.
 */
function sizeOfJpeg(view: DataView): Size | null {
  let size: Size | null = null
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
    if (isFrame(marker)) {
      if (size || at + 9 > view.byteLength) return null
      size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    }
    at += 2 + length
    if (marker !== 0xda) continue
    scans += 1
    if (!size || scans > mostScans) return null
    at = endOfScan(view, at)
  }
  return size
}

/** Where the next marker is: within a scan, 0xff is followed by 0 or by the number of a restart. */
function endOfScan(view: DataView, start: number): number {
  for (let at = start; at + 1 < view.byteLength; at++) {
    if (view.getUint8(at) !== 0xff) continue
    const next = view.getUint8(at + 1)
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return view.byteLength
}
