import type { Post } from '@contract/post.ts'
import { type Product, productDescription, productFields } from '@contract/product.ts'
import { z } from 'zod'
import { parseAmount } from '@/lib/parse-amount'

/** What stands in the fields that describe a product beside its description. */
export interface ProductFormValues {
  name: string
  price: string
  storeUrl: string
  category: string
}

/** What is wrong with a product, by field; empty when nothing is. */
export type ProductFormErrors = Partial<Record<keyof ProductFormValues | 'description', string>>

const Checked = z.object({ ...productFields, description: productDescription })

/** The product as the API takes it; of a price that is no number, one that it refuses. */
function typed({ name, price, storeUrl, category }: ProductFormValues) {
  return {
    name: name.trim(),
    price: price.trim() === '' ? null : parseAmount(price),
    storeUrl: storeUrl.trim(),
    category: category.trim() || null,
  }
}

/** What the API would say of a product, by the same rules. */
export function validateProduct(text: ProductFormValues, description: string): ProductFormErrors {
  const problems: ProductFormErrors = {}
  const { error } = Checked.safeParse({ ...typed(text), description })
  for (const { path, message } of error?.issues ?? []) {
    const field = Checked.keyof().safeParse(path[0])
    if (field.success) problems[field.data] ??= message
  }
  return problems
}

/** The product to be sent, once nothing is wrong with it. */
export function productRequest(text: ProductFormValues) {
  return z.object(productFields).parse(typed(text))
}

/** A product that is there, as its fields show it. */
export function productFormValues(post: Post): ProductFormValues | null {
  return post.product && textOf(post.product)
}

function textOf({ name, price, storeUrl, category }: Product): ProductFormValues {
  return { name, price: price.toFixed(2), storeUrl, category: category ?? '' }
}

export const emptyProduct: ProductFormValues = { name: '', price: '', storeUrl: '', category: '' }
