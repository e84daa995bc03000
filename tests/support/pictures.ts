import { crc32 } from 'node:zlib'

/** 32 by 16 pixels: the left half red, the right half blue. */
const plainJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQACADAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAcI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABYBAQEBAAAAAAAAAAAAAAAAAAAJB//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AM6MMVTAQJcZHQBfUOViwECXGR0Af//Z',
  'base64',
)

/** 6 by 4 pixels, three frames of a tenth of a second each: red, green, blue; looping for ever. */
export const animation = Buffer.from(
  'R0lGODlhBgAEAPAAAP8AAAAAACH5BAAKAAAAIf8LTkVUU0NBUEUyLjADAQAAACwAAAAABgAEAAACBISPqVcAIfkEAAoAAAAsAAAAAAYABACAAP8AAAAAAgSEj6lXACH5BAAKAAAALAAAAAAGAAQAgAAA/wAAAAIEhI+pVwA7',
  'base64',
)

const ascii = (text: string) => Buffer.from(text, 'latin1')

/** A segment of a JPEG. */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** One entry of a directory of Exif, little-endian. */
function entry(tag: number, type: number, count: number, value: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(tag, 0)
  bytes.writeUInt16LE(type, 2)
  bytes.writeUInt32LE(count, 4)
  bytes.writeUInt32LE(value, 8)
  return bytes
}

const directory = (...entries: Buffer[]) =>
  Buffer.concat([Buffer.from([entries.length, 0]), ...entries, Buffer.alloc(4)])

/** Exif that says: turned by 90 degrees, and taken at a place. */
function exif(): Buffer {
  // The first directory begins at 8 and takes 30 bytes; the one of the place lies behind it.
  const first = directory(entry(0x112, 3, 1, 6), entry(0x8825, 4, 1, 38))
  const place = directory(entry(1, 2, 2, 'N'.charCodeAt(0)), entry(2, 5, 3, 68))
  const north = Buffer.alloc(24, 1)
  return Buffer.concat([ascii('Exif\0\0II*\0\x08\0\0\0'), first, place, north])
}

/** A colour profile, named so that it can be found again: three primaries and a gamma of 2.2. */
export const profile = (() => {
  const name = 'Known profile'
  const point = (x: number, y: number, z: number) => {
    const bytes = Buffer.alloc(20)
    bytes.write('XYZ ', 'latin1')
    for (const [at, value] of [x, y, z].entries()) bytes.writeInt32BE(Math.round(value * 65536), 8 + at * 4)
    return bytes
  }
  const described = Buffer.alloc(104)
  described.write('desc', 'latin1')
  described.writeUInt32BE(name.length + 1, 8)
  described.write(name, 12, 'latin1')
  const curve = Buffer.from([...ascii('curv'), 0, 0, 0, 0, 0, 0, 0, 1, 2, 0x33, 0, 0])
  const tags: [string, Buffer][] = [
    ['desc', described],
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
  let at = 128 + table.length
  for (const [index, [tag, content]] of tags.entries()) {
    table.write(tag, 4 + index * 12, 'latin1')
    table.writeUInt32BE(at, 8 + index * 12)
    table.writeUInt32BE(content.length, 12 + index * 12)
    at += content.length
  }
  const head = Buffer.alloc(128)
  head.writeUInt32BE(at, 0)
  head.writeUInt32BE(0x02400000, 8)
  head.write('mntrRGB XYZ ', 12, 'latin1')
  head.writeUInt16BE(2026, 24)
  head.write('acsp', 36, 'latin1')
  for (const [index, value] of [0.9642, 1, 0.8249].entries()) {
    head.writeInt32BE(Math.round(value * 65536), 68 + index * 4)
  }
  return Buffer.concat([head, table, ...tags.map(([, content]) => content)])
})()

/** A JPEG that tells where it was taken, lies on its side, holds a comment and a profile, and has a page behind it. */
export function talkativeJpeg(): Buffer {
  return Buffer.concat([
    plainJpeg.subarray(0, 2),
    segment(0xe1, exif()),
    segment(
      0xe1,
      ascii('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">where</x:xmpmeta>'),
    ),
    segment(0xed, ascii('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0bSecret name\0')),
    segment(0xe2, Buffer.concat([ascii('ICC_PROFILE\0\x01\x01'), profile])),
    segment(0xfe, ascii('A comment of mine')),
    plainJpeg.subarray(2),
    ascii('<script>alert("polyglot")</script>PK\x05\x06'),
  ])
}

/** A chunk of a PNG. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length)
  bytes.writeUInt32BE(content.length, 0)
  bytes.write(type, 4, 'latin1')
  content.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length)
  return bytes
}

/** A PNG with a chunk put in behind its header. */
export const withChunk = (png: Buffer, chunk: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])

/** A PNG with another size in its header than it has. */
export function claiming(png: Buffer, width: number, height: number): Buffer {
  const size = Buffer.from(png.subarray(16, 29))
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', size), png.subarray(33)])
}
