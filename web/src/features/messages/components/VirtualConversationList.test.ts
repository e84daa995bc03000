import { expect, test } from 'vitest'
import { rowsNearViewport } from './VirtualConversationList'

test('rowsNearViewport returns the visible rows with an overscan, within the bounds of the list', () => {
  expect(rowsNearViewport(0, 600, 60, 5000)).toEqual({ first: 0, end: 18 })
  expect(rowsNearViewport(-60_000, 600, 60, 5000)).toEqual({ first: 992, end: 1018 })
  expect(rowsNearViewport(-300_000, 600, 60, 5000)).toEqual({ first: 4992, end: 5000 })
  expect(rowsNearViewport(0, 600, 60, 3)).toEqual({ first: 0, end: 3 })
  // The list starts below the viewport, or has become shorter than the scroll position.
  expect(rowsNearViewport(900, 600, 60, 5000)).toEqual({ first: 0, end: 3 })
  expect(rowsNearViewport(-300_000, 600, 60, 2)).toEqual({ first: 2, end: 2 })
})
