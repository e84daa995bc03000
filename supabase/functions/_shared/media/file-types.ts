import type { VideoType } from '../contract/media.ts'

export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif'
export type VoiceType = 'audio/mp4' | 'audio/webm'
export type MediaType = ImageType | VideoType | VoiceType

/**
 * File extensions in Storage. They come from the detected type or, for a video that the client sends directly to
 * Storage, from the declared type, never from the client's file name.
 */
export const fileExtensions: Record<MediaType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'audio/mp4': 'm4a',
  'audio/webm': 'weba',
}

/** Number of bytes at the start of a video that are needed to detect its type. */
export const videoHeaderBytes = 4096

/**
 * Reads bytes as Latin-1. A `TextDecoder` decodes Latin-1 as Windows-1252, which differs for the bytes 0x80 to 0x9F.
 */
const latin1 = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to))

/** Detects the type of an image from its first bytes. Returns null for anything else. */
export function detectImageType(bytes: Uint8Array): ImageType | null {
  if (latin1(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (latin1(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (/^GIF8[79]a$/.test(latin1(bytes, 0, 6))) return 'image/gif'
  return null
}

/** The brands that identify an MP4 video. `qt  ` is QuickTime; images (`avif`, `heic`) and audio have other brands. */
const mp4Brands = new Set(['isom', 'iso2', 'iso3', 'iso4', 'iso5', 'iso6', 'iso7', 'iso8', 'iso9'])
for (const brand of ['mp41', 'mp42', 'mp71', 'avc1', 'hvc1', 'hev1', 'dash', 'cmfc', 'msdh', 'msix', 'mmp4'])
  mp4Brands.add(brand)
for (const brand of ['M4V ', 'M4VH', 'M4VP', 'F4V ', 'f4v ', 'MSNV', 'XAVC', '3gp4', '3gp5', '3gp6', 'av01'])
  mp4Brands.add(brand)

/**
 * Detects the type of a video from its first `videoHeaderBytes` bytes. Returns null for anything else, including old
 * QuickTime files without `ftyp`.
 */
export function detectVideoType(head: Uint8Array): VideoType | null {
  if (latin1(head, 0, 4) === '\x1aE\xdf\xa3') return readDocType(head) === 'webm' ? 'video/webm' : null
  if (head.length < 16 || latin1(head, 4, 8) !== 'ftyp') return null
  const size = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0)
  // The `ftyp` box contains the major brand, its version, and any number of compatible brands, each of four bytes.
  if (size < 16 || size > head.length || size % 4 !== 0) return null
  const brands = [latin1(head, 8, 12)]
  for (let at = 16; at < size; at += 4) brands.push(latin1(head, at, at + 4))
  if (brands[0] === 'qt  ') return 'video/quicktime'
  return brands.some((brand) => mp4Brands.has(brand)) && !isImageOrAudio(brands) ? 'video/mp4' : null
}

const isImageOrAudio = (brands: readonly string[]) =>
  /^(avif|avis|heic|heix|mif1|msf1|M4A |M4B |crx )$/.test(brands[0] ?? '')

/** Detects the type of a voice recording from its first `videoHeaderBytes` bytes. Returns null for anything else. */
export function detectVoiceType(head: Uint8Array): VoiceType | null {
  const type = detectVideoType(head)
  if (type === 'video/webm') return 'audio/webm'
  return type === 'video/mp4' || latin1(head, 4, 12) === 'ftypM4A ' ? 'audio/mp4' : null
}

/** Returns the DocType in the EBML header (the first element of a WebM or Matroska file), or null if it has none. */
function readDocType(head: Uint8Array): string | null {
  // The element's id and length are followed by its children. Each child has an id of one or more bytes, a length and
  // a value.
  let at = 4
  const length = readVint(head, at)
  if (!length) return null
  at = length.next
  const end = at + length.value
  if (end > head.length) return null
  while (at < end) {
    const idLength = vintLength(head[at] ?? 0)
    const size = readVint(head, at + idLength)
    if (!size || size.next + size.value > end) return null
    if (idLength === 2 && head[at] === 0x42 && head[at + 1] === 0x82) {
      return latin1(head, size.next, size.next + size.value).replace(/\0+$/, '')
    }
    at = size.next + size.value
  }
  return null
}

/** Returns the length in bytes of an EBML variable-length integer, given its first byte. */
export const vintLength = (first: number) => Math.clz32(first) - 23

/** Reads an EBML variable-length integer. Returns null if it is invalid, incomplete or too large. */
export function readVint(bytes: Uint8Array, at: number): { value: number; next: number } | null {
  const first = bytes[at]
  if (first === undefined || first === 0) return null
  const width = vintLength(first)
  // No length in a header needs more than 6 bytes.
  if (at + width > bytes.length || width > 6)
    return width === 8 && at + 8 <= bytes.length ? readLongVint(bytes, at) : null
  let value = first & (0xff >> width)
  for (let index = 1; index < width; index++) value = value * 256 + (bytes[at + index] ?? 0)
  return { value, next: at + width }
}

/** Reads an 8-byte length, which some programs always use. Its upper bytes must be zero. */
function readLongVint(bytes: Uint8Array, at: number): { value: number; next: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8)
  const upper = view.getUint32(0) & 0x00ffffff
  return upper === 0 ? { value: view.getUint32(4), next: at + 8 } : null
}
