import { describe, expect, test } from 'vitest'
import { highlightedExcerpt } from './MessageSearchResults'

const highlight = (text: string, query: string) =>
  highlightedExcerpt(text, query)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

describe('highlightedExcerpt', () => {
  test('highlights every match regardless of case and accents', () => {
    expect(highlight('Ein Café, ein CAFE', 'cafe')).toBe('Ein [Café], ein [CAFE]')
    expect(highlight('👩‍👩‍👧 family 👩‍👩‍👧', 'family')).toBe('👩‍👩‍👧 [family] 👩‍👩‍👧')
    expect(highlight('a+b (a+b)', 'a+b')).toBe('[a+b] ([a+b])')
  })

  test('starts at a word shortly before the first match', () => {
    const text = 'It was a long way down from the ridge to the harbour, and the rain never stopped.'
    expect(highlight(text, 'harbour')).toBe('…from the ridge to the [harbour], and the rain never stopped.')
    expect(highlight('x'.repeat(50).concat('ridge'), 'ridge')).toBe('…[ridge]')
  })

  test('returns the whole text if nothing matches', () => {
    expect(highlight('straße', 'strasse')).toBe('straße')
    expect(highlight('anything', ' ')).toBe('anything')
  })
})
