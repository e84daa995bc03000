import { describe, expect, it } from 'vitest'
import { contactEmail } from './LegalPage'

describe('contactEmail', () => {
  it.each([
    ['ovation.example', 'support@ovation.example'],
    ['www.ovation.example', 'support@ovation.example'],
    ['127.0.0.1', 'support@localhost'],
    ['[::1]', 'support@localhost'],
    ['localhost', 'support@localhost'],
  ])('on host %s returns %s', (host, address) => {
    expect(contactEmail('support', host)).toBe(address)
  })
})
