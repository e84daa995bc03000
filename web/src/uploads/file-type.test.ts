import { expect, test } from 'vitest'
import { isAnimatedGif, sniffImage, sniffVideo } from './file-type'

const bytes = (...parts: (string | number[])[]) =>
  new Blob(parts.map((part) => (typeof part === 'string' ? part : new Uint8Array(part))))

test('detects images by their first bytes, not by their names', async () => {
  expect(await sniffImage(bytes([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg')
  expect(await sniffImage(bytes([0x89], 'PNG\r\n', [0x1a], '\n'))).toBe('image/png')
  expect(await sniffImage(bytes('GIF89a'))).toBe('image/gif')
  const disguised = new File(['<svg onload="alert(1)">'], 'photo.jpg', { type: 'image/jpeg' })
  expect(await sniffImage(disguised)).toBeNull()
  expect(await sniffImage(bytes('GIF90a'))).toBeNull()
  expect(await sniffImage(bytes())).toBeNull()
})

test('detects videos by their container', async () => {
  expect(await sniffVideo(bytes([0, 0, 0, 24], 'ftypisom', [0, 0, 2, 0]))).toBe('video/mp4')
  expect(await sniffVideo(bytes([0, 0, 0, 20], 'ftypqt  '))).toBe('video/quicktime')
  // Files older than the `ftyp` box have no type information.
  expect(await sniffVideo(bytes([0, 0, 0, 8], 'wide', [0, 0, 0, 9], 'mdat'))).toBeNull()
  expect(await sniffVideo(bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], 'webm'))).toBe('video/webm')
})

test('rejects other files in the same containers as videos', async () => {
  expect(await sniffVideo(bytes([0, 0, 0, 24], 'ftypheic'))).toBeNull()
  expect(await sniffVideo(bytes([0, 0, 0, 24], 'ftypM4A '))).toBeNull()
  expect(await sniffVideo(bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x88], 'matroska'))).toBeNull()
  expect(await sniffVideo(bytes('<html>'))).toBeNull()
})

/** Returns a GIF of 1 pixel with the given number of frames. */
const gif = (frames: number) => {
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
  const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0]
  return bytes(
    'GIF89a',
    [1, 0, 1, 0, 0x80, 0, 0],
    [0, 0, 0, 255, 255, 255],
    Array.from({ length: frames }, () => [...control, ...frame]).flat(),
    [0x3b],
  )
}

test('treats a GIF with more than one frame as animated', async () => {
  expect(await isAnimatedGif(gif(1))).toBe(false)
  expect(await isAnimatedGif(gif(2))).toBe(true)
  expect(await isAnimatedGif(bytes('GIF89a'))).toBe(false)
})
