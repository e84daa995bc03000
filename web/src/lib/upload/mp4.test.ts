import { expect, test } from 'vitest'
import { withoutLocation } from './mp4'

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

/** A video whose private boxes have these names. */
const movie = (udta: string, meta: string) =>
  new Blob(
    [
      box('ftyp', 'isom'),
      box(
        'moov',
        box('mvhd', 'head'),
        box('trak', box('tkhd', 'one'), box(udta, 'two')),
        box(udta, box('loci', '+52.5200+013.4050/')),
        box(meta, 'where'),
      ),
      box('mdat', 'udta meta moov'),
    ],
    { type: 'video/mp4' },
  )

test('the boxes that hold a location become free space, and nothing else changes', async () => {
  const after = await withoutLocation(movie('udta', 'meta'))
  expect(after.type).toBe('video/mp4')
  expect(await latin(after)).toBe(await latin(movie('free', 'free')))
})

test('a file without such boxes stays the very same', async () => {
  const file = new Blob([box('ftyp', 'isom'), box('mdat', 'moov udta')])
  expect(await withoutLocation(file)).toBe(file)
})

test('boxes of 64-bit length, and those that reach to the end, are walked', async () => {
  const inner = box('udta', 'here')
  const large = new Uint8Array(16)
  new DataView(large.buffer).setUint32(0, 1)
  new DataView(large.buffer).setBigUint64(8, 20n)
  large.set(text.encode('mdat'), 4)
  const open = new Uint8Array(8)
  open.set(text.encode('moov'), 4)
  const after = await withoutLocation(new Blob([large, 'data', open, inner]))
  expect((await latin(after)).endsWith('freehere')).toBe(true)
})

test('XMP at the top is taken out, other private boxes stay', async () => {
  const id = Uint8Array.from([
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ])
  const other = new Uint8Array(16).fill(7)
  const after = await latin(await withoutLocation(new Blob([box('uuid', id, 'xmp'), box('uuid', other)])))
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
    expect(await withoutLocation(file)).toBe(file)
  }
})
