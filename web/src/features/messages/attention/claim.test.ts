import { expect, test } from 'vitest'
import { take } from './claim'

test('each thing is announced once, and old claims are forgotten', () => {
  let kept: string | null = null
  const storage = { get: () => kept, set: (_: string, value: string) => void (kept = value) }
  expect(take(storage, 'one')).toBe(true)
  expect(take(storage, 'one')).toBe(false)
  expect(take(storage, 'two')).toBe(true)
  for (let index = 0; index < 99; index += 1) take(storage, `more ${index}`)
  expect(take(storage, 'two')).toBe(false)
  expect(take(storage, 'one')).toBe(true)
})
