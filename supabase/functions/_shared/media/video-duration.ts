import type { VideoType } from '../contract/media.ts'
import { readVint, videoHeaderBytes, vintLength } from './file-types.ts'

/** Returns at most `length` bytes of a file, starting at the offset `from`, or null. */
type ReadRange = (from: number, length: number) => Promise<Uint8Array | null>

/** Longer durations are not plausible. */
const maxSeconds = 86_400
/** The maximum number of top-level boxes of an MP4 file to read in search of the one with the duration. */
const maxBoxes = 32

/** Returns a video's duration in whole seconds, or null if the file states no plausible one. Reads only the headers. */
export async function findVideoDuration(
  read: ReadRange,
  size: number,
  type: VideoType,
): Promise<number | null> {
  const seconds = type === 'video/webm' ? await readWebmDuration(read) : await readMp4Duration(read, size)
  if (seconds === null || !(seconds > 0 && seconds <= maxSeconds)) return null
  return Math.max(1, Math.round(seconds))
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Reads `mvhd`, the first box in `moov`, which is at the start or the end of the file. */
async function readMp4Duration(read: ReadRange, size: number): Promise<number | null> {
  for (let at = 0, boxes = 0; at + 8 <= size && boxes < maxBoxes; boxes++) {
    const bytes = await read(at, 64)
    if (!bytes || bytes.length < 16) return null
    const view = viewOf(bytes)
    const name = view.getUint32(4)
    if (name === 0x6d_6f_6f_76) return bytes.length < 64 ? null : readMovieHeader(view)
    const shortSize = view.getUint32(0)
    // 1 means that a 64-bit size follows, and 0 that the box extends to the end of the file.
    const boxSize = shortSize === 1 ? Number(view.getBigUint64(8)) : shortSize
    if (boxSize < 8) return null
    at += boxSize
  }
  return null
}

/** Reads the duration from the first bytes of `moov`. */
function readMovieHeader(moov: DataView): number | null {
  if (moov.getUint32(12) !== 0x6d_76_68_64) return null
  const isLong = moov.getUint8(16) === 1
  const timescale = moov.getUint32(isLong ? 36 : 28)
  const duration = isLong ? Number(moov.getBigUint64(40)) : moov.getUint32(32)
  return timescale > 0 ? duration / timescale : null
}

const segmentId = 0x18538067
const infoId = 0x1549a966
const timestampScaleId = 0x2ad7b1
const durationId = 0x4489

/** Reads the Info element, which is near the start of the file. Recordings made by browsers have no duration. */
async function readWebmDuration(read: ReadRange): Promise<number | null> {
  const head = await read(0, videoHeaderBytes)
  const segment = head && findElement(head, 0, segmentId)
  const info = segment && findElement(head, segment.from, infoId)
  if (!info) return null
  const duration = findElement(head, info.from, durationId, info.to)
  if (!duration) return null
  const { from, to } = duration
  const view = viewOf(head)
  const value = to - from === 8 ? view.getFloat64(from) : to - from === 4 ? view.getFloat32(from) : Number.NaN
  const scale = findElement(head, info.from, timestampScaleId, info.to)
  const nanoseconds = scale ? readUint(head.subarray(scale.from, scale.to)) : 1_000_000
  return (value * nanoseconds) / 1e9
}

const readUint = (bytes: Uint8Array) => bytes.reduce((value, byte) => value * 256 + byte, 0)

/**
 * Returns where the content of the first element with this id begins and ends. Searches consecutive elements, starting
 * at `start`.
 */
function findElement(
  bytes: Uint8Array,
  start: number,
  id: number,
  end = bytes.length,
): { from: number; to: number } | null {
  let at = start
  while (at < end) {
    const idLength = vintLength(bytes[at] ?? 0)
    const size = readVint(bytes, at + idLength)
    const isWanted = readUint(bytes.subarray(at, at + idLength)) === id
    // A segment may have an unknown size.
    if (isWanted && id === segmentId)
      return { from: at + idLength + vintLength(bytes[at + idLength] ?? 0), to: end }
    if (!size) return null
    const to = size.next + size.value
    if (isWanted) return to <= bytes.length ? { from: size.next, to } : null
    at = to
  }
  return null
}
