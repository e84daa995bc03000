import { createSystem, defaultBaseConfig } from '@chakra-ui/react'
import type { StylisElement } from '@emotion/cache'
import { type CSSObject, css as serialize } from '@emotion/react'
import { expect, test } from 'vitest'
import { addPrefix, withStyleCache } from './style-cache'

const plain = createSystem(defaultBaseConfig)
const cached = withStyleCache(createSystem(defaultBaseConfig))

const button = {
  base: { display: 'flex', _hover: { color: 'red' } },
  variants: { size: { sm: { padding: '1' }, md: { padding: { base: '2', md: '3' } } } },
  defaultVariants: { size: 'md' },
} as const
const round = { base: { borderRadius: '50%', display: 'grid' } } as const

const textByChakra = (variants: object, props: object): string =>
  serialize(plain.css(plain.cva(button)(variants), props) as CSSObject).styles
const textByCache = (variants: object, props: object): unknown =>
  cached.css(cached.cva(button)(variants), props).styles

test('returns the same recipes as Chakra, each time', () => {
  for (const variants of [{}, { size: 'sm' }, { size: 'md' }, {}] as const)
    expect(cached.cva(button)(variants)).toEqual(plain.cva(button)(variants))
})

test('returns the same styles as Chakra, each time, in the form that Emotion inserts', () => {
  const withHover = { color: 'blue', _hover: { color: 'green' } }
  for (const props of [{}, { color: 'blue' }, { padding: undefined }, withHover, { color: 'blue' }]) {
    for (const variants of [{}, { size: 'sm' }])
      expect(textByCache(variants, props)).toBe(textByChakra(variants, props))
  }
})

test('keeps the order of styles: of two that overlap, the later one wins', () => {
  for (const props of [
    { margin: '1', marginTop: '2' },
    { marginTop: '2', margin: '1' },
  ])
    expect(textByCache({}, props)).toBe(textByChakra({}, props))
})

test('merges recipes', () => {
  const merged = (system: typeof plain) => system.cva(button).merge(system.cva(round))({ size: 'sm' })
  expect(merged(cached)).toEqual(merged(plain))
  expect(merged(cached)).toEqual(merged(plain))
})

test('computes the styles for the same recipe and props only once', () => {
  expect(cached.cva(button)).toBe(cached.cva(button))
  const styles = () => cached.css(cached.cva(button)({ size: 'sm' }), { color: 'blue' })
  expect(styles()).toBe(styles())
})

test('adds a prefix only to the properties that need one', () => {
  const prefixed = (property: string, value: string) => {
    const element = { type: 'decl', props: property, value: `${property}:${value};`, return: '' }
    addPrefix(element as StylisElement)
    return element.return
  }
  expect(prefixed('user-select', 'none')).toBe('-webkit-user-select:none;user-select:none;')
  expect(prefixed('display', 'flex')).toBe('')
})
