import type { VideoType } from '../contract/media.ts'

export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif'

/** What files are called in Storage: by what they are, never by what somebody called them. */
export const extensions: Record<ImageType | VideoType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
}

/** Bytes from the start of a video that tell what it is. */
export const headBytes = 4096

/** Bytes as text, one character each; a `TextDecoder` would take some for quotation marks. */
const text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** What a picture is by its first bytes, null for anything else. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (text(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) return 'image/gif'
  return null
}

/** Brands of MP4 files that browsers play. `qt  ` is QuickTime; pictures (`avif`, `heic`) and sound have others. */
const mp4Brands = new Set(['isom', 'iso2', 'iso3', 'iso4', 'iso5', 'iso6', 'iso7', 'iso8', 'iso9'])
for (const brand of ['mp41', 'mp42', 'mp71', 'avc1', 'hvc1', 'hev1', 'dash', 'cmfc', 'msdh', 'msix', 'mmp4'])
  mp4Brands.add(brand)
for (const brand of ['M4V ', 'M4VH', 'M4VP', 'F4V ', 'f4v ', 'MSNV', 'XAVC', '3gp4', '3gp5', '3gp6', 'av01'])
  mp4Brands.add(brand)

/**
 * What a video is by its first `headBytes` bytes, null for anything else. QuickTime files from before `ftyp`, of the
 * last century, are none: nothing at their start tells them from text.
 */
export function videoTypeOf(head: Uint8Array): VideoType | null {
  if (text(head, 0, 4) === '\x1aE\xdf\xa3') return documentType(head) === 'webm' ? 'video/webm' : null
  if (head.length < 16 || text(head, 4, 8) !== 'ftyp') return null
  const size = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0)
  // A main brand, its version, and any number of others.
  if (size < 16 || size > head.length || size % 4 !== 0) return null
  const brands = [text(head, 8, 12)]
  for (let at = 16; at < size; at += 4) brands.push(text(head, at, at + 4))
  if (brands[0] === 'qt  ') return 'video/quicktime'
  return brands.some((brand) => mp4Brands.has(brand)) && !isPicture(brands) ? 'video/mp4' : null
}

const isPicture = (brands: readonly string[]) =>
  /^(avif|avis|heic|heix|mif1|msf1|M4A |M4B |crx )$/.test(brands[0] ?? '')

/** The DocType of an EBML header, the first element of a WebM or Matroska file; null where there is none. */
function documentType(head: Uint8Array): string | null {
  // Behind the element's id and length come its children: two bytes of id or more, a length, a value.
  let at = 4
  const length = readVint(head, at)
  if (!length) return null
  at = length.next
  const end = at + length.value
  if (end > head.length) return null
  while (at < end) {
    const idLength = widthOf(head[at] ?? 0)
    const size = readVint(head, at + idLength)
    if (!size || size.next + size.value > end) return null
    if (idLength === 2 && head[at] === 0x42 && head[at + 1] === 0x82) {
      return text(head, size.next, size.next + size.value).replace(/\0+$/, '')
    }
    at = size.next + size.value
  }
  return null
}

const widthOf = (first: number) => Math.clz32(first) - 23

function readVint(bytes: Uint8Array, at: number): { value: number; next: number } | null {
  const first = bytes[at]
  if (first === undefined || first === 0) return null
  const width = widthOf(first)
  // Nothing in a header is so long that it needs more.
  if (at + width > bytes.length || width > 6)
    return width === 8 && at + 8 <= bytes.length ? readLong(bytes, at) : null
  let value = first & (0xff >> width)
  for (let index = 1; index < width; index++) value = value * 256 + (bytes[at + index] ?? 0)
  return { value, next: at + width }
}

/** Some programs write every length with eight bytes; its upper ones must be empty. */
function readLong(bytes: Uint8Array, at: number): { value: number; next: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8)
  const upper = view.getUint32(0) & 0x00ffffff
  return upper === 0 ? { value: view.getUint32(4), next: at + 8 } : null
}
