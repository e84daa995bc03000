import { expect, test } from 'vitest'
import { stripLocation } from './mp4'

const text = new TextEncoder()

/** A box: its length, its name, what is in it. */
function box(name: string, ...parts: (string | Uint8Array<ArrayBuffer>)[]): Uint8Array<ArrayBuffer> {
  const content = parts.map((part) => (typeof part === 'string' ? text.encode(part) : part))
  const length = content.reduce((sum, part) => sum + part.length, 8)
  const bytes = new Uint8Array(length)
  new DataView(bytes.buffer).setUint32(0, length)
  bytes.set(text.encode(name), 4)
  let at = 8
  for (const part of content) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const latin = (blob: Blob) => blob.arrayBuffer().then((buffer) => Buffer.from(buffer).toString('latin1'))

/** So many bytes of nothing. */
const none = (length: number) => '\0'.repeat(length)

/** A video whose private boxes have these names, with what is in them. */
const movie = (udta: string, meta: string, title: string, place: string) =>
  new Blob(
    [
      box('ftyp', 'isom'),
      box(
        'moov',
        box('mvhd', 'head'),
        box('trak', box('tkhd', 'one'), box(udta, title)),
        box(udta, place),
        box(meta, place),
      ),
      box('mdat', 'udta meta moov'),
    ],
    { type: 'video/mp4' },
  )

test('the boxes that hold a location become free space with nothing in it, and nothing else changes', async () => {
  const after = await stripLocation(movie('udta', 'meta', 'Berlin', '+52.5200+013.4050/'))
  expect(after.type).toBe('video/mp4')
  expect(await latin(after)).toBe(await latin(movie('free', 'free', none(6), none(18))))
})

/** A table: its version, its length, its numbers of 32 bits. */
const table = (name: string, ...values: number[]) => box(name, words(0, ...values))

function words(...values: number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.length * 4)
  for (const [at, value] of values.entries()) new DataView(bytes.buffer).setUint32(at * 4, value)
  return bytes
}

/** A track of a kind, whose samples of these lengths lie at these places, two at each and one at the last. */
const track = (kind: string, sizes: number[], places: number[]) =>
  box(
    'trak',
    box(
      'mdia',
      box('hdlr', words(0, 0), kind),
      box(
        'minf',
        box(
          'stbl',
          table('stsz', 0, sizes.length, ...sizes),
          table('stsc', 2, 1, 2, 1, places.length, 1, 1),
          table('stco', places.length, ...places),
        ),
      ),
    ),
  )

test('what a camera noted second by second goes with its track; picture and sound stay', async () => {
  const data = box('mdat', 'PICTURE+52.5+13.4SOUND+52.6+13.5PICTURE')
  const kept = track('vide', [7, 7], [8])
  const noted = track('meta', [5, 5, 10], [15, 30])
  const after = await latin(await stripLocation(new Blob([data, box('moov', kept, noted)])))
  expect(after.slice(8, 47)).toBe(`PICTURE${none(10)}SOUND${none(10)}PICTURE`)
  const before = await latin(new Blob([box('moov', kept, box('free', none(noted.length - 8)))]))
  expect(after.slice(47)).toBe(before)
})

test('tables that make no sense take nothing else with them, and end', async () => {
  const data = box('mdat', 'PICTURE')
  for (const places of [[0xfffffff0], [47, 0xffffffff]]) {
    const noted = track('meta', [0xffffffff, 0xffffffff], places)
    const file = new Blob([data, box('moov', noted)])
    const after = await latin(await stripLocation(file))
    expect(after).toHaveLength(file.size)
    expect(after.startsWith(await latin(new Blob([data])))).toBe(true)
  }
})

test('a file without such boxes stays the very same', async () => {
  const file = new Blob([box('ftyp', 'isom'), box('mdat', 'moov udta')])
  expect(await stripLocation(file)).toBe(file)
})

test('boxes of 64-bit length, and those that reach to the end, are walked', async () => {
  const inner = box('udta', 'here')
  const large = new Uint8Array(16)
  new DataView(large.buffer).setUint32(0, 1)
  new DataView(large.buffer).setBigUint64(8, 20n)
  large.set(text.encode('mdat'), 4)
  const open = new Uint8Array(8)
  open.set(text.encode('moov'), 4)
  const after = await stripLocation(new Blob([large, 'data', open, inner]))
  expect((await latin(after)).endsWith(`free${none(4)}`)).toBe(true)
})

test('XMP at the top is taken out, other private boxes stay', async () => {
  const id = Uint8Array.from([
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ])
  const other = new Uint8Array(16).fill(7)
  const after = await latin(await stripLocation(new Blob([box('uuid', id, 'xmp'), box('uuid', other)])))
  expect(after.slice(4, 8)).toBe('free')
  expect(after.slice(31, 35)).toBe('uuid')
})

test('lengths that make no sense end the walk, and the file is sent as it is', async () => {
  const short = box('moov', 'x')
  new DataView(short.buffer).setUint32(0, 4)
  const long = box('moov', box('udta', 'y'))
  new DataView(long.buffer).setUint32(0, 4000)
  for (const part of [short, long, new Uint8Array(3)]) {
    const file = new Blob([part])
    expect(await stripLocation(file)).toBe(file)
  }
})
