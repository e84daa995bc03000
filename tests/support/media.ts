import { crc32, deflateSync } from 'node:zlib'
import { ImageUpload } from '@contract/media.ts'
import { expect } from 'vitest'
import { call } from './api.ts'
import type { Person } from './people.ts'

/** One chunk of a PNG. */
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG of one colour, in pixels. */
export function picture({ width, height }: { width: number; height: number }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits, true colour.
  header.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([226, 107, 74]))])
  const pixels = Buffer.concat(Array.from({ length: height }, () => line))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Uploads a picture as somebody; answers its address and what else is told of it. */
export async function uploadPicture(person: Person, bytes: Buffer): Promise<ImageUpload> {
  const body = new FormData()
  body.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'picture.png')
  const answer = await call('POST', '/api/upload', {
    headers: { Authorization: `Bearer ${person.token}` },
    form: body,
  })
  const told: unknown = await answer.json()
  expect({ status: answer.status, told }).toEqual({ status: 201, told })
  return ImageUpload.parse(told)
}
