import { describe, expect, it } from 'vitest'
import { createViewLog, isPostVisible } from './view-tracking'

const noon = Date.parse('2026-11-21T12:00:00Z')
const minutesAfterNoon = (minutes: number) => noon + minutes * 60_000

describe('createViewLog', () => {
  it('queues a post once per clock hour', () => {
    const log = createViewLog()
    expect(log.add('fan', 'a', minutesAfterNoon(50))).toBe(true)
    expect(log.add('fan', 'a', minutesAfterNoon(59))).toBe(false)
    expect(log.take(50)).toEqual(['a'])
    expect(log.add('fan', 'a', minutesAfterNoon(59.9))).toBe(false)
    expect(log.add('fan', 'a', minutesAfterNoon(60))).toBe(true)
    expect(log.take(50)).toEqual(['a'])
  })

  it('returns queued posts in order and in batches', () => {
    const log = createViewLog()
    for (const postId of ['a', 'b', 'c']) log.add('fan', postId, noon)
    expect(log.take(2)).toEqual(['a', 'b'])
    expect(log.size()).toBe(1)
    expect(log.take(2)).toEqual(['c'])
    expect(log.take(2)).toEqual([])
  })

  it('discards the views of a user when another one signs in', () => {
    const log = createViewLog()
    log.add('fan', 'a', noon)
    log.add('fan', 'b', noon)
    expect(log.add('other', 'b', noon)).toBe(true)
    expect(log.take(50)).toEqual(['b'])
  })
})

describe('isPostVisible', () => {
  const intersection = (ratio: number, height: number, screenHeight: number | null = 800) => ({
    intersectionRatio: ratio,
    intersectionRect: { height },
    rootBounds: screenHeight === null ? null : { height: screenHeight },
  })

  it('accepts a post if half of it is on the screen', () => {
    expect(isPostVisible(intersection(0.5, 100))).toBe(true)
    expect(isPostVisible(intersection(0.49, 98))).toBe(false)
    expect(isPostVisible(intersection(0, 0))).toBe(false)
  })

  it('accepts a tall post if it fills half of the screen', () => {
    expect(isPostVisible(intersection(0.2, 400))).toBe(true)
    expect(isPostVisible(intersection(0.2, 399))).toBe(false)
    expect(isPostVisible(intersection(0.2, 400, null))).toBe(false)
  })
})
