import { expect, test } from 'vitest'
import { rowsNear } from './useRowsInView'

test('draws what is in sight and a few rows around it, and never more than there are', () => {
  expect(rowsNear(0, 600, 60, 5000)).toEqual({ first: 0, end: 18 })
  expect(rowsNear(-60_000, 600, 60, 5000)).toEqual({ first: 992, end: 1018 })
  expect(rowsNear(-300_000, 600, 60, 5000)).toEqual({ first: 4992, end: 5000 })
  expect(rowsNear(0, 600, 60, 3)).toEqual({ first: 0, end: 3 })
  // The list begins below what stands above it, or has become short.
  expect(rowsNear(900, 600, 60, 5000)).toEqual({ first: 0, end: 3 })
  expect(rowsNear(-300_000, 600, 60, 2)).toEqual({ first: 2, end: 2 })
})
