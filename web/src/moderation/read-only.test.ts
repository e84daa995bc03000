import { i18n } from '@lingui/core'
import { afterEach, expect, test } from 'vitest'
import { fullTime } from '@/lib/time'
import { readOnlyReasonText } from './read-only'

const readOnlyReason = 'Suspended until 30 November 2026, 14:00 UTC: Spam'
const until = '2026-11-30T14:00:00+00:00'

/** Returns the text without the characters that isolate the reason. */
const textOf = (user: Parameters<typeof readOnlyReasonText>[0]) =>
  readOnlyReasonText(user)?.replace(/[\u2068\u2069]/g, '')

afterEach(() => i18n.activate('en'))

test('builds the text of a suspension from its end and its reason', () => {
  expect(textOf({ readOnlyReason, suspension: { reason: 'Spam', until } })).toBe(
    `Suspended until ${fullTime(until)}: Spam`,
  )
  expect(textOf({ readOnlyReason: 'Suspended: Spam', suspension: { reason: 'Spam', until: null } })).toBe(
    'Suspended: Spam',
  )
})

test('translates the server’s text if the account is not suspended', () => {
  const text = 'This account is waiting for approval.'
  i18n.loadAndActivate({ locale: 'es', messages: { [text]: 'Esta cuenta está pendiente de aprobación.' } })
  expect(textOf({ readOnlyReason: text, suspension: null })).toBe('Esta cuenta está pendiente de aprobación.')
  expect(textOf({ readOnlyReason })).toBe(readOnlyReason)
  expect(readOnlyReasonText({ readOnlyReason: null })).toBeNull()
})
