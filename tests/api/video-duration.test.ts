import { describe, expect, it } from 'vitest'
import { findVideoDuration } from '../../supabase/functions/_shared/media/video-duration.ts'

const read = (file: Buffer) => async (from: number, length: number) => file.subarray(from, from + length)
const durationOf = (file: Buffer, type: 'video/mp4' | 'video/webm') =>
  findVideoDuration(read(file), file.length, type)

/** Returns a box of an MP4 file. */
function box(name: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** Returns the `mvhd` box, which contains the duration: as 32 bits in version 0, and as 64 bits in version 1. */
function movieHeader(timescale: number, duration: number, version = 0): Buffer {
  const content = Buffer.alloc(version === 1 ? 112 : 100)
  if (version === 1) {
    content.writeUInt8(1)
    content.writeUInt32BE(timescale, 20)
    content.writeBigUInt64BE(BigInt(duration), 24)
  } else {
    content.writeUInt32BE(timescale, 12)
    content.writeUInt32BE(duration, 16)
  }
  return box('mvhd', content)
}

/** Returns an element of a WebM file. */
const element = (id: string, content: Buffer, size = Buffer.from([0x80 | content.length])) =>
  Buffer.concat([Buffer.from(id, 'hex'), size, content])

const fileType = box('ftyp', Buffer.from('isom\0\0\0\0isom'))

describe('findVideoDuration', () => {
  it.each([0, 1])('reads an MP4 file with its header at the end (`mvhd` version %i)', async (version) => {
    const file = Buffer.concat([
      fileType,
      box('mdat', Buffer.alloc(9000)),
      box('moov', movieHeader(600, 78_000, version)),
    ])
    expect(await durationOf(file, 'video/mp4')).toBe(130)
  })

  it('reads a WebM file with a segment of unknown size', async () => {
    const duration = Buffer.alloc(8)
    duration.writeDoubleBE(4600)
    const info = element(
      '1549a966',
      Buffer.concat([element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40])), element('4489', duration)]),
    )
    const unknownSize = Buffer.from('01ffffffffffffff', 'hex')
    const file = Buffer.concat([
      element('1a45dfa3', Buffer.from('42868101', 'hex')),
      element('18538067', info, unknownSize),
    ])
    expect(await durationOf(file, 'video/webm')).toBe(5)
  })

  it('returns null for files without a plausible duration, including malformed files', async () => {
    const withHeader = (header: Buffer) => Buffer.concat([fileType, box('moov', header)])
    const files = [
      withHeader(movieHeader(0, 5)),
      withHeader(movieHeader(600, 0)),
      withHeader(movieHeader(1, 4_000_000)),
      withHeader(box('free', Buffer.alloc(100))),
      withHeader(Buffer.alloc(4)),
      fileType,
      Buffer.alloc(5000),
      Buffer.alloc(5000, 0xff),
      Buffer.alloc(0),
    ]
    for (const file of files)
      for (const type of ['video/mp4', 'video/webm'] as const) expect(await durationOf(file, type)).toBeNull()
  })
})
