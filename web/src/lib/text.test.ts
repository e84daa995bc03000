import { expect, test } from 'vitest'
import {
  conversationName,
  displayName,
  initials,
  isolateBidi,
  linkify,
  shortenUrl,
  withoutBidiControls,
} from './text'

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

test('removes controls that would end the isolation', () => {
  expect(isolateBidi('a\u2069\u202Eb')).toBe('\u2068ab\u2069')
})

const kinds = (text: string) => linkify(text).map((part) => [part.kind, part.text])

test('splits text into parts without losing a character', () => {
  const text =
    'Hi @ada_1, see https://example.com/a?b=1#c. #Art (https://en.wikipedia.org/wiki/Fan_(person))!'
  expect(
    linkify(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
  expect(kinds(text)).toEqual([
    ['text', 'Hi '],
    ['mention', '@ada_1'],
    ['text', ', see '],
    ['link', 'https://example.com/a?b=1#c'],
    ['text', '. '],
    ['hashtag', '#Art'],
    ['text', ' ('],
    ['link', 'https://en.wikipedia.org/wiki/Fan_(person)'],
    ['text', ')!'],
  ])
})

test.each([
  'javascript:alert(1)',
  'data:text/html,<b>x</b>',
  'ftp://example.com',
  'https://google.com@evil.example',
  'https://a:b@evil.example/',
  'mail me at ada@example.com',
  '#123',
  '#1_2',
  'C#major and a&#xa0;',
  `#${'a'.repeat(51)}`,
  '@ab',
])('leaves %s as plain text', (text) => {
  expect(linkify(text)).toEqual([{ kind: 'text', text }])
})

test('ends a URL before a bidi control', () => {
  expect(kinds('https://example.com/\u202Egpj.exe')).toEqual([
    ['link', 'https://example.com/'],
    ['text', '\u202Egpj.exe'],
  ])
})

test.each([
  ['#Été', 'été'],
  ['#E\u0301te\u0301', 'été'],
  ['#हिन्दी', 'हिन्दी'],
  ['#日本語', '日本語'],
  ['#2026_goals', '2026_goals'],
  [`#${'a'.repeat(50)}`, 'a'.repeat(50)],
])('normalizes the hashtag %s', (text, tag) => {
  expect(linkify(text)).toEqual([{ kind: 'hashtag', text, tag }])
})

test('ends a hashtag at punctuation', () => {
  expect(kinds('#art, #art-work and (#blue).')).toEqual([
    ['hashtag', '#art'],
    ['text', ', '],
    ['hashtag', '#art'],
    ['text', '-work and ('],
    ['hashtag', '#blue'],
    ['text', ').'],
  ])
})

test('shortens URLs for display', () => {
  expect(shortenUrl('https://www.example.com/')).toBe('example.com')
  expect(shortenUrl(`https://example.com/${'a'.repeat(80)}`)).toHaveLength(40)
})
