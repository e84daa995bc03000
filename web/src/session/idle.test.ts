import { expect, test } from 'vitest'
import { idleState } from './idle'

const minute = 60_000

test('warns in the last minute, and is over at its end', () => {
  const at = (passed: number) => idleState(1000, 15 * minute, 1000 + passed)
  expect(at(0)).toBe('active')
  expect(at(14 * minute - 1)).toBe('active')
  expect(at(14 * minute)).toBe('warning')
  expect(at(15 * minute - 1)).toBe('warning')
  expect(at(15 * minute)).toBe('over')
  expect(at(9000 * minute)).toBe('over')
})
