import { expect, test } from 'vitest'
import { frameRatio } from './frame-ratio'
import { postFixture } from './post-fixture'

const of = (mediaType: 'image' | 'video', mediaWidth: number | null, mediaHeight: number | null) =>
  frameRatio(postFixture('a', { mediaType, mediaWidth, mediaHeight }))

test('a frame has the shape of its picture, within bounds that leave room for the next post', () => {
  expect(of('image', 1080, 1080)).toBe(1)
  expect(of('image', 1000, 8000)).toBe(0.8)
  expect(of('image', 9000, 100)).toBe(1.91)
})

test('where no size is known, a picture and a video get their usual shape', () => {
  expect(of('image', null, null)).toBeCloseTo(4 / 3)
  expect(of('video', 1920, null)).toBeCloseTo(16 / 9)
})
