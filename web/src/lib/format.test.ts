import { expect, test } from 'vitest'
import { compactNumber, dollars, parseAmount } from './format'

test('shortens large counts', () => {
  expect(compactNumber(12_400)).toBe('12.4K')
})

test.each([
  [12.5, '$12.50'],
  [1234.005, '$1,234.01'],
  [-5, '-$5.00'],
  [-0.001, '$0.00'],
])('formats %d dollars as %s', (amount, text) => {
  expect(dollars(amount)).toBe(text)
})

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
])('parses %j as %d dollars', (text, amount) => {
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
])('rejects %j', (text) => {
  expect(parseAmount(text)).toBeNaN()
})
