import { expect, test } from 'vitest'
import { linkify, shortAddress } from './linkify'

const kinds = (text: string) => linkify(text).map((part) => [part.kind, part.text])

test('splits text without losing a character', () => {
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
  '@ab',
])('%s stays plain text', (text) => {
  expect(linkify(text)).toEqual([{ kind: 'text', text }])
})

test('an address ends where a character would turn its letters around', () => {
  expect(kinds('https://example.com/\u202Egpj.exe')).toEqual([
    ['link', 'https://example.com/'],
    ['text', '\u202Egpj.exe'],
  ])
})

test('a hashtag may be in any script, and is compared in lower case', () => {
  expect(linkify('#Été')).toEqual([{ kind: 'hashtag', text: '#Été', tag: 'été' }])
})

test('addresses are shown short', () => {
  expect(shortAddress('https://www.example.com/')).toBe('example.com')
  expect(shortAddress(`https://example.com/${'a'.repeat(80)}`)).toHaveLength(40)
})
