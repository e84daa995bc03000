import { expect, test } from 'vitest'
import { parseAmount } from './amount'

test.each([
  ['50', 50],
  [' $1,250.50 ', 1250.5],
  ['12.', 12],
  ['', Number.NaN],
  ['-5', Number.NaN],
  ['1e3', Number.NaN],
  ['10.005', Number.NaN],
])('%j is %d dollars', (text, amount) => {
  expect(parseAmount(text)).toBe(amount)
})
