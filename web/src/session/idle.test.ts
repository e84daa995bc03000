import { expect, test } from 'vitest'
import { idleState } from './idle'

const minute = 60_000

test('returns `warning` during the last minute and `over` after it', () => {
  const stateAfter = (idleMs: number) => idleState(1000, 15 * minute, 1000 + idleMs)
  expect(stateAfter(0)).toBe('active')
  expect(stateAfter(14 * minute - 1)).toBe('active')
  expect(stateAfter(14 * minute)).toBe('warning')
  expect(stateAfter(15 * minute - 1)).toBe('warning')
  expect(stateAfter(15 * minute)).toBe('over')
  expect(stateAfter(9000 * minute)).toBe('over')
})
