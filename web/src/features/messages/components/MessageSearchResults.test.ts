import { expect, test } from 'vitest'
import { highlightedExcerpt } from './highlighted-excerpt'

const marked = (text: string, query: string) =>
  highlightedExcerpt(text, query)
    .map((part) => (part.hit ? `[${part.text}]` : part.text))
    .join('')

test('marks every hit, whatever its case and accents', () => {
  expect(marked('Ein Café, ein CAFE', 'cafe')).toBe('Ein [Café], ein [CAFE]')
  expect(marked('👩‍👩‍👧 family 👩‍👩‍👧', 'family')).toBe('👩‍👩‍👧 [family] 👩‍👩‍👧')
  expect(marked('a+b (a+b)', 'a+b')).toBe('[a+b] ([a+b])')
})

test('begins shortly before the first hit, at a word', () => {
  const text = 'It was a long way down from the ridge to the harbour, and the rain never stopped.'
  expect(marked(text, 'harbour')).toBe('…from the ridge to the [harbour], and the rain never stopped.')
  expect(marked('x'.repeat(50).concat('ridge'), 'ridge')).toBe('…[ridge]')
})

test('shows the text as it is where nothing is found', () => {
  expect(marked('straße', 'strasse')).toBe('straße')
  expect(marked('anything', ' ')).toBe('anything')
})
