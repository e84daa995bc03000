import { findEndOfScan, type ImageSize } from './image-size.ts'

export const maxGifFrames = 2_000

/** A GIF without metadata, and its number of frames. */
type SanitizedGif = { bytes: Uint8Array<ArrayBuffer>; frames: number }

/**
 * Copies a GIF block by block and keeps only the frames, their timing and the loop count. Comments, application data
 * and bytes after the end are dropped.
 *
 * @param maxPixels limit for all frames together, because the decoder holds all of them in memory
 * @returns 'broken' for an invalid GIF, 'pixels' if its frames or its canvas exceed `maxPixels`, or if it has more than
 *   `maxGifFrames` frames
 */
export function sanitizeGif(
  source: Uint8Array,
  { width, height }: ImageSize,
  maxPixels: number,
): SanitizedGif | 'broken' | 'pixels' {
  const reader = new GifReader(source)
  // The header, the logical screen descriptor and the global color table.
  if (!reader.skip(13) || !reader.skip(colorTableLength(source[10]))) return 'broken'
  reader.keepFrom(0)
  let frames = 0
  let pixels = 0
  for (;;) {
    const start = reader.position
    const introducer = reader.readByte()
    // A file that was cut off between two blocks gets the missing trailer.
    if (introducer === undefined || introducer === 0x3b) break
    if (introducer === 0x21) {
      const label = reader.readByte()
      const isKept = label === 0xf9 || (label === 0xff && reader.isLoopExtension())
      if (label === undefined || !reader.skipBlocks()) return 'broken'
      if (isKept) reader.keepFrom(start)
    } else if (introducer === 0x2c) {
      const frame = reader.readFrame()
      if (!frame || frame.width === 0 || frame.height === 0) return 'broken'
      frames += 1
      pixels += frame.width * frame.height
      if (frames > maxGifFrames || Math.max(pixels, width * height) > maxPixels) return 'pixels'
      reader.keepFrom(start)
    } else return 'broken'
  }
  return frames === 0 ? 'broken' : { bytes: reader.keptBytes(), frames }
}

/** Returns the length in bytes of the color table that the flags describe; 0 if there is none. */
const colorTableLength = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

const loopExtensions = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

/** Reads a GIF and collects the bytes to keep. */
class GifReader {
  position = 0
  readonly #parts: Uint8Array[] = []
  readonly #source: Uint8Array

  constructor(source: Uint8Array) {
    this.#source = source
  }

  readByte(): number | undefined {
    return this.#source[this.position++]
  }

  /** Moves forward. Returns false if that leads past the end of the file. */
  skip(bytes: number): boolean {
    this.position += bytes
    return this.position <= this.#source.length
  }

  /** Skips data blocks up to and including the empty block that ends them. */
  skipBlocks(): boolean {
    for (;;) {
      const length = this.readByte()
      if (length === undefined) return false
      if (length === 0) return true
      if (!this.skip(length)) return false
    }
  }

  /** Returns whether the application extension at this position contains the loop count. */
  isLoopExtension(): boolean {
    const at = this.position
    const name = this.#source.subarray(at + 1, at + 12)
    // The name is followed by one block of three bytes: a sub-block id and the loop count.
    const [length, subBlockId, , , end] = this.#source.subarray(at + 12, at + 17)
    return (
      this.#source[at] === 11 &&
      loopExtensions.has(String.fromCharCode(...name)) &&
      length === 3 &&
      subBlockId === 1 &&
      end === 0
    )
  }

  /** Skips the frame whose descriptor starts at this position. Returns its size, or null if it is incomplete. */
  readFrame(): ImageSize | null {
    const at = this.position
    const [, , , , w0 = 0, w1 = 0, h0 = 0, h1 = 0, flags] = this.#source.subarray(at, at + 9)
    const isComplete = this.skip(9) && this.skip(colorTableLength(flags)) && this.skip(1) && this.skipBlocks()
    return isComplete ? { width: w0 + w1 * 256, height: h0 + h1 * 256 } : null
  }

  /** Keeps the bytes from `start` to this position. */
  keepFrom(start: number): void {
    this.#parts.push(this.#source.subarray(start, this.position))
  }

  /** Returns the kept bytes followed by the trailer. */
  keptBytes(): Uint8Array<ArrayBuffer> {
    return concatBytes([...this.#parts, Uint8Array.of(0x3b)])
  }
}

function concatBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The chunks that an image needs, including its color profile, gamma and orientation. */
const keptPngChunks = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'eXIf',
])
/** Chunks that may occur only once. The decoder would decompress every color profile, although it uses only one. */
const uniquePngChunks = new Set(['IHDR', 'PLTE', 'iCCP', 'eXIf'])

/**
 * Copies a PNG chunk by chunk and keeps only the chunks that the image needs. The decoder would decompress text chunks
 * to up to a thousand times their length, and hold all other chunks in memory.
 *
 * @returns null for an invalid PNG
 */
export function sanitizePng(source: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  const copy = new Uint8Array(source.length)
  const seen = new Set<string>()
  copy.set(source.subarray(0, 8))
  let filled = 8
  let at = 8
  // A chunk consists of a length, a name, data of that length and a checksum.
  while (at + 12 <= source.length) {
    const end = at + 12 + view.getUint32(at)
    const name = String.fromCharCode(...source.subarray(at + 4, at + 8))
    if (end > source.length || (uniquePngChunks.has(name) && seen.has(name))) return null
    seen.add(name)
    if (keptPngChunks.has(name)) {
      copy.set(source.subarray(at, end), filled)
      filled += end - at
    }
    if (name === 'IEND') return copy.slice(0, filled)
    at = end
  }
  return null
}

/** Segments that a JPEG needs at most once: JFIF, Adobe and the restart interval. */
const uniqueJpegMarkers = [0xe0, 0xee, 0xdd]

/**
 * Maximum total size in bytes of the quantization and Huffman tables in a JPEG that is copied. Most JPEGs need less
 * than 2 kB.
 */
const maxJpegTableBytes = 16_384

/**
 * Copies a JPEG segment by segment and keeps only what is needed to display it: its frame, tables, scans and color
 * profile. Metadata and bytes after the end are dropped. The scans are not decoded, so they can contain bytes that a
 * decoder ignores.
 *
 * @param source a JPEG whose size `readImageSize` could read
 * @param maxProfileBytes maximum length of the color profile
 * @returns null if the JPEG has to be encoded again because it has Exif data (which can contain a rotation), is not
 *   8-bit grayscale, RGB or YCbCr, has data that no decoder needs (such as a thumbnail or repeated segments), has an
 *   invalid color profile or one that is too long, uses a rare feature, or is incomplete
 */
export function sanitizeJpeg(source: Uint8Array, maxProfileBytes: number): Uint8Array<ArrayBuffer> | null {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  const parts: Uint8Array[] = [Uint8Array.of(0xff, 0xd8)]
  const profile: Uint8Array[] = []
  const seen = new Set<number>()
  let tableBytes = 0
  // In a sequential JPEG, each component has only one scan.
  let unscannedComponents = Number.POSITIVE_INFINITY
  let at = 2
  while (at + 4 <= source.length && source[at + 1] !== 0xd9) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      // Padding.
      at += 1
      continue
    }
    let end = at + 2 + view.getUint16(at + 2)
    const segment = source.subarray(at, end)
    const handling = handleJpegSegment(marker, segment)
    if (marker === 0xc0 || marker === 0xc1) unscannedComponents = segment[9] ?? 0
    if (marker === 0xdb || marker === 0xc4) tableBytes += segment.length
    if (handling === 'profile') profile.push(segment)
    if (uniqueJpegMarkers.includes(marker) && handling === 'keep' && seen.has(marker)) return null
    seen.add(marker)
    if (marker === 0xda) {
      unscannedComponents -= segment[4] ?? 0
      end = findEndOfScan(source, end)
    }
    if (handling === 'reencode' || end > source.length || unscannedComponents < 0) return null
    if (handling !== 'drop') parts.push(source.subarray(at, end))
    at = end
  }
  if (source[at] !== 0xff || source[at + 1] !== 0xd9) return null
  if (tableBytes > maxJpegTableBytes || !isColorProfile(profile, maxProfileBytes)) return null
  return concatBytes([...parts, Uint8Array.of(0xff, 0xd9)])
}

/** Returns whether the segments contain one complete color profile, in order, or none. */
function isColorProfile(segments: readonly Uint8Array[], maxBytes: number): boolean {
  if (segments.length === 0) return true
  const isInOrder = segments.every((segment, i) => segment[16] === i + 1 && segment[17] === segments.length)
  // A segment starts with a marker, a length, the name ICC_PROFILE, the segment's number and the number of segments.
  const profile = concatBytes(segments.map((segment) => segment.subarray(18)))
  if (!isInOrder || profile.length < 128 || profile.length > maxBytes) return false
  const declaredLength = new DataView(profile.buffer).getUint32(0)
  return declaredLength === profile.length && String.fromCharCode(...profile.subarray(36, 40)) === 'acsp'
}

/** Decides whether to keep a segment, keep it as part of the color profile, drop it, or encode the whole JPEG again. */
function handleJpegSegment(marker: number, segment: Uint8Array): 'keep' | 'profile' | 'drop' | 'reencode' {
  const startsWith = (name: string) => String.fromCharCode(...segment.subarray(4, 4 + name.length)) === name
  switch (marker) {
    case 0xe0: {
      if (!startsWith('JFIF\0')) return 'drop'
      const hasThumbnail = segment.length !== 18 || segment[16] !== 0 || segment[17] !== 0
      return hasThumbnail ? 'reencode' : 'keep'
    }
    case 0xe1:
      return startsWith('Exif\0') ? 'reencode' : 'drop'
    case 0xe2:
      return startsWith('ICC_PROFILE\0') ? 'profile' : 'drop'
    case 0xee:
      // This segment specifies how the colors are encoded.
      if (!startsWith('Adobe')) return 'drop'
      return segment.length === 16 ? 'keep' : 'reencode'
    case 0xdd:
      return segment.length === 6 ? 'keep' : 'reencode'
    case 0xda:
    case 0xc4:
    case 0xdb:
      return 'keep'
    case 0xc0:
    case 0xc1:
    case 0xc2: {
      const [precision, components = 0] = [segment[4], segment[9]]
      return precision === 8 && (components === 1 || components === 3) ? 'keep' : 'reencode'
    }
    default:
      return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe ? 'drop' : 'reencode'
  }
}
