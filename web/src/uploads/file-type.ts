import type { VideoType } from '@contract/media.ts'

export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif'

/** Bytes that are looked at: enough for the first box of an MP4 and the header of a WebM. */
const headLength = 64

async function head(file: Blob, length = headLength): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, length).arrayBuffer())
}

const ascii = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length))

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte)

/** What a picture is by its first bytes, whatever its name says; null when it is no JPG, PNG or GIF. */
export async function sniffImage(file: Blob): Promise<ImageType | null> {
  const bytes = await head(file)
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  return /^GIF8[79]a/.test(ascii(bytes, 0, 6)) ? 'image/gif' : null
}

/** Brands of the same container that hold no video: pictures, and sound alone. */
const otherBrands = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|M4A |M4B |M4P |F4A |F4B |crx )$/

/** What a video is by its first bytes; null when it is no MP4, WebM or QuickTime. */
export async function sniffVideo(file: Blob): Promise<VideoType | null> {
  const bytes = await head(file)
  if (ascii(bytes, 4, 4) === 'ftyp') {
    const brand = ascii(bytes, 8, 4)
    if (otherBrands.test(brand)) return null
    return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  }
  // The header of an EBML file names its kind near the start.
  if (startsWith(bytes, 0x1a, 0x45, 0xdf, 0xa3)) {
    return ascii(bytes, 0, bytes.length).includes('webm') ? 'video/webm' : null
  }
  return null
}

/** Bytes a look at the frames of a GIF may take at most; one that is larger counts as animated. */
const longestGif = 32 * 1024 * 1024

/** True when a GIF has more than one frame: made smaller, it would stand still. */
export async function isAnimatedGif(file: Blob): Promise<boolean> {
  if (file.size > longestGif) return true
  const bytes = new Uint8Array(await file.arrayBuffer())
  const tableSize = (flags: number) => (flags & 0x80 ? 3 << ((flags & 0x07) + 1) : 0)
  let at = 13 + tableSize(bytes[10] ?? 0)
  let frames = 0
  const skipBlocks = () => {
    while (at < bytes.length) {
      const length = bytes[at] ?? 0
      at += length + 1
      if (length === 0) return
    }
  }
  while (at < bytes.length) {
    const mark = bytes[at]
    if (mark === 0x21) {
      at += 2
      skipBlocks()
    } else if (mark === 0x2c) {
      frames += 1
      if (frames > 1) return true
      at += 10 + tableSize(bytes[at + 9] ?? 0) + 1
      skipBlocks()
    } else return false
  }
  return false
}
