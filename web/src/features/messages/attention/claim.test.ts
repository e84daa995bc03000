import { expect, test } from 'vitest'
import { take } from './claim'

test('each thing is announced once, and old claims are forgotten', () => {
  const kept = new Map<string, string>()
  const storage = {
    get: (name: string) => kept.get(name) ?? null,
    set: (name: string, value: string) => void kept.set(name, value),
  }
  expect(take(storage, 'one')).toBe(true)
  expect(take(storage, 'one')).toBe(false)
  expect(take(storage, 'two')).toBe(true)
  for (let index = 0; index < 99; index += 1) take(storage, `more ${index}`)
  expect(take(storage, 'two')).toBe(false)
  expect(take(storage, 'one')).toBe(true)
})
