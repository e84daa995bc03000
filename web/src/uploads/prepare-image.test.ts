import { limits } from '@contract/limits.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { compressImage } from './compress-image'
import { prepareImage } from './prepare-image'

vi.mock('./compress-image', () => ({ compressImage: vi.fn() }))

const { signal } = new AbortController()
const target = { maxSide: 1080, maxMegabytes: 2, quality: 0.85 }
const onCompress = vi.fn()
const prepare = (file: File) => prepareImage(file, { target, signal, onCompress })

afterEach(() => vi.unstubAllGlobals())

/** Returns a GIF of two frames, padded to the given number of bytes. */
function createAnimatedGif(bytes: number): File {
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  const start = [...new TextEncoder().encode('GIF89a'), 1, 0, 1, 0, 0, 0, 0, ...frame, ...frame, 0x3b]
  return new File([new Uint8Array(start), new Uint8Array(bytes - start.length)], 'a.gif', {
    type: 'image/gif',
  })
}

test('returns an animated GIF unchanged if it is within the size limit', async () => {
  for (const bytes of [1000, limits.image.compressAboveBytes + 1, limits.image.maxBytes]) {
    const file = createAnimatedGif(bytes)
    expect(await prepare(file)).toBe(file)
  }
  await expect(prepare(createAnimatedGif(limits.image.maxBytes + 1))).rejects.toMatchObject({
    title: 'File too large',
    message: 'Image must be less than 10MB',
  })
  expect(onCompress).not.toHaveBeenCalled()
})

test('corrects the type of an image based on its content and rejects other files', async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  expect((await prepare(new File([png], 'a.jpg', { type: 'image/jpeg' }))).type).toBe('image/png')
  await expect(prepare(new File(['<svg/>'], 'a.png', { type: 'image/png' }))).rejects.toMatchObject({
    title: 'Invalid file type',
  })
})

test('compresses a small file with many pixels, which the Supabase edge runtime could not decode', async () => {
  const png = new File([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], 'a.png', {
    type: 'image/png',
  })
  const compressed = new File([], 'picture.jpg')
  vi.mocked(compressImage).mockResolvedValue(compressed)
  const stubSize = (width: number, height: number) =>
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width, height, close: () => undefined }))
  stubSize(2500, 1600)
  expect(await prepare(png)).toBe(png)
  stubSize(2500, 1601)
  expect(await prepare(png)).toBe(compressed)
  expect(onCompress).toHaveBeenCalledOnce()
})
