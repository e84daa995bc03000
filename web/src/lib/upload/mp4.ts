/** A box of an MP4 or QuickTime file: where its name stands, and what it holds. Offsets are in bytes from the start. */
interface Box {
  name: string
  nameAt: number
  from: number
  to: number
}

/** Boxes in which cameras write where a video was taken, beside title and device. */
const personal = ['udta', 'meta']
/** Boxes that may hold such boxes. */
const parents = ['moov', 'trak']
/** The `uuid` of XMP, in which editors write the same. */
const xmp = [
  0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
] as const
/** A broken file must not keep the page busy. */
const mostBoxes = 4096
const headerLength = 32

/**
 * The same MP4 or QuickTime video without its location: the boxes in which cameras write it are renamed to `free`,
 * which players skip, so that nothing moves within the file. Reads headers only, never the whole file; the answer
 * is made of slices of `file`.
 */
export async function withoutLocation(file: Blob): Promise<Blob> {
  const names: number[] = []
  await collect(file, { from: 0, to: file.size }, names, { left: mostBoxes })
  if (names.length === 0) return file
  const parts: BlobPart[] = []
  let from = 0
  for (const at of names) {
    parts.push(file.slice(from, at), 'free')
    from = at + 4
  }
  parts.push(file.slice(from))
  return new Blob(parts, { type: file.type })
}

async function collect(
  file: Blob,
  range: { from: number; to: number },
  names: number[],
  budget: { left: number },
) {
  let at = range.from
  while (at + 8 <= range.to && budget.left > 0) {
    budget.left -= 1
    const read = await readBox(file, at, range.to)
    if (!read) return
    const { box, isXmp } = read
    if (personal.includes(box.name) || isXmp) names.push(box.nameAt)
    else if (parents.includes(box.name)) await collect(file, box, names, budget)
    at = box.to
  }
}

/** The box that starts at `at`; nothing where its length makes no sense. */
async function readBox(
  file: Blob,
  at: number,
  end: number,
): Promise<{ box: Box; isXmp: boolean } | undefined> {
  const view = new DataView(await file.slice(at, Math.min(at + headerLength, end)).arrayBuffer())
  if (view.byteLength < 8) return
  const name = String.fromCharCode(...[4, 5, 6, 7].map((index) => view.getUint8(index)))
  let length = view.getUint32(0)
  let header = 8
  if (length === 1) {
    if (view.byteLength < 16) return
    length = Number(view.getBigUint64(8))
    header = 16
  } else if (length === 0) {
    length = end - at
  }
  if (length < header || at + length > end) return
  const isXmp =
    name === 'uuid' &&
    view.byteLength >= header + xmp.length &&
    xmp.every((byte, index) => view.getUint8(header + index) === byte)
  return { box: { name, nameAt: at + 4, from: at + header, to: at + length }, isXmp }
}
