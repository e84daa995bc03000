import { type EditPostRequest, nothingToPost, type Post } from '@contract/post.ts'
import { parseAmount } from '@/lib/parse-amount'
import { validatePrice } from './price-error'
import {
  emptyProduct,
  type ProductFormErrors,
  type ProductFormValues,
  productFormValues,
  productRequest,
  validateProduct,
} from './product-form'

/** What stands in the fields of the dialog that edits a post. */
export interface PostEdits {
  content: string
  teaser: string
  altText: string
  price: string
  /** Part of what one's subscribers get. */
  included: boolean
  /** Of a product. */
  name: string
  productPrice: string
  storeUrl: string
  category: string
}

const fields = [
  'content',
  'teaser',
  'altText',
  'price',
  'included',
  'name',
  'productPrice',
  'storeUrl',
  'category',
] as const satisfies (keyof PostEdits)[]

export function editsFromPost(post: Post): PostEdits {
  const { price: productPrice, ...product } = productFormValues(post) ?? emptyProduct
  return {
    ...product,
    productPrice,
    content: post.content,
    teaser: post.teaser ?? '',
    altText: post.altText ?? '',
    price: post.premiumPrice?.toFixed(2) ?? '',
    included: post.includedInSubscription,
  }
}

/** What of it describes the product. */
export function productFromEdits({
  name,
  productPrice: price,
  storeUrl,
  category,
}: PostEdits): ProductFormValues {
  return { name, price, storeUrl, category }
}

/** What was changed and not saved yet: each field with what the post held when it was changed. */
export type UnsavedEdits = { [Field in keyof PostEdits]?: { from: PostEdits[Field]; to: PostEdits[Field] } }

/** The fields as they are shown: what was changed, and the post as it is now. */
export function applyUnsavedEdits(post: Post, kept: UnsavedEdits): PostEdits {
  const edits = editsFromPost(post)
  const set = <Field extends keyof PostEdits>(field: Field) => {
    edits[field] = kept[field]?.to ?? edits[field]
  }
  fields.forEach(set)
  return edits
}

/** What is kept after a change. A field that was not changed is left to the post, which may change elsewhere. */
export function recordEdits(post: Post, kept: UnsavedEdits, changes: Partial<PostEdits>): UnsavedEdits {
  const now = editsFromPost(post)
  const next: UnsavedEdits = { ...kept }
  for (const field of fields) {
    const to = changes[field]
    if (to !== undefined) Object.assign(next, { [field]: { from: kept[field]?.from ?? now[field], to } })
  }
  return next
}

/** What of it still holds when the dialog opens again: it must not undo what was saved from elsewhere since. */
export function dropStaleEdits(post: Post, kept: UnsavedEdits = {}): UnsavedEdits {
  const now = editsFromPost(post)
  const next: UnsavedEdits = {}
  const set = <Field extends keyof PostEdits>(field: Field) => {
    const change = kept[field]
    if (change && change.from === now[field]) next[field] = change
  }
  fields.forEach(set)
  return next
}

/** What differs from the post, as the API takes it; undefined when nothing does. */
export function changedFields(post: Post, edits: PostEdits): EditPostRequest | undefined {
  const content = edits.content.trim()
  const teaser = edits.teaser.trim() || null
  const altText = edits.altText.trim() || null
  const price = parseAmount(edits.price)
  const changes: EditPostRequest = {
    ...(content !== post.content && { content }),
    ...(post.isPremium && teaser !== post.teaser && { teaser }),
    ...(post.mediaType !== null && altText !== post.altText && { altText }),
    ...(post.isPremium && !Number.isNaN(price) && price !== post.premiumPrice && { premiumPrice: price }),
    ...(post.isPremium &&
      edits.included !== post.includedInSubscription && { includedInSubscription: edits.included }),
    ...(post.product && isOtherProduct(post, edits) && { product: productRequest(productFromEdits(edits)) }),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}

function isOtherProduct(post: Post, edits: PostEdits): boolean {
  const now = productFormValues(post) ?? emptyProduct
  const { name, price, storeUrl, category } = productFromEdits(edits)
  return (
    name.trim() !== now.name ||
    parseAmount(price) !== post.product?.price ||
    storeUrl.trim() !== now.storeUrl ||
    category.trim() !== now.category
  )
}

/** What is wrong with the edits, by field; empty when nothing is. */
export function editProblems(
  post: Post,
  edits: PostEdits,
): { content?: string; price?: string; product?: ProductFormErrors } {
  if (post.product) {
    const { description, ...product } = validateProduct(productFromEdits(edits), edits.content)
    return {
      ...(description && { content: description }),
      ...(Object.keys(product).length > 0 && { product }),
    }
  }
  const price = post.isPremium ? validatePrice(edits.price) : undefined
  const isNothing = edits.content.trim() === '' && post.mediaType === null
  return { ...(isNothing && { content: nothingToPost }), ...(price && { price }) }
}
