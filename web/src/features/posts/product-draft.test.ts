import { CreateProductRequest, fillAllFields, invalidStoreUrl } from '@contract/product.ts'
import { expect, test } from 'vitest'
import { emptyProduct, productRequest, validateProduct } from './product-draft'

const mug = { name: ' Stage mug ', price: '$24,5', storeUrl: 'store.example/mug', category: '' }

test('converts the inputs to a valid request', () => {
  expect(validateProduct(mug, 'Fired twice.')).toEqual({})
  const request = productRequest(mug)
  expect(request).toEqual({
    name: 'Stage mug',
    price: 24.5,
    storeUrl: 'https://store.example/mug',
    category: null,
  })
  expect(CreateProductRequest.safeParse({ ...request, description: 'Fired twice.' }).success).toBe(true)
})

test('reads a comma before three digits as a thousands separator', () => {
  expect(productRequest({ ...mug, price: '1,250' }).price).toBe(1250)
})

test('requires every field except the category', () => {
  expect(validateProduct(emptyProduct, ' ')).toEqual({
    name: fillAllFields,
    price: fillAllFields,
    storeUrl: fillAllFields,
    description: fillAllFields,
  })
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'https://ada:secret@store.example',
  'store',
  'ftp://a.example',
])('rejects %s as a store URL', (storeUrl) =>
  expect(validateProduct({ ...mug, storeUrl }, 'x')).toEqual({ storeUrl: invalidStoreUrl }),
)

test.each(['abc', '0', '-1', '100000', '1.250', '0x10'])('rejects %s as a price', (price) =>
  expect(validateProduct({ ...mug, price }, 'x').price).toMatch(/between/),
)
