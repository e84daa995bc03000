import type { Post } from '@contract/post.ts'
import { type CreateProductRequest, productDescription, productFields } from '@contract/product.ts'
import { z } from 'zod'
import { translateServerText } from '@/lib/errors'
import { parseAmount } from '@/lib/format'
import { parseJson } from '@/lib/json'
import { createDraftStore, useStoredDraft } from '@/lib/storage'
import { uuidv7 } from '@/lib/uuid'

/**
 * A draft of a product. `id` becomes the id of its post. It changes only when the draft changes, so that submitting the
 * same draft twice creates only one post.
 */
const ProductDraft = z.object({
  id: z.string(),
  name: z.string(),
  price: z.string(),
  storeUrl: z.string(),
  category: z.string(),
  description: z.string(),
  /** The URL of the uploaded image. */
  imageUrl: z.string().nullable(),
  altText: z.string(),
})
export type ProductDraft = z.infer<typeof ProductDraft>
type ProductDraftFields = Partial<Omit<ProductDraft, 'id'>>

/** The values of a product's inputs, except its description. */
export interface ProductFormValues {
  name: string
  price: string
  storeUrl: string
  category: string
}

/** Error messages by field. */
export type ProductFormErrors = Partial<Record<keyof ProductFormValues | 'description', string>>

export const emptyProduct: ProductFormValues = { name: '', price: '', storeUrl: '', category: '' }

const emptyFields = { ...emptyProduct, description: '', imageUrl: null, altText: '' }

const draftName = 'draft:product'
const drafts = createDraftStore<ProductDraft>({
  empty: () => ({ id: uuidv7(), ...emptyFields }),
  parse: (stored) => ProductDraft.safeParse(parseJson(stored)).data,
  isEmpty: ({ id: _, ...fields }) => Object.values(fields).every((value) => !value),
})

/** Returns a user's draft, which is stored in the browser until it is posted. */
export function useProductDraft(userId: string): ProductDraft {
  return useStoredDraft(drafts, userId, draftName)
}

export function getProductDraft(userId: string): ProductDraft {
  return drafts.get(userId, draftName)
}

/** Changes the draft and gives it a new id: the previous content may already be posted under the old id. */
export function changeProductDraft(userId: string, fields: ProductDraftFields): void {
  drafts.set(userId, draftName, { ...getProductDraft(userId), ...fields, id: uuidv7() })
}

/** Clears the draft after it has been posted. Keeps changes made since then, but not the posted image. */
export function clearPostedProduct(userId: string, posted: ProductDraft): void {
  const current = getProductDraft(userId)
  if (current.id === posted.id) changeProductDraft(userId, emptyFields)
  else if (current.imageUrl === posted.imageUrl) changeProductDraft(userId, { imageUrl: null, altText: '' })
}

/** Returns the request that posts the draft. */
export function createProductRequest(draft: ProductDraft): CreateProductRequest {
  const { id, description, imageUrl, altText } = draft
  return {
    id,
    ...productRequest(draft),
    description: description.trim(),
    ...(imageUrl && { imageUrl, altText: altText.trim() || null }),
  }
}

/** Returns the product's fields for a request. @throws ZodError if `validateProduct` returns errors for them. */
export function productRequest(values: ProductFormValues) {
  return z.object(productFields).parse(parseValues(values))
}

const ProductSchema = z.object({ ...productFields, description: productDescription })

/** Validates a product by the same rules as the API. Returns the error messages. */
export function validateProduct(values: ProductFormValues, description: string): ProductFormErrors {
  const errors: ProductFormErrors = {}
  const { error } = ProductSchema.safeParse({ ...parseValues(values), description })
  for (const { path, message } of error?.issues ?? []) {
    const field = ProductSchema.keyof().safeParse(path[0])
    if (field.success) errors[field.data] ??= translateServerText(message)
  }
  return errors
}

/** Converts the inputs' values to the API's types. A price that is not a number becomes NaN, which is rejected. */
function parseValues({ name, price, storeUrl, category }: ProductFormValues) {
  return {
    name: name.trim(),
    price: price.trim() === '' ? null : parseAmount(price),
    storeUrl: storeUrl.trim(),
    category: category.trim() || null,
  }
}

/** Returns the values of the inputs for a post's product, or null if the post has none. */
export function productFormValues({ product }: Post): ProductFormValues | null {
  if (!product) return null
  const { name, price, storeUrl, category } = product
  return { name, price: price.toFixed(2), storeUrl, category: category ?? '' }
}
