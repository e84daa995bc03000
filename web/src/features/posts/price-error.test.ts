import { expect, test } from 'vitest'
import { validatePrice } from './price-error'

test('a price lies between 1.00 and 999.99, in whole cents', () => {
  expect(['1', '1.00', '9,99', '$999.99', '0019.90'].map(validatePrice)).toEqual(Array(5).fill(undefined))
  expect(['0.99', '1000', '1,000', '', '-5', '2.555'].map(validatePrice)).toEqual(
    Array(6).fill('Please enter a price between $1.00 and $999.99.'),
  )
})
