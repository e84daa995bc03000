import { expect, test } from 'vitest'
import { parseAmount } from './parse-amount'

test.each([
  ['50', 50],
  ['0019.90', 19.9],
  [' $1,250.50 ', 1250.5],
  ['$ 5', 5],
  ['12.', 12],
  ['.5', 0.5],
  ['1,250', 1250],
  ['12,345,678', 12_345_678],
  ['9,99', 9.99],
  ['24,5', 24.5],
  ['4500,50', 4500.5],
])('%j is %d dollars', (text, amount) => {
  expect(parseAmount(text)).toBe(amount)
})

test.each([
  '',
  '$',
  '.',
  'ten',
  '-5',
  '1e2',
  '0x10',
  'Infinity',
  '1 250',
  '1.2.3',
  '10.005',
  '1.250',
  '1.250,50',
  '1250,500',
  '0,500',
  '1,25,000',
  '12,',
  ',50',
  '1,250,5',
])('%j is no amount', (text) => {
  expect(parseAmount(text)).toBeNaN()
})
