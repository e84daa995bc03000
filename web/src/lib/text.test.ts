import { excerpt } from '@contract/excerpt.ts'
import { expect, test } from 'vitest'
import { conversationName, displayName, initials, isolateBidi, withoutBidiControls } from './text'

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
])('shortens %j to %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

test('removes bidi controls from names and ignores names that contain nothing else', () => {
  expect(displayName({ displayName: '\u202Eada\u2069' })).toBe('ada')
  expect(displayName({ displayName: '\u202E', firstName: 'Ada', lastName: 'Lovelace' })).toBe('Ada Lovelace')
  expect(displayName(null)).toBe('Unknown User')
  expect(conversationName({ fullName: '\u2067\u2069', username: 'ada' })).toBe('ada')
  expect(conversationName(undefined)).toBe('User')
})

test('removes bidi controls and nothing else', () => {
  expect(withoutBidiControls('\u202Eevil\u202C \u2066x\u2069 \u200Fא\u200E \u061C')).toBe('evil x א ')
  // Emoji and some scripts need the zero-width joiner and non-joiner.
  expect(withoutBidiControls('👩‍🚀 می‌خواهم')).toBe('👩‍🚀 می‌خواهم')
})

test('isolates a name and removes controls that would end its isolation', () => {
  expect(isolateBidi('a\u2069\u202Eb')).toBe('\u2068ab\u2069')
})

test.each([
  ['Potatoes, dahlias, slugs. Mostly slugs.', 27, 'Potatoes, dahlias, slugs…'],
  ['Potatoes and\ndahlias', 20, 'Potatoes and dahlias'],
  ['Potatoes and dahlias', 16, 'Potatoes and…'],
  ['Slugs again?! Mostly slugs.', 15, 'Slugs again…'],
  ['Dahlias – and slugs', 12, 'Dahlias…'],
  ['Potatoes (and slugs.) Dahlias', 23, 'Potatoes (and slugs…'],
  ['هل أنت هنا؟ نعم، أنا هنا', 14, 'هل أنت هنا…'],
])('cuts %j to %i characters at the end of a word, without the punctuation there', (text, max, expected) => {
  expect(excerpt(text, max)).toBe(expected)
})
