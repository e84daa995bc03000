import type { ViewSource } from '@contract/analytics.ts'
import { describe, expect, it } from 'vitest'
import { createViewLog, isPostVisible } from './view-tracking'

const noon = Date.parse('2026-11-21T12:00:00Z')
const minutesAfterNoon = (minutes: number) => noon + minutes * 60_000

const view = (postId: string, { userId = 'fan', source = 'home' as ViewSource, now = noon } = {}) => ({
  userId,
  postId,
  source,
  now,
})

describe('createViewLog', () => {
  it('queues a post once per clock hour, for the first source', () => {
    const log = createViewLog()
    expect(log.add(view('a', { now: minutesAfterNoon(50) }))).toBe(true)
    expect(log.add(view('a', { now: minutesAfterNoon(59), source: 'profile' }))).toBe(false)
    expect(log.take(50)).toEqual({ postIds: ['a'], source: 'home' })
    expect(log.add(view('a', { now: minutesAfterNoon(59.9) }))).toBe(false)
    expect(log.add(view('a', { now: minutesAfterNoon(60) }))).toBe(true)
    expect(log.take(50)).toEqual({ postIds: ['a'], source: 'home' })
  })

  it('returns queued posts in order and in batches of one source', () => {
    const log = createViewLog()
    for (const postId of ['a', 'b', 'c']) log.add(view(postId))
    log.add(view('d', { source: 'topic' }))
    log.add(view('e'))
    expect(log.take(2)).toEqual({ postIds: ['a', 'b'], source: 'home' })
    expect(log.size()).toBe(3)
    expect(log.take(2)).toEqual({ postIds: ['c', 'e'], source: 'home' })
    expect(log.take(2)).toEqual({ postIds: ['d'], source: 'topic' })
    expect(log.take(2)).toBeNull()
  })

  it('discards the views of a user when another one signs in', () => {
    const log = createViewLog()
    log.add(view('a'))
    log.add(view('b'))
    expect(log.add(view('b', { userId: 'other' }))).toBe(true)
    expect(log.take(50)).toEqual({ postIds: ['b'], source: 'home' })
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
