import { expect, test } from 'vitest'
import { titleOf } from './useDocumentTitle'

test('names the site, the page and how much is unread', () => {
  expect(titleOf(undefined, 0, 'Ovation')).toBe('Ovation')
  expect(titleOf('Messages', 0, 'Ovation')).toBe('Messages · Ovation')
  expect(titleOf('Messages', 3, 'Ovation')).toBe('(3) Messages · Ovation')
  expect(titleOf(undefined, 250, 'Ovation')).toBe('(99+) Ovation')
})
