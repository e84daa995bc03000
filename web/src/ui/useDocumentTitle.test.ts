import { expect, test } from 'vitest'
import { formatDocumentTitle } from './useDocumentTitle'

test('includes the site, the page and the unread count', () => {
  expect(formatDocumentTitle(undefined, 0, 'Ovation')).toBe('Ovation')
  expect(formatDocumentTitle('Messages', 0, 'Ovation')).toBe('Messages · Ovation')
  expect(formatDocumentTitle('Messages', 3, 'Ovation')).toBe('(3) Messages · Ovation')
  expect(formatDocumentTitle(undefined, 250, 'Ovation')).toBe('(99+) Ovation')
})
