import type { CreateProductRequest } from '@contract/product.ts'
import { z } from 'zod'
import { createDraftStore, useStoredDraft } from '@/lib/drafts'
import { uuidv7 } from '@/lib/uuid'
import { productRequest } from './product-form'

/**
 * A product that is being described. `id` is its post's own: it stays while everything else does, so that a repeated
 * press stores once.
 */
const ProductDraft = z.object({
  id: z.string(),
  name: z.string(),
  price: z.string(),
  storeUrl: z.string(),
  category: z.string(),
  description: z.string(),
  /** Where its picture was uploaded. */
  imageUrl: z.string().nullable(),
  altText: z.string(),
})
export type ProductDraft = z.infer<typeof ProductDraft>
export type ProductDraftFields = Partial<Omit<ProductDraft, 'id'>>

const nothing = {
  name: '',
  price: '',
  storeUrl: '',
  category: '',
  description: '',
  imageUrl: null,
  altText: '',
}

const key = 'draft:product'
const drafts = createDraftStore<ProductDraft>({
  empty: () => ({ id: uuidv7(), ...nothing }),
  parse: (stored) => {
    if (stored === null) return
    try {
      return ProductDraft.parse(JSON.parse(stored))
    } catch {
      return
    }
  },
  isEmpty: ({ id: _, ...fields }) => Object.values(fields).every((value) => !value),
})

/** What a person is describing. */
export function getProductDraft(userId: string): ProductDraft {
  return drafts.current(userId, key)
}

/** Another content is another post: one that may have been stored under the old id must not stand for it. */
export function changeProductDraft(userId: string, fields: ProductDraftFields): void {
  drafts.keep(userId, key, { ...getProductDraft(userId), ...fields, id: uuidv7() })
}

/** Empties the draft once it was posted; what was changed since then stays, but for the picture that the post took. */
export function clearPostedProduct(userId: string, posted: ProductDraft): void {
  const current = getProductDraft(userId)
  if (current.id === posted.id) changeProductDraft(userId, nothing)
  else if (current.imageUrl === posted.imageUrl) changeProductDraft(userId, { imageUrl: null, altText: '' })
}

/** What a person is describing, kept in the browser until it is posted. */
export function useProductDraft(userId: string): ProductDraft {
  return useStoredDraft(drafts, userId, key)
}

/** What is sent to post it. */
export function createProductRequest(draft: ProductDraft): CreateProductRequest {
  const { id, description, imageUrl, altText } = draft
  return {
    id,
    ...productRequest(draft),
    description: description.trim(),
    ...(imageUrl && { imageUrl, altText: altText.trim() || null }),
  }
}
