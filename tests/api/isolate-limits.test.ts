import { limits } from '@contract/limits.ts'
import { expect, it } from 'vitest'
import { authorizationHeader } from '../support/api.ts'
import { startApiServer } from '../support/function-server.ts'
import { createOversizedGif, createPng, fileForm, withPngSize } from '../support/media-files.ts'
import { createUser } from '../support/users.ts'

// The test starts two servers and decodes large images, which can take a minute on a busy machine.
it('POST /api/upload in an edge isolate rejects images over the isolate’s limits before decoding them, and stores smaller ones', {
  timeout: 180_000,
}, async () => {
  const user = await createUser()
  // Both servers run with the environment of an edge isolate, but the second one turns the limits off.
  const [isolate, unlimited] = await Promise.all([
    startApiServer({ SB_EXECUTION_ID: '5f3c' }),
    startApiServer({ SB_EXECUTION_ID: '5f3c', ISOLATE_LIMITS: 'off' }),
  ])
  const send = async ({ url }: { url: string }, bytes: Buffer) => {
    const response = await fetch(`${url}/api/upload`, {
      method: 'POST',
      headers: authorizationHeader(user),
      body: fileForm('image', bytes),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  try {
    const rejected = {
      status: 413,
      body: {
        message: 'This image has too many pixels. Please choose a smaller one.',
        code: 'payload_too_large',
      },
    }
    const small = createPng({ width: 8, height: 8 })
    expect(await send(isolate, withPngSize(small, 4000, 3000))).toEqual(rejected)
    // The pixel data is missing: status 400 instead of 413 shows that this server tried to decode the image.
    expect((await send(unlimited, withPngSize(small, 4000, 3000))).status).toBe(400)
    // Each of the 30 frames has one megapixel, which is small enough, but all frames together exceed the limit.
    expect(await send(isolate, createOversizedGif(1000, 1000, 30))).toEqual(rejected)

    const largest = createPng({ width: 4000, height: limits.image.compressAbovePixels / 4000 })
    expect(await send(isolate, largest)).toMatchObject({ status: 201, body: { width: 1600, height: 400 } })
    expect(await send(unlimited, largest)).toMatchObject({ status: 201, body: { width: 2560, height: 640 } })
  } finally {
    isolate.stop()
    unlimited.stop()
  }
})
