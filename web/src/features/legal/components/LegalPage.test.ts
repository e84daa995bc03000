import { expect, test } from 'vitest'
import { contactEmail } from './contact-email'

test.each([
  ['ovation.example', 'support@ovation.example'],
  ['www.ovation.example', 'support@ovation.example'],
  ['127.0.0.1', 'support@localhost'],
  ['[::1]', 'support@localhost'],
  ['localhost', 'support@localhost'],
])('who is at %s writes to %s', (host, address) => {
  expect(contactEmail('support', host)).toBe(address)
})
