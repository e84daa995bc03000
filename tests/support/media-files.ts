import { crc32, deflateSync } from 'node:zlib'

/** A JPEG of 32 by 16 pixels: the left half red, the right half blue. */
const plainJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQACADAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAcI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABYBAQEBAAAAAAAAAAAAAAAAAAAJB//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AM6MMVTAQJcZHQBfUOViwECXGR0Af//Z',
  'base64',
)

/** A GIF of 6 by 4 pixels with three frames of 100 ms each (red, green, blue), looping forever. */
export const animatedGif = Buffer.from(
  'R0lGODlhBgAEAPAAAP8AAAAAACH5BAAKAAAAIf8LTkVUU0NBUEUyLjADAQAAACwAAAAABgAEAAACBISPqVcAIfkEAAoAAAAsAAAAAAYABACAAP8AAAAAAgSEj6lXACH5BAAKAAAALAAAAAAGAAQAgAAA/wAAAAIEhI+pVwA7',
  'base64',
)

/** Returns a GIF whose frames declare the given size but contain fewer pixels. */
export function createOversizedGif(width: number, height: number, frameCount: number): Buffer {
  const screen = Buffer.from(animatedGif.subarray(0, 19))
  const frame = Buffer.from(animatedGif.subarray(46, 63))
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  frame.writeUInt16LE(width, 5)
  frame.writeUInt16LE(height, 7)
  return Buffer.concat([screen, ...Array<Buffer>(frameCount).fill(frame), Buffer.from([0x3b])])
}

const ascii = (text: string) => Buffer.from(text, 'latin1')

/** Returns a JPEG segment with its marker and length. */
function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Returns one entry of an Exif directory, little-endian. */
function exifEntry(tag: number, type: number, count: number, value: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(tag, 0)
  bytes.writeUInt16LE(type, 2)
  bytes.writeUInt32LE(count, 4)
  bytes.writeUInt32LE(value, 8)
  return bytes
}

const exifDirectory = (...entries: Buffer[]) =>
  Buffer.concat([Buffer.from([entries.length, 0]), ...entries, Buffer.alloc(4)])

/** Returns Exif data with an orientation of 90 degrees and a GPS position. */
function createExif(): Buffer {
  // The first directory begins at offset 8 and takes 30 bytes. The GPS directory follows it.
  const image = exifDirectory(exifEntry(0x112, 3, 1, 6), exifEntry(0x8825, 4, 1, 38))
  const gps = exifDirectory(exifEntry(1, 2, 2, 'N'.charCodeAt(0)), exifEntry(2, 5, 3, 68))
  const latitude = Buffer.alloc(24, 1)
  return Buffer.concat([ascii('Exif\0\0II*\0\x08\0\0\0'), image, gps, latitude])
}

/** An ICC color profile with three primaries and a gamma of 2.2. */
export const iccProfile = (() => {
  const name = 'Known profile'
  const point = (x: number, y: number, z: number) => {
    const bytes = Buffer.alloc(20)
    bytes.write('XYZ ', 'latin1')
    for (const [index, value] of [x, y, z].entries())
      bytes.writeInt32BE(Math.round(value * 65536), 8 + index * 4)
    return bytes
  }
  const description = Buffer.alloc(104)
  description.write('desc', 'latin1')
  description.writeUInt32BE(name.length + 1, 8)
  description.write(name, 12, 'latin1')
  const curve = Buffer.from([...ascii('curv'), 0, 0, 0, 0, 0, 0, 0, 1, 2, 0x33, 0, 0])
  const tags: [string, Buffer][] = [
    ['desc', description],
    ['cprt', ascii('text\0\0\0\0free')],
    ['wtpt', point(0.9642, 1, 0.8249)],
    ['rXYZ', point(0.4361, 0.2225, 0.0139)],
    ['gXYZ', point(0.3851, 0.7169, 0.0971)],
    ['bXYZ', point(0.1431, 0.0606, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  const table = Buffer.alloc(4 + tags.length * 12)
  table.writeUInt32BE(tags.length)
  let offset = 128 + table.length
  for (const [index, [tag, content]] of tags.entries()) {
    table.write(tag, 4 + index * 12, 'latin1')
    table.writeUInt32BE(offset, 8 + index * 12)
    table.writeUInt32BE(content.length, 12 + index * 12)
    offset += content.length
  }
  const head = Buffer.alloc(128)
  head.writeUInt32BE(offset, 0)
  head.writeUInt32BE(0x02400000, 8)
  head.write('mntrRGB XYZ ', 12, 'latin1')
  head.writeUInt16BE(2026, 24)
  head.write('acsp', 36, 'latin1')
  for (const [index, value] of [0.9642, 1, 0.8249].entries()) {
    head.writeInt32BE(Math.round(value * 65536), 68 + index * 4)
  }
  return Buffer.concat([head, table, ...tags.map(([, content]) => content)])
})()

/** A JPEG segment with a color profile. */
const colorProfileSegment = jpegSegment(0xe2, Buffer.concat([ascii('ICC_PROFILE\0\x01\x01'), iccProfile]))

/** The JPEG that `createJpegWithMetadata` returns, reduced to the image and its color profile. */
export const jpegWithColorProfile = Buffer.concat([
  plainJpeg.subarray(0, 2),
  colorProfileSegment,
  plainJpeg.subarray(2),
])

/**
 * Returns a JPEG with XMP, IPTC, a comment and a color profile, followed by HTML.
 *
 * @param options `hasExif` adds Exif data with a rotation and a GPS position
 */
export function createJpegWithMetadata({ hasExif = true } = {}): Buffer {
  return Buffer.concat([
    plainJpeg.subarray(0, 2),
    ...(hasExif ? [jpegSegment(0xe1, createExif())] : []),
    jpegSegment(
      0xe1,
      ascii('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">where</x:xmpmeta>'),
    ),
    jpegSegment(0xed, ascii('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0bSecret name\0')),
    colorProfileSegment,
    jpegSegment(0xfe, ascii('A comment')),
    plainJpeg.subarray(2),
    ascii('<script>alert("polyglot")</script>PK\x05\x06'),
  ])
}

/** Returns a PNG chunk with its length and checksum. */
export function createPngChunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length)
  bytes.writeUInt32BE(content.length, 0)
  bytes.write(type, 4, 'latin1')
  content.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length)
  return bytes
}

/** Returns a single-color PNG of the given size, in pixels. */
export function createPng({ width, height }: { width: number; height: number }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits per channel, RGB.
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([226, 107, 74]))])
  const pixels = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    createPngChunk('IHDR', header),
    createPngChunk('IDAT', deflateSync(pixels)),
    createPngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a copy of a PNG with a chunk after its header. */
export const withPngChunk = (png: Buffer, chunk: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])

/** Returns a copy of a PNG with another size in its header. The pixels stay the same. */
export function withPngSize(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29))
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([png.subarray(0, 8), createPngChunk('IHDR', header), png.subarray(33)])
}

/** Returns a box of an MP4 or QuickTime file. */
function mp4Box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** Returns a file of `bytes` bytes that begins like an MP4 file but contains no playable video. */
export function createMp4(bytes = 4096, brand = 'isom'): Buffer {
  const type = mp4Box('ftyp', Buffer.from(`${brand}\0\0\x02\0isomiso2mp41`, 'latin1'))
  return Buffer.concat([type, mp4Box('mdat', Buffer.alloc(Math.max(0, bytes - type.length - 8), 7))])
}

/** Returns the header of a WebM file or, with another document type, of a different Matroska file. */
export function createWebm(documentType = 'webm'): Buffer {
  const name = Buffer.from(documentType, 'latin1')
  const version = Buffer.from([0x42, 0x86, 0x81, 1])
  const type = Buffer.concat([Buffer.from([0x42, 0x82, 0x80 | name.length]), name])
  const children = Buffer.concat([version, type])
  return Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 | children.length]),
    children,
    Buffer.alloc(64),
  ])
}

/** Returns a form with a file, followed by text fields. */
export function fileForm(
  field: string,
  bytes: Uint8Array,
  {
    name = 'file',
    type = '',
    fields = {},
  }: { name?: string; type?: string; fields?: Record<string, string> } = {},
): FormData {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(bytes)], { type }), name)
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  return form
}
