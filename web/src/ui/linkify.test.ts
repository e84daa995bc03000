import { expect, test } from 'vitest'
import { linkify, shortenUrl } from './linkify'

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

test.each([
  ['https://example.com/a)]', 'https://example.com/a'],
  ['https://example.com/(a))...', 'https://example.com/(a)'],
  ['https://example.com/[a]!?', 'https://example.com/[a]'],
  ['https://example.com/a).)', 'https://example.com/a'],
  ['https://example.com/(a', 'https://example.com/(a'],
])('leaves trailing punctuation and unmatched closing brackets out of the link in %s', (text, link) => {
  expect(linkify(text)[0]).toMatchObject({ kind: 'link', text: link })
})

test.each([')', ']', '.)', '(', '#', '@a', 'https://', '#aa ', '.'])(
  'takes linear time for a URL followed by many %j',
  (repeated) => {
    const measure = (length: number) => {
      const text = `https://example.com/${repeated.repeat(length / repeated.length)}`
      const startedAt = performance.now()
      expect(
        linkify(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
      return performance.now() - startedAt
    }
    measure(1000)
    // In quadratic time, 200,000 characters would take minutes.
    expect(measure(200_000)).toBeLessThan(2000)
  },
)

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
