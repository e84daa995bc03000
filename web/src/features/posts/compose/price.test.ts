import { expect, test } from 'vitest'
import { parsePrice, priceProblem } from './price'

test('a price is read with a point or a comma, and with its sign', () => {
  expect(['10.00', '9,99', '$5', ' 1. ', '.5'].map(parsePrice)).toEqual([10, 9.99, 5, 1, 0.5])
  expect(['', 'ten', '1.2.3', '-1', '1e3', '1,000.00'].map(parsePrice)).toEqual(Array(6).fill(null))
})

test('a price lies between 1.00 and 999.99, in whole cents', () => {
  expect(['1', '1.00', '999.99', '0019.90'].map(priceProblem)).toEqual(Array(4).fill(undefined))
  expect(['0.99', '1000', '', '-5'].map(priceProblem)).toEqual(
    Array(4).fill('Please enter a price between $1.00 and $999.99.'),
  )
  expect(priceProblem('2.555')).toBe('An amount has whole cents.')
})
