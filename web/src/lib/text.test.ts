import { expect, test } from 'vitest'
import { conversationName, displayName, initials } from './text'

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['  Ana   María   de la Cruz ', 'AC'],
  ['👩‍🚀 Zoë', '👩‍🚀Z'],
  ['🏳️‍🌈🇳🇴', '🏳️‍🌈'],
  ['🇳🇴 👍🏽', '🇳🇴👍🏽'],
  ['e\u0301mile zola', 'E\u0301Z'],
  ['محمد علي', 'مع'],
  ['山田 太郎', '山太'],
  ['\u202Eada', 'A'],
  ['', '?'],
  ['\u200F', '?'],
])('%j is %s in short', (name, short) => {
  expect(initials(name)).toBe(short)
})

test('a name carries no control of direction, and one of nothing else is none', () => {
  expect(displayName({ displayName: '\u202Eada\u2069' })).toBe('ada')
  expect(displayName({ displayName: '\u202E', firstName: 'Ada', lastName: 'Lovelace' })).toBe('Ada Lovelace')
  expect(displayName(null)).toBe('Unknown User')
  expect(conversationName({ fullName: '\u2067\u2069', username: 'ada' })).toBe('ada')
  expect(conversationName(undefined)).toBe('User')
})
