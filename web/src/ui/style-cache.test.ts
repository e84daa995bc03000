import { createSystem, defaultBaseConfig } from '@chakra-ui/react'
import { expect, test } from 'vitest'
import { withStyleCache } from './style-cache'

const plain = createSystem(defaultBaseConfig)
const cached = withStyleCache(createSystem(defaultBaseConfig))

const button = {
  base: { display: 'flex', _hover: { color: 'red' } },
  variants: { size: { sm: { padding: '1' }, md: { padding: { base: '2', md: '3' } } } },
  defaultVariants: { size: 'md' },
} as const
const round = { base: { borderRadius: '50%', display: 'grid' } } as const

test('returns the same styles as Chakra, each time', () => {
  for (const props of [{}, { size: 'sm' }, { size: 'md' }, {}] as const) {
    expect(cached.cva(button)(props)).toEqual(plain.cva(button)(props))
  }
  for (const props of [
    { color: 'blue' },
    { padding: undefined },
    { color: 'blue', _hover: { color: 'green' } },
  ]) {
    const styles = (system: typeof plain) => system.css(system.cva(button)({ size: 'sm' }), props)
    expect(styles(cached)).toEqual(styles(plain))
    expect(styles(cached)).toEqual(styles(plain))
  }
})

test('keeps the order of styles: of two at-rules or shorthands, the last one counts', () => {
  const styles = (system: typeof plain) => [
    system.css(system.cva(round)({}), { margin: '1', marginTop: '2' }),
    system.css(system.cva(round)({}), { marginTop: '2', margin: '1' }),
  ]
  expect(JSON.stringify(styles(cached))).toBe(JSON.stringify(styles(plain)))
})

test('merges recipes', () => {
  const merged = (system: typeof plain) => system.cva(button).merge(system.cva(round))({ size: 'sm' })
  expect(merged(cached)).toEqual(merged(plain))
  expect(merged(cached)).toEqual(merged(plain))
})

test('computes the styles of a recipe and its props once', () => {
  expect(cached.cva(button)).toBe(cached.cva(button))
  const styles = () => cached.css(cached.cva(button)({ size: 'sm' }), { color: 'blue' })
  expect(styles()).toBe(styles())
})
