import { expect, test } from 'vitest'
import { z } from 'zod'
import { uuidTime, uuidv7 } from './uuid'

test('creates a version 7 UUID that contains its creation time', () => {
  const id = uuidv7(Date.UTC(2026, 10, 21, 3, 0, 0))
  expect(z.uuidv7().safeParse(id).success).toBe(true)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 10, 21, 3, 0, 0))
  expect(uuidTime(id)).toBe(Date.UTC(2026, 10, 21, 3, 0, 0))
})

test('creates unique ids that sort by time', () => {
  expect(uuidv7(1_000) < uuidv7(2_000)).toBe(true)
  expect(new Set(Array.from({ length: 1000 }, () => uuidv7(5))).size).toBe(1000)
})
