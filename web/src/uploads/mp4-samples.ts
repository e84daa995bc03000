import { type Box, type BoxBudget, findBox, readFourCc, readSpan, type Span } from './mp4-boxes'

/** Kinds of tracks that a video is watched by. Others tell of the camera, second by second, or are words. */
const watched = ['vide', 'soun']
/** Bytes of a table that are read at most: those of an hour with 60 pieces a second. */
const longestTable = 1024 * 1024

/** Whether a track holds neither picture nor sound. One that does not say what it holds stays. */
export async function isDataTrack(file: Blob, track: Box, budget: BoxBudget): Promise<boolean> {
  const handler = await findBox(file, track, ['mdia', 'hdlr'], budget)
  if (!handler || handler.to - handler.from < 12) return false
  return !watched.includes(readFourCc(await readSpan(file, handler, 12), 8))
}

/** Where in the file a track's own data lies, which its box only points to. */
export async function sampleSpans(file: Blob, track: Box, budget: BoxBudget): Promise<Span[]> {
  const table = await findBox(file, track, ['mdia', 'minf', 'stbl'], budget)
  if (!table) return []
  const read = async (name: string) => {
    const box = await findBox(file, table, [name], budget)
    return box && readSpan(file, box, longestTable)
  }
  const near = await read('stco')
  const offsets = near ? numbers(near, 4, 4) : bigNumbers(await read('co64'))
  const sizes = sizesIn(await read('stsz'))
  const perChunk = chunkLengths(await read('stsc'))
  const spans: Span[] = []
  let sample = 0
  offsets.forEach((from, chunk) => {
    const next = Math.min(sample + perChunk(chunk + 1), sizes.count)
    const to = Math.min(from + sizes.sum(sample, next), file.size)
    sample = next
    if (to > from) spans.push({ from, to })
  })
  return spans
}

/** The numbers of 32 bits in a table whose length stands at `lengthAt`, one every `step` bytes behind it. */
function numbers(table: DataView | undefined, lengthAt: number, step: number): number[] {
  if (!table || table.byteLength < lengthAt + 4) return []
  const start = lengthAt + 4
  const length = Math.min(table.getUint32(lengthAt), Math.floor((table.byteLength - start) / step))
  return Array.from({ length }, (_, index) => table.getUint32(start + index * step))
}

function bigNumbers(table: DataView | undefined): number[] {
  if (!table || table.byteLength < 8) return []
  const length = Math.min(table.getUint32(4), Math.floor((table.byteLength - 8) / 8))
  return Array.from({ length }, (_, index) => Number(table.getBigUint64(8 + index * 8)))
}

interface Sizes {
  count: number
  /** Bytes of the samples from one to before another. */
  sum: (sample: number, end: number) => number
}

/** How long the samples are: all the same, or each its own. */
function sizesIn(table: DataView | undefined): Sizes {
  if (!table || table.byteLength < 12) return { count: 0, sum: () => 0 }
  const same = table.getUint32(4)
  if (same > 0) return { count: table.getUint32(8), sum: (sample, end) => (end - sample) * same }
  const each = numbers(table, 8, 4)
  const sum = (sample: number, end: number) => each.slice(sample, end).reduce((all, one) => all + one, 0)
  return { count: each.length, sum }
}

/** How many samples each chunk has, asked for in their order from 1: the table names where the number changes. */
function chunkLengths(table: DataView | undefined): (chunk: number) => number {
  if (!table) return () => 0
  const firsts = numbers(table, 4, 12)
  let run = 0
  return (chunk) => {
    while ((firsts[run + 1] ?? Number.POSITIVE_INFINITY) <= chunk) run += 1
    return firsts.length > 0 ? table.getUint32(8 + run * 12 + 4) : 0
  }
}
