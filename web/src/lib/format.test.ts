import { i18n } from '@lingui/core'
import { afterEach, expect, test } from 'vitest'
import { compactNumber, dateFormat, dollars, parseAmount, relativeTimeFormat, wholeDollars } from './format'

i18n.load('es', {})
afterEach(() => i18n.activate('en'))

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
  ['1 250', 1250],
  ['1.250,50', 1250.5],
  ['12.345.678,9', 12_345_678.9],
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
  '1.2.3',
  '10.005',
  '1.250',
  '1.25,50',
  '1 25',
  '1,250 500',
  '1250,500',
  '0,500',
  '1,25,000',
  '12,',
  ',50',
  '1,250,5',
])('rejects %j', (text) => {
  expect(parseAmount(text)).toBeNaN()
})

test.each(['es', 'es-MX', 'es-CR', 'es-AR', 'en'])('parses an amount in the notation of %s', (locale) => {
  i18n.activate(locale.slice(0, 2), [locale])
  for (const amount of [5, 1234.5, 12_345.67]) expect(parseAmount(dollars(amount))).toBe(amount)
})

test('formats English numbers the same in every region, and dates in the format of the region', () => {
  i18n.activate('en', ['en-ZA', 'en'])
  expect(dollars(1234.5)).toBe('$1,234.50')
  expect(dateFormat({ dateStyle: 'short' }).format(new Date(2026, 10, 23))).toBe('2026/11/23')
})

test('formats amounts and times in the language of the app', () => {
  i18n.activate('es', ['es-ES', 'es'])
  expect(wholeDollars(50)).toBe('50\u00a0$')
  expect(relativeTimeFormat().format(-5, 'minute')).toBe('hace 5 minutos')
})
