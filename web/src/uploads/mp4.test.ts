import { expect, test } from 'vitest'
import { stripLocation } from './mp4'

const text = new TextEncoder()

/** Returns a box: its length, its name and its content. */
function box(name: string, ...parts: (string | Uint8Array<ArrayBuffer>)[]): Uint8Array<ArrayBuffer> {
  const content = parts.map((part) => (typeof part === 'string' ? text.encode(part) : part))
  const length = content.reduce((sum, part) => sum + part.length, 8)
  const bytes = new Uint8Array(length)
  new DataView(bytes.buffer).setUint32(0, length)
  bytes.set(text.encode(name), 4)
  let offset = 8
  for (const part of content) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

const readLatin1 = (blob: Blob) => blob.arrayBuffer().then((buffer) => Buffer.from(buffer).toString('latin1'))

const zeros = (length: number) => '\0'.repeat(length)

/** Returns a video with a title and a location in metadata boxes of the given names. */
const createVideo = (udta: string, meta: string, title: string, location: string) =>
  new Blob(
    [
      box('ftyp', 'isom'),
      box(
        'moov',
        box('mvhd', 'head'),
        box('trak', box('tkhd', 'one'), box(udta, title)),
        box(udta, location),
        box(meta, location),
      ),
      box('mdat', 'udta meta moov'),
    ],
    { type: 'video/mp4' },
  )

test('turns boxes that contain a location into `free` boxes of zeros and changes nothing else', async () => {
  const after = await stripLocation(createVideo('udta', 'meta', 'Berlin', '+52.5200+013.4050/'))
  expect(after.type).toBe('video/mp4')
  expect(await readLatin1(after)).toBe(await readLatin1(createVideo('free', 'free', zeros(6), zeros(18))))
})

/** Returns a box with a table: its version, followed by the given 32-bit numbers. */
const table = (name: string, ...values: number[]) => box(name, uint32s(0, ...values))

function uint32s(...values: number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.length * 4)
  for (const [index, value] of values.entries()) new DataView(bytes.buffer).setUint32(index * 4, value)
  return bytes
}

/** Returns a track with samples of the given sizes in chunks at the given offsets: two per chunk, one in the last. */
const track = (handler: string, sizes: number[], offsets: number[]) =>
  box(
    'trak',
    box(
      'mdia',
      box('hdlr', uint32s(0, 0), handler),
      box(
        'minf',
        box(
          'stbl',
          table('stsz', 0, sizes.length, ...sizes),
          table('stsc', 2, 1, 2, 1, offsets.length, 1, 1),
          table('stco', offsets.length, ...offsets),
        ),
      ),
    ),
  )

test('removes tracks with camera data and keeps video and audio', async () => {
  const data = box('mdat', 'PICTURE+52.5+13.4SOUND+52.6+13.5PICTURE')
  const videoTrack = track('vide', [7, 7], [8])
  const dataTrack = track('meta', [5, 5, 10], [15, 30])
  const after = await readLatin1(await stripLocation(new Blob([data, box('moov', videoTrack, dataTrack)])))
  expect(after.slice(8, 47)).toBe(`PICTURE${zeros(10)}SOUND${zeros(10)}PICTURE`)
  const before = await readLatin1(
    new Blob([box('moov', videoTrack, box('free', zeros(dataTrack.length - 8)))]),
  )
  expect(after.slice(47)).toBe(before)
})

test('does not change media data if sample tables are invalid', async () => {
  const data = box('mdat', 'PICTURE')
  for (const offsets of [[0xfffffff0], [47, 0xffffffff]]) {
    const dataTrack = track('meta', [0xffffffff, 0xffffffff], offsets)
    const file = new Blob([data, box('moov', dataTrack)])
    const after = await readLatin1(await stripLocation(file))
    expect(after).toHaveLength(file.size)
    expect(after.startsWith(await readLatin1(new Blob([data])))).toBe(true)
  }
})

test('returns the same file when it has no metadata boxes', async () => {
  const file = new Blob([box('ftyp', 'isom'), box('mdat', 'moov udta')])
  expect(await stripLocation(file)).toBe(file)
})

test('reads boxes with a 64-bit length and boxes that extend to the end of the file', async () => {
  const inner = box('udta', 'here')
  const large = new Uint8Array(16)
  new DataView(large.buffer).setUint32(0, 1)
  new DataView(large.buffer).setBigUint64(8, 20n)
  large.set(text.encode('mdat'), 4)
  const open = new Uint8Array(8)
  open.set(text.encode('moov'), 4)
  const after = await stripLocation(new Blob([large, 'data', open, inner]))
  expect((await readLatin1(after)).endsWith(`free${zeros(4)}`)).toBe(true)
})

test('removes XMP at the top level and keeps other uuid boxes', async () => {
  const id = Uint8Array.from([
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ])
  const other = new Uint8Array(16).fill(7)
  const after = await readLatin1(await stripLocation(new Blob([box('uuid', id, 'xmp'), box('uuid', other)])))
  expect(after.slice(4, 8)).toBe('free')
  expect(after.slice(31, 35)).toBe('uuid')
})

test('returns the same file when a box length is invalid', async () => {
  const short = box('moov', 'x')
  new DataView(short.buffer).setUint32(0, 4)
  const long = box('moov', box('udta', 'y'))
  new DataView(long.buffer).setUint32(0, 4000)
  for (const part of [short, long, new Uint8Array(3)]) {
    const file = new Blob([part])
    expect(await stripLocation(file)).toBe(file)
  }
})
