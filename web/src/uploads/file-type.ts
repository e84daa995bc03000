import type { VideoType } from '@contract/media.ts'
import { translateServerText } from '@/lib/errors'

type ImageType = 'image/jpeg' | 'image/png' | 'image/gif'

/** Detects the type of an image from its first bytes, not its name. Returns null if it is not a JPEG, PNG or GIF. */
export async function sniffImage(file: Blob): Promise<ImageType | null> {
  const bytes = await readHeader(file)
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  return /^GIF8[79]a/.test(ascii(bytes, 0, 6)) ? 'image/gif' : null
}

/** Brands of the MP4 container for files other than video: images and audio. */
const nonVideoBrands = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|M4A |M4B |M4P |F4A |F4B |crx )$/

/** Detects the type of a video from its first bytes. Returns null if it is not an MP4, WebM or QuickTime file. */
export async function sniffVideo(file: Blob): Promise<VideoType | null> {
  const bytes = await readHeader(file)
  if (ascii(bytes, 4, 4) === 'ftyp') {
    const brand = ascii(bytes, 8, 4)
    if (nonVideoBrands.test(brand)) return null
    return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  }
  // An EBML file names its document type near the start.
  if (startsWith(bytes, 0x1a, 0x45, 0xdf, 0xa3)) {
    return ascii(bytes, 0, bytes.length).includes('webm') ? 'video/webm' : null
  }
  return null
}

/** A GIF that is larger than this is not read and counts as animated. */
const maxScannedGifBytes = 32 * 1024 * 1024

/** Returns whether a GIF has more than one frame. Compression would keep only one. */
export async function isAnimatedGif(file: Blob): Promise<boolean> {
  if (file.size > maxScannedGifBytes) return true
  const bytes = new Uint8Array(await file.arrayBuffer())
  const colorTableSize = (flags: number) => (flags & 0x80 ? 3 << ((flags & 0x07) + 1) : 0)
  let offset = 13 + colorTableSize(bytes[10] ?? 0)
  let frames = 0
  const skipSubBlocks = () => {
    while (offset < bytes.length) {
      const length = bytes[offset] ?? 0
      offset += length + 1
      if (length === 0) return
    }
  }
  while (offset < bytes.length) {
    const introducer = bytes[offset]
    if (introducer === 0x21) {
      offset += 2
      skipSubBlocks()
    } else if (introducer === 0x2c) {
      frames += 1
      if (frames > 1) return true
      offset += 10 + colorTableSize(bytes[offset + 9] ?? 0) + 1
      skipSubBlocks()
    } else return false
  }
  return false
}

/** Enough bytes for the first box of an MP4 and the header of a WebM. */
const headerLength = 64

async function readHeader(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, headerLength).arrayBuffer())
}

function ascii(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length))
}

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}

/**
 * Thrown if the client rejects a file before uploading it. The title and message are for a toast, in the app's
 * language. The constructor translates messages from the contract.
 */
export class FileRejectedError extends Error {
  readonly title: string

  constructor(title: string, message: string) {
    super(translateServerText(message))
    this.name = 'FileRejectedError'
    this.title = title
  }
}
