/**
 * Returns an MP4 or QuickTime video without its location.
 *
 * Turns the boxes in which cameras store the location into `free` boxes, which players skip, and fills them with zeros.
 * Does the same with tracks that are neither video nor audio, because some cameras record the location there every
 * second. Nothing moves within the file. The result consists of slices of `file`, so the video and audio data is not
 * read.
 */
export async function stripLocation(file: Blob): Promise<Blob> {
  const replacements: Replacement[] = []
  await collectReplacements(file, { from: 0, to: file.size }, replacements, { remaining: maxBoxes })
  if (replacements.length === 0) return file
  replacements.sort((a, b) => a.from - b.from)
  const parts: BlobPart[] = []
  let from = 0
  for (const replacement of replacements) {
    // In a broken file, replacements can overlap.
    const start = Math.max(replacement.from, from)
    if (start >= replacement.to) continue
    if (start > from) parts.push(file.slice(from, start))
    if (replacement.name && start === replacement.from) parts.push(replacement.name)
    else pushZeros(parts, replacement.to - start)
    from = replacement.to
  }
  parts.push(file.slice(from))
  return new Blob(parts, { type: file.type })
}

/** A range of bytes in a file. `to` is exclusive. */
interface Span {
  from: number
  to: number
}

/** Bytes to overwrite with the name of a box or, without `name`, with zeros. */
interface Replacement extends Span {
  name?: 'free'
}

/** Boxes in which cameras store the location, along with the title and device. */
const metadataBoxes = ['udta', 'meta']
/** Boxes that can contain metadata boxes. */
const containerBoxes = ['moov', 'trak', 'mdia']

async function collectReplacements(
  file: Blob,
  range: Span,
  replacements: Replacement[],
  budget: BoxBudget,
): Promise<void> {
  for await (const box of readBoxes(file, range, budget)) {
    const isData = box.name === 'trak' && (await isDataTrack(file, box, budget))
    if (isData) replacements.push(...(await findSampleSpans(file, box, budget)))
    if (isData || box.isXmp || metadataBoxes.includes(box.name)) {
      replacements.push(
        { from: box.nameOffset, to: box.nameOffset + 4, name: 'free' },
        { from: box.from, to: box.to },
      )
    } else if (containerBoxes.includes(box.name)) {
      await collectReplacements(file, box, replacements, budget)
    }
  }
}

const zeros = new Uint8Array(64 * 1024)

function pushZeros(parts: BlobPart[], length: number): void {
  for (let remaining = length; remaining > 0; remaining -= zeros.length) {
    parts.push(zeros.subarray(0, remaining))
  }
}

/** Handler types of tracks with video and audio. Other tracks contain camera data or text. */
const mediaHandlers = ['vide', 'soun']

/** Returns whether a track contains neither video nor audio. A track without a handler type counts as media. */
async function isDataTrack(file: Blob, track: Box, budget: BoxBudget): Promise<boolean> {
  const handler = await findBox(file, track, ['mdia', 'hdlr'], budget)
  if (!handler || handler.to - handler.from < 12) return false
  return !mediaHandlers.includes(readFourCc(await readSpan(file, handler, 12), 8))
}

/** The maximum number of bytes to read from a table: enough for an hour at 60 samples per second. */
const maxTableBytes = 1024 * 1024

/** Returns where a track's samples are in the file. The track's box contains only tables that point to them. */
async function findSampleSpans(file: Blob, track: Box, budget: BoxBudget): Promise<Span[]> {
  const tables = await findBox(file, track, ['mdia', 'minf', 'stbl'], budget)
  if (!tables) return []
  const readTable = async (name: string) => {
    const box = await findBox(file, tables, [name], budget)
    return box && readSpan(file, box, maxTableBytes)
  }
  const offsets32 = await readTable('stco')
  const chunkOffsets = offsets32 ? readUint32s(offsets32, 4, 4) : readUint64s(await readTable('co64'))
  const sizes = readSampleSizes(await readTable('stsz'))
  const samplesInChunk = readSamplesPerChunk(await readTable('stsc'))
  const spans: Span[] = []
  let sample = 0
  chunkOffsets.forEach((from, chunk) => {
    const end = Math.min(sample + samplesInChunk(chunk + 1), sizes.count)
    const to = Math.min(from + sizes.sum(sample, end), file.size)
    sample = end
    if (to > from) spans.push({ from, to })
  })
  return spans
}

/** Reads 32-bit numbers, one every `step` bytes, from a table whose entry count is at `countOffset`. */
function readUint32s(table: DataView | undefined, countOffset: number, step: number): number[] {
  if (!table || table.byteLength < countOffset + 4) return []
  const start = countOffset + 4
  const length = Math.min(table.getUint32(countOffset), Math.floor((table.byteLength - start) / step))
  return Array.from({ length }, (_, index) => table.getUint32(start + index * step))
}

function readUint64s(table: DataView | undefined): number[] {
  if (!table || table.byteLength < 8) return []
  const length = Math.min(table.getUint32(4), Math.floor((table.byteLength - 8) / 8))
  return Array.from({ length }, (_, index) => Number(table.getBigUint64(8 + index * 8)))
}

interface SampleSizes {
  count: number
  /** Returns the total size of the samples from `start` up to, but not including, `end`, in bytes. */
  sum: (start: number, end: number) => number
}

/** Reads the sample sizes (`stsz`): one common size, or one for each sample. */
function readSampleSizes(table: DataView | undefined): SampleSizes {
  if (!table || table.byteLength < 12) return { count: 0, sum: () => 0 }
  const commonSize = table.getUint32(4)
  if (commonSize > 0) return { count: table.getUint32(8), sum: (start, end) => (end - start) * commonSize }
  const sizes = readUint32s(table, 8, 4)
  const sum = (start: number, end: number) => sizes.slice(start, end).reduce((total, size) => total + size, 0)
  return { count: sizes.length, sum }
}

/**
 * Reads the number of samples of each chunk (`stsc`). The table has an entry for each chunk where the number changes.
 * The returned function only moves forward in the table, so call it with ascending chunk numbers, from 1.
 */
function readSamplesPerChunk(table: DataView | undefined): (chunk: number) => number {
  if (!table) return () => 0
  const firstChunks = readUint32s(table, 4, 12)
  let entry = 0
  return (chunk) => {
    while ((firstChunks[entry + 1] ?? Number.POSITIVE_INFINITY) <= chunk) entry += 1
    return firstChunks.length > 0 ? table.getUint32(8 + entry * 12 + 4) : 0
  }
}

/** A box of an MP4 or QuickTime file. The span is its content, without the header. */
interface Box extends Span {
  name: string
  nameOffset: number
  /** Whether this is the `uuid` box of XMP, in which editing software stores metadata. */
  isXmp: boolean
}

/** How many more boxes may be read. The limit keeps a broken file from blocking the page. */
interface BoxBudget {
  remaining: number
}
const maxBoxes = 4096

/** Yields the boxes in `range`, which follow one another. Stops at a box with an invalid length. */
async function* readBoxes(file: Blob, range: Span, budget: BoxBudget): AsyncGenerator<Box> {
  let offset = range.from
  while (offset + 8 <= range.to && budget.remaining > 0) {
    budget.remaining -= 1
    const box = await readBox(file, offset, range.to)
    if (!box) return
    yield box
    offset = box.to
  }
}

/** Returns the first box in `range` at `path`, which lists the names of nested boxes, the outermost first. */
async function findBox(file: Blob, range: Span, path: string[], budget: BoxBudget): Promise<Box | undefined> {
  const [name, ...rest] = path
  for await (const box of readBoxes(file, range, budget)) {
    if (box.name === name) return rest.length > 0 ? findBox(file, box, rest, budget) : box
  }
  return undefined
}

const xmpUuid = [
  0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
] as const
/** A header of at most 16 bytes, and a UUID. */
const maxHeaderBytes = 32

/** Returns the box at `offset`, or undefined if its length is invalid. */
async function readBox(file: Blob, offset: number, end: number): Promise<Box | undefined> {
  const view = await readSpan(file, { from: offset, to: end }, maxHeaderBytes)
  if (view.byteLength < 8) return
  const name = readFourCc(view, 4)
  let length = view.getUint32(0)
  let headerLength = 8
  if (length === 1) {
    if (view.byteLength < 16) return
    length = Number(view.getBigUint64(8))
    headerLength = 16
  } else if (length === 0) {
    length = end - offset
  }
  if (length < headerLength || offset + length > end) return
  const isXmp =
    name === 'uuid' &&
    view.byteLength >= headerLength + xmpUuid.length &&
    xmpUuid.every((byte, index) => view.getUint8(headerLength + index) === byte)
  return { name, nameOffset: offset + 4, from: offset + headerLength, to: offset + length, isXmp }
}

/** Reads at most `maxBytes` bytes of a span. */
async function readSpan(file: Blob, { from, to }: Span, maxBytes: number): Promise<DataView> {
  return new DataView(await file.slice(from, Math.min(to, from + maxBytes)).arrayBuffer())
}

/** Reads four characters, for example the name of a box. */
function readFourCc(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)))
}
