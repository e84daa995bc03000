/** Encodes RGB pixels, row by row from the top left, as a PNG of 8 bits a channel. */
export async function encodePng(width: number, height: number, rgb: Uint8Array): Promise<Uint8Array> {
  const head = new Uint8Array(13)
  const view = new DataView(head.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  // 8 bits, colour without alpha, the only compression, filter and order there are.
  head.set([8, 2, 0, 0, 0], 8)
  const body = await deflate(filterRows(width, height, rgb))
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  return join([signature, chunk('IHDR', head), chunk('IDAT', body), chunk('IEND', new Uint8Array(0))])
}

/** Each row as its difference to the left (1) or to the row above (2), whichever leaves less to compress. */
function filterRows(width: number, height: number, rgb: Uint8Array): Uint8Array<ArrayBuffer> {
  const stride = width * 3
  const out = new Uint8Array((stride + 1) * height)
  for (let row = 0; row < height; row++) {
    const from = row * stride
    const to = from + row + 1
    // Read in place and never outside of the picture, before which all counts as black: that is many times as fast.
    let [leftCost, aboveCost] = [0, row === 0 ? stride : 0]
    for (let at = from + 3; at < from + stride; at++) {
      if (rgb[at] !== rgb[at - 3]) leftCost++
      if (row > 0 && rgb[at] !== rgb[at - stride]) aboveCost++
    }
    const back = leftCost <= aboveCost ? 3 : stride
    out[to - 1] = back === 3 ? 1 : 2
    const start = back === 3 ? 3 : row === 0 ? stride : 0
    for (let at = 0; at < start; at++) out[to + at] = rgb[from + at] ?? 0
    for (let at = start; at < stride; at++)
      out[to + at] = (rgb[from + at] ?? 0) - (rgb[from + at - back] ?? 0)
  }
  return out
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, crc(bytes.subarray(4, 8 + data.length)))
  return bytes
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

function join(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
