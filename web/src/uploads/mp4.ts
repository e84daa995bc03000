import { type BoxBudget, readBoxes, type Span } from './mp4-boxes'
import { isDataTrack, sampleSpans } from './mp4-samples'

/** Boxes in which cameras write where a video was taken, beside title and device. */
const personal = ['udta', 'meta']
/** Boxes that may hold such boxes. */
const parents = ['moov', 'trak', 'mdia']
const mostBoxes = 4096

/** Bytes that are written anew: the name of a box, or nothing but zeros. */
interface Change extends Span {
  name?: 'free'
}

/**
 * The same MP4 or QuickTime video without its location. The boxes in which cameras write it are renamed to `free`,
 * which players skip, and what was in them becomes zeros; so do tracks that are neither picture nor sound, in which
 * some write it for every second. Nothing moves within the file, and of what is seen and heard nothing is read: the
 * answer is made of slices of `file`.
 */
export async function stripLocation(file: Blob): Promise<Blob> {
  const changes: Change[] = []
  await collect(file, { from: 0, to: file.size }, changes, { left: mostBoxes })
  if (changes.length === 0) return file
  changes.sort((one, other) => one.from - other.from)
  const parts: BlobPart[] = []
  let from = 0
  for (const change of changes) {
    // What a broken file names twice is written once.
    const start = Math.max(change.from, from)
    if (start >= change.to) continue
    if (start > from) parts.push(file.slice(from, start))
    if (change.name && start === change.from) parts.push(change.name)
    else pushZeros(parts, change.to - start)
    from = change.to
  }
  parts.push(file.slice(from))
  return new Blob(parts, { type: file.type })
}

async function collect(file: Blob, range: Span, changes: Change[], budget: BoxBudget): Promise<void> {
  for await (const box of readBoxes(file, range, budget)) {
    const unwatched = box.name === 'trak' && (await isDataTrack(file, box, budget))
    if (unwatched) changes.push(...(await sampleSpans(file, box, budget)))
    if (unwatched || box.isXmp || personal.includes(box.name)) {
      changes.push({ from: box.nameAt, to: box.nameAt + 4, name: 'free' }, { from: box.from, to: box.to })
    } else if (parents.includes(box.name)) {
      await collect(file, box, changes, budget)
    }
  }
}

const zeros = new Uint8Array(64 * 1024)

function pushZeros(parts: BlobPart[], length: number): void {
  for (let left = length; left > 0; left -= zeros.length) parts.push(zeros.subarray(0, left))
}
