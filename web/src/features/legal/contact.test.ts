import { expect, test } from 'vitest'
import { contactAddress } from './contact'

test.each([
  ['ovation.example', 'support@ovation.example'],
  ['www.ovation.example', 'support@ovation.example'],
  ['127.0.0.1', 'support@localhost'],
  ['[::1]', 'support@localhost'],
  ['localhost', 'support@localhost'],
])('who is at %s writes to %s', (host, address) => {
  expect(contactAddress('support', host)).toBe(address)
})
