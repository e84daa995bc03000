import { describe, expect, it } from 'vitest'
import { createViewLog, isPostVisible } from './view-log'

const noon = Date.parse('2026-11-21T12:00:00Z')
const minutes = (count: number) => noon + count * 60_000

describe('what was seen', () => {
  it('is reported once an hour by the clock', () => {
    const log = createViewLog()
    expect(log.note('fan', 'a', minutes(50))).toBe(true)
    expect(log.note('fan', 'a', minutes(59))).toBe(false)
    expect(log.take(50)).toEqual(['a'])
    expect(log.note('fan', 'a', minutes(59.9))).toBe(false)
    expect(log.note('fan', 'a', minutes(60))).toBe(true)
    expect(log.take(50)).toEqual(['a'])
  })

  it('is taken in order and in parts', () => {
    const log = createViewLog()
    for (const post of ['a', 'b', 'c']) log.note('fan', post, noon)
    expect(log.take(2)).toEqual(['a', 'b'])
    expect(log.waiting()).toBe(1)
    expect(log.take(2)).toEqual(['c'])
    expect(log.take(2)).toEqual([])
  })

  it('is never reported for somebody else', () => {
    const log = createViewLog()
    log.note('fan', 'a', noon)
    log.note('fan', 'b', noon)
    expect(log.note('other', 'b', noon)).toBe(true)
    expect(log.take(50)).toEqual(['b'])
  })
})

describe('in sight', () => {
  const sight = (ratio: number, height: number, screen: number | null = 800) => ({
    intersectionRatio: ratio,
    intersectionRect: { height },
    rootBounds: screen === null ? null : { height: screen },
  })

  it('is a post with half of it on the screen', () => {
    expect(isPostVisible(sight(0.5, 100))).toBe(true)
    expect(isPostVisible(sight(0.49, 98))).toBe(false)
    expect(isPostVisible(sight(0, 0))).toBe(false)
  })

  it('is one too high for that which fills half of the screen', () => {
    expect(isPostVisible(sight(0.2, 400))).toBe(true)
    expect(isPostVisible(sight(0.2, 399))).toBe(false)
    expect(isPostVisible(sight(0.2, 400, null))).toBe(false)
  })
})
