import { expect, test } from 'vitest'
import { initialViewerCount, nextViewerCount } from './viewer-count'

/** From 0 to just below 1, in small steps. */
const chances = Array.from({ length: 1000 }, (_, at) => at / 1000)

test('a stream begins with 5 to 24 viewers, each as likely as the other', () => {
  const seen = chances.map((chance) => initialViewerCount(() => chance))
  expect(Math.min(...seen)).toBe(5)
  expect(Math.max(...seen)).toBe(24)
  expect(new Set(seen).size).toBe(20)
  expect(seen.filter((viewers) => viewers === 5)).toHaveLength(50)
})

test('the number goes up and down alike, by 3 at most', () => {
  const steps = chances.map((chance) => nextViewerCount(12, () => chance) - 12)
  expect([...new Set(steps)]).toEqual([-3, -2, -1, 0, 1, 2, 3])
})

test('there are never fewer than none', () => {
  for (const viewers of [0, 1, 2]) expect(nextViewerCount(viewers, () => 0)).toBe(0)
  expect(nextViewerCount(3, () => 0)).toBe(0)
  expect(nextViewerCount(4, () => 0)).toBe(1)
})
