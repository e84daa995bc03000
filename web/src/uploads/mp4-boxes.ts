/** Bytes of a file, in bytes from its start; `to` is behind the last. */
export interface Span {
  from: number
  to: number
}

/** A box of an MP4 or QuickTime file: its name and where that stands, and where what it holds does. */
export interface Box extends Span {
  name: string
  nameAt: number
  /** The `uuid` of XMP, in which editors write what cameras write elsewhere. */
  isXmp: boolean
}

const xmp = [
  0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
] as const
const headerLength = 32

/** How many boxes are still looked at: a broken file must not keep the page busy. */
export interface BoxBudget {
  left: number
}

/** The boxes that stand in `range` one after the other; ends where a length makes no sense. */
export async function* readBoxes(file: Blob, range: Span, budget: BoxBudget): AsyncGenerator<Box> {
  let at = range.from
  while (at + 8 <= range.to && budget.left > 0) {
    budget.left -= 1
    const box = await readBox(file, at, range.to)
    if (!box) return
    yield box
    at = box.to
  }
}

/** The first box at the end of `path`, which goes from name to name down from `range`. */
export async function findBox(
  file: Blob,
  range: Span,
  path: string[],
  budget: BoxBudget,
): Promise<Box | undefined> {
  const [name, ...deeper] = path
  for await (const box of readBoxes(file, range, budget)) {
    if (box.name === name) return deeper.length > 0 ? findBox(file, box, deeper, budget) : box
  }
  return undefined
}

/** What a span holds, at most `most` bytes of it. */
export async function readSpan(file: Blob, { from, to }: Span, most: number): Promise<DataView> {
  return new DataView(await file.slice(from, Math.min(to, from + most)).arrayBuffer())
}

/** Four letters, as names of boxes and kinds of tracks are. */
export function readFourCc(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)))
}

async function readBox(file: Blob, at: number, end: number): Promise<Box | undefined> {
  const view = await readSpan(file, { from: at, to: end }, headerLength)
  if (view.byteLength < 8) return
  const name = readFourCc(view, 4)
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
  return { name, nameAt: at + 4, from: at + header, to: at + length, isXmp }
}
