import { expect, test } from 'vitest'
import { tryClaim } from './claim-alert'

test('each thing is announced once, and old claims are forgotten', () => {
  const kept = new Map<string, string>()
  const storage = {
    get: (name: string) => kept.get(name) ?? null,
    set: (name: string, value: string) => void kept.set(name, value),
  }
  expect(tryClaim(storage, 'one')).toBe(true)
  expect(tryClaim(storage, 'one')).toBe(false)
  expect(tryClaim(storage, 'two')).toBe(true)
  for (let index = 0; index < 99; index += 1) tryClaim(storage, `more ${index}`)
  expect(tryClaim(storage, 'two')).toBe(false)
  expect(tryClaim(storage, 'one')).toBe(true)
})
