import { ImageUpload } from '@contract/media.ts'
import { expect } from 'vitest'
import { authorizationHeader, call } from './api.ts'
import { createPng, fileForm } from './media-files.ts'
import type { TestUser } from './users.ts'

/** Uploads a PNG through the API, by default a small one, and returns its URL and metadata. */
export async function uploadImage(
  user: TestUser,
  bytes: Uint8Array = createPng({ width: 40, height: 30 }),
): Promise<ImageUpload> {
  const response = await call('POST', '/api/upload', {
    headers: authorizationHeader(user),
    form: fileForm('image', bytes, { name: 'picture.png', type: 'image/png' }),
  })
  const body: unknown = await response.json()
  expect({ status: response.status, body }).toEqual({ status: 201, body })
  return ImageUpload.parse(body)
}
