import { expect, test } from 'vitest'
import { tryClaim } from './alerts'

test('lets each alert be claimed once and forgets the oldest claims', () => {
  const values = new Map<string, string>()
  const storage = {
    get: (name: string) => values.get(name) ?? null,
    set: (name: string, value: string) => void values.set(name, value),
  }
  expect(tryClaim(storage, 'first')).toBe(true)
  expect(tryClaim(storage, 'first')).toBe(false)
  expect(tryClaim(storage, 'second')).toBe(true)
  for (let index = 0; index < 99; index += 1) tryClaim(storage, `other ${index}`)
  expect(tryClaim(storage, 'second')).toBe(false)
  expect(tryClaim(storage, 'first')).toBe(true)
})
