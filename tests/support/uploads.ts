import { ImageUpload } from '@contract/media.ts'
import { expect } from 'vitest'
import { call } from './api.ts'
import type { TestUser } from './users.ts'

/** Uploads a PNG through the API and returns its URL and metadata. */
export async function uploadImage(user: TestUser, bytes: Buffer): Promise<ImageUpload> {
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'picture.png')
  const response = await call('POST', '/api/upload', {
    headers: { Authorization: `Bearer ${user.token}` },
    form,
  })
  const body: unknown = await response.json()
  expect({ status: response.status, body }).toEqual({ status: 201, body })
  return ImageUpload.parse(body)
}
